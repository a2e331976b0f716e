/** The option Country Code, which completes national phone numbers. */
import { MOST_DIGITS } from './phoneNumbers';

/** Countries whose national numbers have exactly ten digits: North America, Russia. */
const TEN_DIGITS: ReadonlySet<string> = new Set(['+1', '+7']);

/** Countries that keep the leading 0: Italy, San Marino, Ivory Coast, Benin, Congo. */
const KEEPS_ZERO: ReadonlySet<string> = new Set(['+39', '+378', '+225', '+229', '+242']);

/** Digits before a national number where they are not a single 0: Hungary. */
const TRUNK_PREFIXES: ReadonlyMap<string, RegExp> = new Map([['+36', /^06/]]);

/** Countries whose national numbers may have eleven digits without a leading 0: Brazil, China. */
const ELEVEN_DIGITS: ReadonlySet<string> = new Set(['+55', '+86']);

/** The fewest digits of a number that can begin with its country code. */
const FEWEST_WITH_CODE = 11;

/**
 * Reads a country code: `+49`.
 *
 * @returns undefined for any other text
 */
export function parseCountryCode(code: string): string | undefined {
	return /^\+[1-9]\d{0,2}$/.test(code) ? code : undefined;
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
	const code = countryCode.slice(1);
	const hasCode = phone.length >= FEWEST_WITH_CODE && phone.startsWith(code);
	const prefix = TRUNK_PREFIXES.get(countryCode) ?? /^0/;
	const withoutZero = KEEPS_ZERO.has(countryCode) ? phone : phone.replace(prefix, '');
	const national = hasCode ? phone.slice(code.length) : withoutZero;
	// A longer number begins with the code of another country, or of a carrier.
	const most = hasCode || phone.startsWith('0') ? MOST_DIGITS - code.length : 10;
	return mayBeNational(national, countryCode, most) ? `+${code}${national}` : phone;
}

/** @param most the most digits of a national number in most countries */
function mayBeNational({ length }: string, countryCode: string, most: number): boolean {
	if (TEN_DIGITS.has(countryCode)) return length === 10;
	return length <= (ELEVEN_DIGITS.has(countryCode) ? 11 : most);
}
