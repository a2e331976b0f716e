/** Compares phone numbers of records and calls, of which each may lack its country code. */
import { completeNumber, countryCodeOf, withoutTrunkPrefix } from '../callDetails/countryCode';
import { DETAILS } from '../callDetails/details';

/** A phone number, prepared for comparisons. */
export interface ReadNumber {
	/** E.164 without a trunk prefix if the text states its country; else the digits as written. */
	text: string;
	/** The country code with its `+`; undefined if the text does not state its country. */
	code?: string;
	/** Equal for equal numbers. */
	end: string;
}

/** The digits at the end of a number that are compared first. Every number has as many. */
const END_DIGITS = 7;
/** The fewest digits that surely begin with a country code, if there is no `+`. */
const FEWEST_WITHOUT_PLUS = 11;
/** The trunk prefix of an unknown country: 0, or Russia's 8 before ten digits. */
const TRUNK_PREFIX = /^(?:0|8(?=\d{10}$))/;
/** Marks between several numbers in one text. A slash may also stand inside of a number. */
const BETWEEN_NUMBERS = [/[;,|\n]|\s(?:or|and|oder|und)\s/i, /[/;,|\n]|\s(?:or|and|oder|und)\s/i];

/** Reads the phone numbers in a value. `+44 20 7946 0321; 07700 900123` → two numbers */
export function readNumbers(value: unknown): ReadNumber[] {
	const whole = readOneNumber(value);
	if (whole || typeof value !== 'string') return whole ? [whole] : [];
	const parts = BETWEEN_NUMBERS.map((mark) =>
		value.split(mark).flatMap((part) => readOneNumber(part) ?? []),
	);
	return parts.find(({ length }) => length > 0) ?? [];
}

function readOneNumber(value: unknown): ReadNumber | undefined {
	const phone = DETAILS['customer.phone'].read(value);
	return phone === null ? undefined : prepare(withoutTrunkPrefix(phone));
}

function prepare(text: string): ReadNumber {
	const code = text.startsWith('+') ? (countryCodeOf(text) ?? text) : undefined;
	return { text, code, end: text.slice(-END_DIGITS) };
}

/**
 * Whether two numbers are one. A number without its country is national in the country of the other one.
 * `+442079460321`, `020 7946 0321` → true; `+442079460321`, `+12079460321` → false
 */
export function areEqual(a: ReadNumber, b: ReadNumber): boolean {
	if (a.end !== b.end) return false;
	if (a.code !== undefined || b.code !== undefined) return completes(a, b) || completes(b, a);
	const [x, y] = [a, b].map(({ text }) => text.replace(TRUNK_PREFIX, ''));
	return x === y || completes(a, withPlus(b)) || completes(b, withPlus(a));
}

/** Whether a number is the other one, with the country code of that one if it has none itself. */
export function completes(number: ReadNumber, { text, code }: ReadNumber): boolean {
	if (code === undefined || (number.code !== undefined && number.code !== code)) return false;
	return (number.code === undefined ? completeNumber(number.text, code) : number.text) === text;
}

/** Long digits without a trunk prefix begin with their country code. `442079460321` → `+442079460321` */
function withPlus(number: ReadNumber): ReadNumber {
	const isLong = number.text.length >= FEWEST_WITHOUT_PLUS && !number.text.startsWith('0');
	return isLong ? prepare(`+${number.text}`) : number;
}
