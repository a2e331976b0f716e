import { wordsOf } from '../matcher/words';
import { BESIDE_WITHHELD, WITHHELD_NUMBERS, WITHHELD_WORDS } from './vocabulary/values';

/** Where a number stands: at an end of the call, in a field that says phone, in one that a user named, elsewhere. */
export type PhonePlace = 'end' | 'phone' | 'mapped' | 'bare';

/** Stands for a number that is hidden. */
export const WITHHELD = 'withheld';

/** Digits that a number without a plus and without a leading 0 needs. */
const FEWEST_DIGITS = 10;
const SHORTEST = 7;
/** Of E.164. */
const LONGEST = 15;
const LONGEST_TEXT = 200;
const SCHEME = /^(tel|sips?|callto|whatsapp|phone|pstn):/i;
/** Dates, amounts and hosts have digits and punctuation, too. */
const NO_NUMBER = /^\d{4}-\d\d-\d\d(?!\d)|^\d{1,3}(\.\d{1,3}){3}$|^\d+[.,]\d{1,2}$/;

/**
 * Reads a phone number: E.164 where the text says so, else its digits as written.
 * `tel:+44 (0)20 7946-0321` → `+442079460321`, `sip:100@pbx.example` → null
 *
 * @returns the number, WITHHELD for words and numbers of hidden callers, null for anything else
 */
export function readPhone(value: unknown, place: PhonePlace): string | null {
	if (typeof value === 'number' && (place === 'phone' || place === 'mapped')) {
		return Number.isSafeInteger(value) ? readPhone(`${value}`, place) : null;
	}
	if (typeof value !== 'string' || value.length > LONGEST_TEXT) return null;
	// A display name stands before the address: `"Nora" <sip:…>`.
	const open = value.lastIndexOf('<');
	const text = (open >= 0 ? value.slice(open + 1).replace(/>\s*$/, '') : value).trim();
	const scheme = SCHEME.exec(text)?.[0] ?? '';
	const [user = '', host] = text.slice(scheme.length).replace('%2B', '+').split('@');
	if (isWithheld(user) || host?.startsWith('anonymous.') === true) return WITHHELD;
	// A user of a SIP host is a number only if it begins with a plus.
	const isSip = host !== undefined || /^sip/i.test(scheme);
	const number = numberOf(user.split(';')[0] ?? '', isSip ? 'bare' : place);
	return number !== null && WITHHELD_NUMBERS.has(number.replace('+', '')) ? WITHHELD : number;
}

function numberOf(text: string, place: PhonePlace): string | null {
	const main = text.trim();
	if (!/^\+?[\d\s().\-/\u2010-\u2015]+$/.test(main) || NO_NUMBER.test(main)) return null;
	const isMarked = main.startsWith('+');
	const digits = (isMarked ? main.replace('(0)', '') : main).replace(/\D/g, '');
	if (!isMarked && (place === 'bare' || digits.length < SHORTEST)) return null;
	if (isMarked || digits.startsWith('00')) {
		const number = digits.replace(/^00/, '');
		const isNumber = number.length >= SHORTEST && number.length <= LONGEST;
		return isNumber && !number.startsWith('0') ? `+${number}` : null;
	}
	const isLong = digits.startsWith('0') || place === 'mapped' || digits.length >= FEWEST_DIGITS;
	return isLong && digits.length <= LONGEST ? digits : null;
}

/** Tells whether a text stands for a hidden caller: `Anonymous`, `Unknown Caller`. */
export function isWithheld(text: string): boolean {
	const words = text.length > 40 || /\d/.test(text) ? [] : wordsOf(text);
	const isOne = words.some((word) => WITHHELD_WORDS.has(word));
	return isOne && words.every((word) => WITHHELD_WORDS.has(word) || BESIDE_WITHHELD.has(word));
}

/** Tells whether two numbers are writings of one: the same, or one ends with the other. */
export function isSameNumber(a: string, b: string): boolean {
	const [x, y] = [a.replace(/^[+0]+/, ''), b.replace(/^[+0]+/, '')];
	const [short, long] = x.length < y.length ? [x, y] : [y, x];
	return short === long || (short.length >= SHORTEST && long.endsWith(short));
}
