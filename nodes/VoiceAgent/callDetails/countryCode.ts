/* The numbers of each country code: how long they are, and what is dialled before them inside the country. */
import { groupsOf, splitList } from '../text/words';

/** The digits of national numbers without a trunk prefix, behind each code, as in Google's libphonenumber. */
const NUMBER_LENGTHS = splitList(`
	1 10, 20 8-10, 211 9, 212 9, 213 8-9, 216 8, 218 9, 220 7 9, 221 9, 222 8, 223 8, 224 8-9,
	225 10, 226 8, 227 8, 228 8, 229 10, 230 7-8 10, 231 7-9, 232 8, 233 8-9, 234 10-12, 235 8,
	236 8, 237 8-9, 238 7, 239 7, 240 9, 241 7-8, 242 9, 243 7-10, 244 9, 245 7 9, 246 7, 247 5-6,
	248 7, 249 9, 250 8-9, 251 9, 252 6-9, 253 8, 254 7-10, 255 9, 256 9, 257 8, 258 8-9, 260 9,
	261 9, 262 9, 263 7 9-10, 264 8-9, 265 7 9, 266 8, 267 7-8 10, 268 8-9, 269 7, 27 5-10, 290 4-5,
	291 7, 297 7, 298 6, 299 6, 30 10-12, 31 5-11, 32 8-9, 33 9, 34 9, 350 8, 351 9, 352 4-11,
	353 7-10, 354 7 9, 355 6-9, 356 8, 357 8, 358 5-12, 359 6-9 12, 36 8-9, 370 8, 371 8,
	372 7-8 10, 373 8, 374 8, 375 6-11, 376 6 8-9, 377 8-9, 378 8 10, 380 9-10, 381 6-12, 382 8-9,
	383 8-12, 385 7-9, 386 5-8, 387 8-9, 389 8, 39 6-12, 40 6 9, 41 9 12, 420 9-12, 421 6-7 9,
	423 7 9, 43 4-13, 44 7 9-10, 45 8, 46 6-10 12, 47 5 8, 48 6-10, 49 4-13, 500 5, 501 7 11,
	502 8 11, 503 7-8 11, 504 8 11, 505 8, 506 8 10, 507 7-8 10-11, 508 6 9, 509 8, 51 8-9, 52 10,
	53 6-8 10, 54 10-11, 55 8-11, 56 9-11, 57 8 10-11, 58 10, 590 9, 591 8-9, 592 7, 593 8-11,
	594 9, 595 6-11, 596 9, 597 6-7, 598 4-12, 599 7-8, 60 8-10, 61 5-10 12, 62 7-13, 63 6 8-13,
	64 5-10, 65 8 10-11, 66 8-10 13, 670 7-8, 672 6, 673 7, 674 7, 675 7-8, 676 5 7, 677 5 7,
	678 5 7, 679 7 11, 680 7, 681 6 9, 682 5, 683 4 7, 685 5-7 10, 686 5 8, 687 6, 688 5-7,
	689 6 8-9, 690 4-7, 691 7, 692 7, 7 10 14, 800 8, 808 8, 81 8-13, 82 5-6 8-13, 84 7-10,
	850 8 10, 852 5-9 11, 853 7-8, 855 8-10, 856 8-10, 86 7-12, 870 9 12, 878 12, 880 6-10,
	881 9-10, 882 7-12, 883 8-12, 886 7-11, 888 11, 90 7 10 12-13, 91 8-13, 92 8-12, 93 9, 94 9,
	95 6-10, 960 7 10, 961 7-8, 962 8-9, 963 8-9, 964 8-10, 965 7-8, 966 9-10, 967 7-9, 968 7-9,
	970 8-10, 971 5-12, 972 7-12, 973 8, 974 7-9 11, 975 7-8, 976 8-10, 977 8 10-11, 979 9,
	98 4-7 10, 992 9, 993 8, 994 9, 995 9, 996 9-10, 998 9
`);

/** What is dialled before national numbers, where it is not 0. */
const TRUNK_PREFIXES: ReadonlyMap<string, RegExp> = new Map([
	['1', /^[01]/],
	['7', /^[08]/],
	['36', /^06/],
	// The 0 is part of the number.
	['39', /^(?!)/],
	// The 0 is part of shorter numbers.
	['241', /^0(?=.{8}$)/],
	// Former mobile numbers began with 044, 045 or, after the code, with 1.
	['52', /^0(1|4[45])?/],
	['370', /^[08]/],
	['375', /^(0|80?)/],
	['692', /^[01]/],
	['993', /^[08]/],
]);

/** Trunk prefixes after a country code, where they differ. Without the code, `1415…` is a number of the USA. */
const PREFIXES_AFTER_CODE: ReadonlyMap<string, RegExp> = new Map([['52', /^0?1|^0/]]);

/** Mobile numbers of eleven digits, which could be foreign ones without their `+`. */
const LONG_MOBILES: ReadonlyMap<string, RegExp> = new Map([
	['49', /^1[5-7]\d{9}$/],
	['54', /^9\d{10}$/],
	['55', /^[1-9]{2}9\d{8}$/],
	['86', /^1[3-9]\d{9}$/],
]);

/**
 * The fewest digits that begin with the code of the country, where there are not ten of them. 391 is also a
 * mobile network of Italy, and 55 an area of Brazil.
 */
const FEWEST_WITH_CODE = groupsOf({
	7: '690',
	9: '376, 508, 681',
	11: '39, 43, 49, 62, 91, 92',
	12: '55',
});

/** The lengths of national numbers by code. `44` → `7`, `9-10` */
const LENGTHS: ReadonlyMap<string, readonly string[]> = new Map(
	NUMBER_LENGTHS.map((entry) => {
		const [code = '', ...ranges] = entry.split(' ');
		return [code, ranges];
	}),
);
/** What is dialled before foreign numbers, where it is not 00. */
const DIALLED_ABROAD = groupsOf({ '011': '+1', '010': '+81' });
/** The most digits of a number, by E.164. */
export const MOST_DIGITS = 15;
/** The fewest digits that begin with their country code, in most countries. */
const FEWEST_CODED = 10;
/** The most digits of a national number that is no foreign one, in most countries. */
const MOST_NATIONAL = 10;

/**
 * Reads a country code: `+49`.
 *
 * @returns undefined for any other text
 */
export function parseCountryCode(code: string): string | undefined {
	return /^\+[1-9]\d{0,2}$/.test(code) ? code : undefined;
}

/**
 * Reads a number with what North America and Japan dial before foreign ones. `011442079460321` → `+442079460321`
 *
 * @param countryCode where it was dialled; either by default
 * @returns undefined for any other number
 */
export function dialledAbroad(digits: string, countryCode?: string): string | undefined {
	const [, prefix = '', rest = ''] = /^(01[01])(\d+)$/.exec(digits) ?? [];
	if (countryCode && DIALLED_ABROAD.get(countryCode) !== prefix) return undefined;
	const code = countryCodeOf(`+${rest}`)?.slice(1) ?? '';
	return isPossible(rest.slice(code.length), code) ? `+${rest}` : undefined;
}

/**
 * Completes a national number to E.164: `0301234567` with `+49` → `+49301234567`.
 *
 * @param phone E.164, or digits
 * @returns the number unchanged without a country code to add, or if it can't be a number of that country
 */
export function completeNumber(phone: string, countryCode?: string): string {
	// A number that begins with 00 is foreign.
	if (!countryCode || !/^(?!00)\d+$/.test(phone)) return phone;
	const abroad = dialledAbroad(phone, countryCode);
	if (abroad !== undefined) return abroad;
	const code = countryCode.slice(1);
	const national = nationalNumberIn(phone, code);
	return national === undefined ? phone : `+${code}${national}`;
}

/** The country code of a number with a `+`: `+442079460321` → `+44`. No code begins with another one. */
export function countryCodeOf(phone: string): string | undefined {
	const code = [2, 3, 4].map((end) => phone.slice(0, end)).find((one) => LENGTHS.has(one.slice(1)));
	return phone.startsWith('+') ? code : undefined;
}

/** Removes the trunk prefix behind a country code: `+4402079460321` → `+442079460321`, `+390612345678` stays */
export function withoutTrunkPrefix(phone: string): string {
	const code = countryCodeOf(phone)?.slice(1) ?? '';
	const national = phone.slice(1 + code.length);
	const prefix = PREFIXES_AFTER_CODE.get(code) ?? TRUNK_PREFIXES.get(code) ?? /^0/;
	const dialled = national.replace(prefix, '');
	const hasPrefix = national.startsWith('0') || !isPossible(national, code);
	return hasPrefix && isPossible(dialled, code) ? `+${code}${dialled}` : phone;
}

/** Returns the national number in digits: after the code, after the trunk prefix, or the digits themselves. */
function nationalNumberIn(phone: string, code: string): string | undefined {
	const isNational = isPossible(phone, code);
	const isLong = phone.length >= Number(FEWEST_WITH_CODE.get(code) ?? FEWEST_CODED);
	if ((isLong || !isNational) && beginsWithCode(phone, code)) return phone.slice(code.length);
	const dialled = phone.replace(TRUNK_PREFIXES.get(code) ?? /^0/, '');
	if (dialled !== phone && isPossible(dialled, code)) return dialled;
	return isNational && !mayBeForeign(phone, code) ? phone : undefined;
}

/** Whether digits may be a number with its country code. `34612345678`, `34` → true */
function beginsWithCode(phone: string, code: string): boolean {
	return phone.startsWith(code) && isPossible(phone.slice(code.length), code);
}

/** Whether digits may be a number of another country that only lacks its `+`. `14155550123`, `49` → true */
function mayBeForeign(phone: string, code: string): boolean {
	if (phone.length <= MOST_NATIONAL || LONG_MOBILES.get(code)?.test(phone)) return false;
	return [1, 2, 3].some((end) => beginsWithCode(phone, phone.slice(0, end)));
}

/** Whether national numbers of a country may have as many digits. */
function isPossible({ length }: string, code: string): boolean {
	const isIn = (range: string) => {
		const [least = 0, most = least] = range.split('-').map(Number);
		return least <= length && length <= most;
	};
	return code.length + length <= MOST_DIGITS && (LENGTHS.get(code) ?? []).some(isIn);
}
