import { isWithheld } from './withheld';

/** Where a phone number is looked for, which decides what counts as one. */
export interface PhonePlace {
	/** Digits that a number without a plus needs; a number with a leading 0 needs seven. Without it, only `+` counts. */
	fewestDigits?: number;
	/** The field says phone, so a JSON number counts. */
	takesNumbers?: boolean;
	/** The field says that the country code comes first: `msisdn`. */
	isInternational?: boolean;
}

/** Stands for a number that is hidden. */
export const WITHHELD = 'withheld';

const SHORTEST = 7;
/** Of E.164. */
const LONGEST = 15;
const LONGEST_TEXT = 200;
const SCHEME = /^(tel|sips?|callto|whatsapp|phone|pstn):/i;
const EXTENSION = /[ ,;]*(?:ext\.?|extension|x|#)[ .:=]*\d{1,6}$/i;
/** Dates, amounts and hosts have digits and punctuation, too. */
const NO_NUMBER = /^\d{4}-\d\d-\d\d(?!\d)|^\d{1,3}(\.\d{1,3}){3}$|^\d+[.,]\d{1,2}$/;

/**
 * Reads a phone number: E.164 where the text says so, else its digits as written.
 * `tel:+44 (0)20 7946-0321` → `+442079460321`, `sip:100@pbx.example` → null
 *
 * @returns the number, WITHHELD for words and numbers of hidden callers, null for anything else
 */
export function readPhone(value: unknown, place: PhonePlace): string | null {
	if (typeof value === 'number') {
		return place.takesNumbers && Number.isSafeInteger(value) ? readPhone(`${value}`, place) : null;
	}
	if (typeof value !== 'string' || value.length > LONGEST_TEXT) return null;
	const text = addressIn(value.trim());
	const scheme = SCHEME.exec(text)?.[0] ?? '';
	const [user = '', host] = text.slice(scheme.length).replace('%2B', '+').split('@');
	if (isWithheld(user) || host?.startsWith('anonymous.') === true) return WITHHELD;
	// A user of a SIP host is a number only if it says so.
	const isSip = host !== undefined || /^sip/i.test(scheme);
	const number = numberOf(user.split(';')[0] ?? '', isSip ? {} : place);
	return number !== null && isWithheld(number) ? WITHHELD : number;
}

/** Takes the display name away: `"Nora" <sip:…>` → `sip:…`. */
function addressIn(text: string): string {
	const open = text.lastIndexOf('<');
	return open >= 0 && text.endsWith('>') ? text.slice(open + 1, -1) : text;
}

function numberOf(text: string, { fewestDigits, isInternational }: PhonePlace): string | null {
	const main = text.replace(EXTENSION, '').trim();
	if (!/^\+?[\d\s().\-/\u2010-\u2015]+$/.test(main) || NO_NUMBER.test(main)) return null;
	const isMarked = main.startsWith('+') || (isInternational === true && /^[1-9]/.test(main));
	const digits = (isMarked ? main.replace('(0)', '') : main).replace(/\D/g, '');
	if (digits.length < SHORTEST || digits.length > LONGEST + 2) return null;
	if (isMarked) return digits.length > LONGEST || digits.startsWith('0') ? null : `+${digits}`;
	if (fewestDigits === undefined) return null;
	if (digits.startsWith('00')) return digits.length > 9 ? `+${digits.slice(2)}` : null;
	const isLong = digits.startsWith('0') || digits.length >= fewestDigits;
	return isLong && digits.length <= LONGEST ? digits : null;
}

/** Tells whether two numbers are writings of one: the same, or one ends with the other. */
export function isSameNumber(a: string, b: string): boolean {
	const [x, y] = [a.replace(/^[+0]+/, ''), b.replace(/^[+0]+/, '')];
	const [short, long] = x.length < y.length ? [x, y] : [y, x];
	return short === long || (short.length >= SHORTEST && long.endsWith(short));
}
