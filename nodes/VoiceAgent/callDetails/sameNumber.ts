/** Decides which texts are the same phone number. Either may lack its country. */
import { completeNumber, countryCodeOf, dialledAbroad, withoutTrunkPrefix } from './countryCode';
import { LONGEST_PHONE_TEXT, plainDigits, readPhone } from './phoneNumbers';

/** A phone number, prepared for comparisons. */
export interface ReadNumber {
	/** E.164 without prefixes and marks if the text states its country; else the digits as written. */
	text: string;
	/** The country code with its `+`; undefined if the text does not state its country. */
	code?: string;
	/** Equal for equal numbers. */
	end: string;
}

/** The fewest digits of a number without its area code that are looked for. */
export const FEWEST_LOCAL_DIGITS = 7;
/** The digits at the end that all writings of a number share: `15` may stand before them. */
const SAME_DIGITS = 6;
/** The fewest digits that surely begin with a country code, if there is no `+`. */
const FEWEST_WITHOUT_PLUS = 11;
/** The trunk prefix of an unknown country: 0, or Russia's 8 before ten digits. */
const TRUNK_PREFIX = /^(?:0|8(?=\d{10}$))/;
/** Digits and what stands between them. Words, commas, a `+` and an extension end a number. */
const NUMBERS = /(?<![\p{L}\p{N}@_])\(?\+?\(?\p{Nd}[\p{Nd}().\-/\u2010-\u2015\u2212 \t]{5,}/gu;
/** Marks between two numbers, each of which may also stand inside of a number. */
const BETWEEN_NUMBERS = /\/|\s[-\u2010-\u2015]\s|\s{2,}|\s(?=\()/;
/** Digits of mobile numbers that not all writings have: Brazil's 9, Argentina's 9 and 15. */
const MOBILE_MARKS: ReadonlyMap<string, RegExp> = new Map([
	['+55', /^([1-9]{2})9(?=[6-9]\d{7}$)/],
	['+54', /^9(?=\d{10}$)|^(?=0?\d{12}$)0?(11|\d{3,4}?)15/],
]);

/**
 * Reads the phone numbers in a value. `Mobile: 07700 900123 / '+44 20 7946 0321` → two numbers
 *
 * @param code the country code that a field beside it states
 */
export function readNumbers(value: unknown, code?: string): ReadNumber[] {
	if (typeof value === 'number') return readOneNumber(String(value), code);
	if (typeof value !== 'string' || value.length > LONGEST_PHONE_TEXT) return [];
	const runs = plainDigits(value).match(NUMBERS) ?? [];
	return runs.flatMap((run) => {
		const whole = readOneNumber(run, code);
		const parts = run.split(BETWEEN_NUMBERS).flatMap((part) => readOneNumber(part, code));
		return whole.length === 0 || (parts.length > 1 && !/^\(?(\+|00)/.test(run)) ? parts : whole;
	});
}

function readOneNumber(text: string, code?: string): ReadNumber[] {
	const phone = readPhone(text, 'mapped', code);
	const abroad = dialledAbroad(text.replace(/\D/g, ''));
	const dialled = abroad === undefined ? [] : [prepare(abroad)];
	if (phone === null) return dialled;
	const full = completeNumber(phone, code);
	return [prepare(code && /^\d/.test(full) ? code + full : full), ...dialled];
}

function prepare(phone: string): ReadNumber {
	const code = phone.startsWith('+') ? (countryCodeOf(phone) ?? phone) : undefined;
	const full = withoutTrunkPrefix(phone);
	const text = code === undefined ? full : code + withoutMark(full.slice(code.length), code);
	return { text, code, end: text.slice(-SAME_DIGITS) };
}

/** `91123456789`, `+54` → `1123456789` */
function withoutMark(national: string, code: string): string {
	const mark = MOBILE_MARKS.get(code);
	return mark ? national.replace(mark, '$1') : national;
}

/**
 * Whether two numbers are one. A number without its country is national in the country of the other one.
 * `+442079460321`, `020 7946 0321` → true; `+442079460321`, `+12079460321` → false
 */
export function areEqual(a: ReadNumber, b: ReadNumber): boolean {
	if (a.end !== b.end) return false;
	const [x, y] = [a, b].map(({ text }) => text.replace(TRUNK_PREFIX, ''));
	return x === y || completes(a, withPlus(b)) || completes(b, withPlus(a));
}

/**
 * Whether two texts hold the same number. `+442079460321`, `020 7946 0321` → true; `+442082555019`, `2555019` → false
 */
export function isSameNumber(a: string, b: string): boolean {
	const others = readNumbers(b);
	return a === b || readNumbers(a).some((one) => others.some((other) => areEqual(one, other)));
}

/** Whether a number is the other one, with the country code of that one if it has none itself. */
export function completes(number: ReadNumber, { text, code }: ReadNumber): boolean {
	if (code === undefined || (number.code !== undefined && number.code !== code)) return false;
	if (number.code !== undefined) return number.text === text;
	return prepare(completeNumber(withoutMark(number.text, code), code)).text === text;
}

/** Long digits without a trunk prefix begin with their country code. `442079460321` → `+442079460321` */
export function withPlus(number: ReadNumber): ReadNumber {
	const isLong = number.text.length >= FEWEST_WITHOUT_PLUS && /^[1-9]/.test(number.text);
	return isLong ? prepare(`+${number.text}`) : number;
}
