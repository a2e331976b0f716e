/** The option Country Code, which completes national phone numbers. */
import {
	FEWEST_WITH_CODE,
	LONG_MOBILES,
	NUMBER_LENGTHS,
	PREFIXES_BEHIND_CODE,
	TRUNK_PREFIXES,
} from './vocabulary/numberLengths';

/** The lengths of national numbers by code. `44` → `7`, `9-10` */
const LENGTHS: ReadonlyMap<string, readonly string[]> = new Map(
	NUMBER_LENGTHS.map((entry) => {
		const [code = '', ...ranges] = entry.split(' ');
		return [code, ranges];
	}),
);
/** What is dialled before foreign numbers, where it is not 00. */
const DIALLED_ABROAD: ReadonlyMap<string, string> = new Map([
	['+1', '011'],
	['+81', '010'],
]);
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
	const [code = ''] = [countryCodeOf(`+${rest}`)?.slice(1)];
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
	const prefix = PREFIXES_BEHIND_CODE.get(code) ?? TRUNK_PREFIXES.get(code) ?? /^0/;
	const dialled = national.replace(prefix, '');
	const hasPrefix = national.startsWith('0') || !isPossible(national, code);
	return hasPrefix && isPossible(dialled, code) ? `+${code}${dialled}` : phone;
}

/** Returns the national number in digits: behind the code, behind the trunk prefix, or the digits themselves. */
function nationalNumberIn(phone: string, code: string): string | undefined {
	const isNational = isPossible(phone, code);
	const isLong = phone.length >= (FEWEST_WITH_CODE.get(code) ?? FEWEST_CODED);
	if ((isLong || !isNational) && beginsWithCode(phone, code)) return phone.slice(code.length);
	const dialled = phone.replace(TRUNK_PREFIXES.get(code) ?? /^0/, '');
	if (dialled !== phone && isPossible(dialled, code)) return dialled;
	return isNational && !mayBeForeign(phone, code) ? phone : undefined;
}

/** Whether digits may be a number behind its country code. `34612345678`, `34` → true */
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
