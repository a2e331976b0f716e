/**
 * Recognises phone numbers: change here which texts count as a number or as a hidden caller. The names
 * of the fields that hold numbers are in vocabulary/fieldWords.ts.
 */
import { completeNumber, dialledAbroad, MOST_DIGITS } from './countryCode';
import { hasAny, phraseMatcher, wordsOf } from '../text/words';
import {
	BESIDE_WITHHELD,
	OF_OTHERS,
	WITHHELD_NUMBERS,
	WITHHELD_WORDS,
} from './vocabulary/valueWords';

/**
 * The field of a number: `end`, an end of the call (`from`); `phone`, a field named phone, mobile or cell;
 * `mapped`, a field that the user chose; `bare`, any other field, where a number needs a `+`.
 */
export type PhonePlace = 'end' | 'phone' | 'mapped' | 'bare';

/** The result for the number of a hidden caller. */
export const WITHHELD = 'withheld';

/** The fewest digits of a number without `+` and without a leading 0. */
const FEWEST_PLAIN_DIGITS = 10;
const FEWEST_DIGITS = 7;
/** Longer texts are notes. */
export const LONGEST_PHONE_TEXT = 200;
const SCHEME = /^(tel|sips?|callto|whatsapp|phone|pstn):/i;
/** Dates, IP addresses and amounts, which consist of digits and punctuation, too. */
const NO_NUMBER = /^\d{4}-\d\d-\d\d(?!\d)|^(?!0)\d{1,3}(\.\d{1,3}){3}$|^\d+[.,]\d{1,2}$/;
/** An extension behind a number: `x45`, `ext. 45`, `доб. 45`. More than six digits may be another number. */
const EXTENSION = /(?:ext?|x|#|\s\p{L}+)[.:]?\s*\d{1,6}$/iu;
/** What follows a number, such as the parameters of an address: `;ext=45`, `;45`; but not another number. */
const PARAMETERS = /;(?!\s*[+(]?\d[\d\s().-]{6,}).*$/s;
/** The address behind a displayed name: `"Ada" <sip:+1415…@…>` */
const NAMED_ADDRESS = /<([^<>]*)>[^<>]*$/;
/** Characters without a shape, such as the direction marks around numbers that were copied from a page. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A word before a number, and in brackets after it: `Mobile: 07700 900123`, `07700 900123 (mobile)` */
const LABEL = /^\p{L}[\p{L} ]{0,20}:\s+|\s\(\p{L}[\p{L} ]{0,20}\)$/gu;
/** What stands in place of a number. */
const PLACEHOLDER = /(\d)\1{9}$/;

/** Removes a label from a text, unless it says that the text is somebody else's. */
export function withoutLabel(text: string, label: RegExp): string {
	return text.replace(label, (found) => (hasAny(wordsOf(found), OF_OTHERS) ? found : ''));
}

/** Writes the digits of all scripts as ASCII digits: `٣` → `3`. Unicode has the digits of a script in a row. */
export function plainDigits(text: string): string {
	return text.normalize('NFKC').replace(/(?!\d)\p{Nd}/gu, (digit) => {
		const point = digit.codePointAt(0)!;
		let value = 0;
		while (/\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
		return String(value % 10);
	});
}

/** Whether a value is an address of WhatsApp, whose numbers have no `+`: `14155550123@c.us` → true */
export function isOfWhatsApp(value: unknown): boolean {
	return typeof value === 'string' && /@(c\.us|s\.whatsapp\.net)$/.test(value);
}

/**
 * Removes invisible characters, blanks around the text, and a spreadsheet's apostrophe. `\u202a'+1415…\u202c` →
 * `+1415…`
 */
export function withoutInvisible(text: string): string {
	return text.replace(INVISIBLE, '').trim().replace(/^['’]/, '');
}

/**
 * Reads a phone number: E.164 if the text has a `+` or 00, else its digits as written.
 * `tel:+44 (0)20 7946-0321 x45` → `+442079460321`, `14155550123@c.us` → `14155550123`, `sip:100@pbx.example` → null
 *
 * @param countryCode completes fewer digits to a number: `612345678` with `+34`
 * @returns the number; WITHHELD for words and numbers of hidden callers, but null where a field was mapped; else null
 */
export function readPhone(value: unknown, place: PhonePlace, countryCode?: string): string | null {
	const isNumeric = Number.isSafeInteger(value) && (place === 'phone' || place === 'mapped');
	if (isNumeric) return readPhone(String(value), place, countryCode);
	if (typeof value !== 'string' || value.length > LONGEST_PHONE_TEXT) return null;
	const { user, isSip } = readAddress(withoutInvisible(plainDigits(value)));
	// The user of a SIP address may be an extension: it needs a `+`.
	const number = readDigits(user.replace(PARAMETERS, ''), isSip ? 'bare' : place, countryCode);
	const isHidden = isWithheld(user) || WITHHELD_NUMBERS.has(number?.replace('+', '') ?? '');
	if (!isHidden) return number;
	return place === 'mapped' ? null : WITHHELD;
}

/** `"Ada" <sip:+14155550123@pbx.example>` → `+14155550123` of SIP */
function readAddress(text: string): { user: string; isSip: boolean } {
	const [, address = text] = NAMED_ADDRESS.exec(text) ?? [];
	const [user = ''] = address.replace(SCHEME, '').split('@');
	const isSip = (address.includes('@') && !isOfWhatsApp(address)) || /^sips?:/i.test(address);
	return { user, isSip };
}

function mayBeNumber(text: string, place: PhonePlace): boolean {
	if (place === 'bare' && !text.startsWith('+')) return false;
	return /^\+?[\d\s().\-/\u2010-\u2015\u2212]+$/.test(text) && !NO_NUMBER.test(text);
}

/** Reads a number of digits and punctuation. `(020) 7946-0321` → `02079460321` */
function readDigits(text: string, place: PhonePlace, countryCode?: string): string | null {
	// `(+44) 20…`: the second bracket goes with all other signs.
	const unlabelled = withoutLabel(text.trim(), LABEL);
	const main = unlabelled.replace(EXTENSION, '').replace(/^\(\+/, '+');
	if (!mayBeNumber(main, place)) return null;
	// 0011 is how Australia dials abroad.
	const full = main.replace(/^\(?00(11)?/, '+');
	const plus = full.startsWith('+') ? '+' : '';
	const digits = full.replace(/^(\+.*)\(0\)/, '$1').replace(/\D/g, '');
	const isNational = digits.startsWith('0');
	const isLong = digits.length > MOST_DIGITS && !dialledAbroad(plus + digits);
	if (isLong || (plus && isNational) || PLACEHOLDER.test(digits)) return null;
	const number = plus + digits;
	const mayBeShort =
		isNational || place === 'mapped' || /^\+/.test(completeNumber(number, countryCode));
	const fewest = mayBeShort ? FEWEST_DIGITS : FEWEST_PLAIN_DIGITS;
	return digits.length >= fewest ? number : null;
}

const isHiddenCaller = phraseMatcher(WITHHELD_WORDS, BESIDE_WITHHELD);

/** Whether a text stands for a hidden caller: `Anonymous`, `Unknown Caller`, `알 수 없음` → true */
export function isWithheld(text: string): boolean {
	return text.length <= 40 && !/\d/.test(text) && isHiddenCaller(text);
}
