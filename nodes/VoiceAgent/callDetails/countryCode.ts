/**
 * The option Country Code, which completes national phone numbers. A number whose completion would be a guess stays
 * as it is written.
 */

/** The codes of one and two digits; all others have three. No code begins with another one. */
const CODES = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[1-9]\d\d)/;
/** What is dialled before national numbers, where it is not 0. */
const TRUNK_PREFIXES: ReadonlyMap<string, RegExp> = new Map([
	['+1', /^[01](?=\d{10}$)/],
	['+7', /^[08](?=\d{10}$)/],
	['+36', /^06/],
	['+370', /^[08](?=\d{8}$)/],
	['+993', /^[08](?=\d{8}$)/],
	// The 0 is part of the number.
	...['+39', '+225', '+229', '+241', '+242'].map((code): [string, RegExp] => [code, /^(?!)/]),
]);
/** What is dialled before foreign numbers, where it is not 00. */
const DIALLED_ABROAD: ReadonlyMap<string, string> = new Map([
	['+1', '011'],
	['+81', '010'],
]);
/** The countries whose national numbers have ten digits. */
const TEN_DIGITS = ['+1', '+7'];
/** The most digits of other national numbers, but for mobile ones of Brazil, China and Germany. */
const MOST_NATIONAL = 10;
const LONG_MOBILES = /^\+(55[1-9]{2}9\d{8}|861[3-9]\d{9}|491[5-7]\d{9})$/;
/** The fewest digits without a trunk prefix. */
const FEWEST_NATIONAL = 8;
/** The most digits of a number, by E.164. */
export const MOST_DIGITS = 15;

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
	const [, prefix, rest] = /^(01[01])([1-9]\d{9,14})$/.exec(digits) ?? [];
	if (countryCode && DIALLED_ABROAD.get(countryCode) !== prefix) return undefined;
	return rest && `+${rest}`;
}

/**
 * Completes a national number to E.164: `0301234567` with `+49` → `+49301234567`.
 *
 * @param phone E.164, or digits
 * @returns the number unchanged without a country code to add, or if it may be no number of that country
 */
export function completeNumber(phone: string, countryCode?: string): string {
	// A number that begins with 00 is foreign.
	if (!countryCode || !/^(?!00)\d+$/.test(phone)) return phone;
	const full = countryCode + phone.replace(TRUNK_PREFIXES.get(countryCode) ?? /^0/, '');
	if (isNational(phone, full, countryCode)) return full;
	const hasCode = phone.startsWith(countryCode.slice(1)) && phone.length > MOST_NATIONAL;
	return dialledAbroad(phone, countryCode) ?? (hasCode ? `+${phone}` : phone);
}

/** The country code of a number with a `+`: `+442079460321` → `+44` */
export function countryCodeOf(phone: string): string | undefined {
	return CODES.exec(phone)?.[0];
}

/** Whether a number can only be national. Ten digits that begin with the code may be either: `4521234567`, `+45` */
function isNational(phone: string, full: string, countryCode: string): boolean {
	const digits = full.length - countryCode.length;
	if (TEN_DIGITS.includes(countryCode)) return digits === MOST_NATIONAL;
	if (LONG_MOBILES.test(full)) return true;
	const isLong = digits >= FEWEST_NATIONAL || phone.startsWith('0');
	return isLong && digits <= MOST_NATIONAL && !phone.startsWith(countryCode.slice(1));
}
