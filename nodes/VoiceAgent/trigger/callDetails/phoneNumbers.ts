import { setOf, unglued, wordsOf } from '../../reading/words';

/** What stands where a phone number is expected. */
export type Address =
	/** A number: E.164 where it is told (`+`, `00`), else its digits as written. */
	| { kind: 'number'; number: string }
	/** Says that the number was held back. */
	| { kind: 'withheld' }
	/** Something else, such as the name of a user. */
	| { kind: 'other'; text: string };

/** What networks send in place of a number that is held back: such words, and some on a keypad. */
const WITHHELD_WORDS = setOf(
	'anonymous restricted private blocked withheld unavailable unknown hidden suppressed no',
);
const BESIDE_WITHHELD = setOf('caller call number id cid the is');
const WITHHELD_VOCABULARY = new Set([...WITHHELD_WORDS, ...BESIDE_WITHHELD]);
const WITHHELD_DIGITS = new Set(['266696687', '7378742833', '2562533', '8656696', '86282452253']);

/**
 * Reads what stands where a phone number is expected; undefined for nothing.
 *
 * @param isInternational tells that its digits begin with the country's, with or without a plus
 */
export function readAddress(value: unknown, isInternational = false): Address | undefined {
	if (typeof value === 'number') {
		return Number.isSafeInteger(value) && value > 1e6
			? readAddress(String(value), isInternational)
			: undefined;
	}
	if (typeof value !== 'string' || value.length > 200) return undefined;
	const text = addressIn(value.trim());
	if (text === '') return undefined;
	if (isWithheldText(text)) return { kind: 'withheld' };
	if (/^[a-z]+:/i.test(text)) return { kind: 'other', text };
	const number = numberOf(isInternational ? text.replace(/^(?=[1-9])/, '+') : text);
	if (number === undefined) return { kind: 'other', text };
	return WITHHELD_DIGITS.has(number.replace('+', ''))
		? { kind: 'withheld' }
		: { kind: 'number', number };
}

/** Tells whether a text says that a number, or who has it, is held back. */
export function isWithheldText(text: string): boolean {
	if (text.toLowerCase().startsWith('anonymous@')) return true;
	if (/\d/.test(text)) return false;
	const words = wordsOf(text).flatMap((word) => unglued(word, WITHHELD_VOCABULARY));
	return (
		words.some((word) => WITHHELD_WORDS.has(word)) &&
		words.every((word) => WITHHELD_VOCABULARY.has(word)) &&
		words.join() !== 'no'
	);
}

/** Takes away what stands around an address: a display name, the scheme, the host, parameters. */
function addressIn(text: string): string {
	const open = text.lastIndexOf('<');
	const close = text.indexOf('>', open);
	const inner = open >= 0 && close > open ? text.slice(open + 1, close) : text;
	const [, scheme = '', rest = ''] =
		/^(?:(tel|sips?|callto|whatsapp|phone|pstn):)?(.*)$/is.exec(inner) ?? [];
	const isSip = scheme.toLowerCase().startsWith('sip') || (scheme === '' && /^\+?\d+@/.test(rest));
	const user = isSip ? beforeFirst(rest, '@') : rest;
	const kept = scheme === '' && !isSip ? user : beforeFirst(user, ';');
	if (isSip && rest.toLowerCase().includes('@anonymous.invalid')) return 'anonymous';
	return decodeBlanks(kept).trim();
}

function beforeFirst(text: string, mark: string): string {
	const at = text.indexOf(mark);
	return at < 0 ? text : text.slice(0, at);
}

function decodeBlanks(text: string): string {
	return text.replace(/%2B/gi, '+').replace(/%20/g, ' ');
}

/** Digits of numbers; longer ones are not E.164, and shorter ones extensions or services. */
const SHORTEST = 7;
const LONGEST = 15;

function numberOf(text: string): string | undefined {
	const main = text.replace(/[ ,;]*(?:ext\.?|extension|x|#)[ .:=]*\d{1,6}$/i, '');
	if (!/^\+?[\d\s().\-/\u2010-\u2015]+$/.test(main)) return undefined;
	// Dates and addresses of hosts have digits and punctuation too.
	if (/^\d{4}-\d\d-\d\d(?!\d)/.test(main) || /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(main))
		return undefined;
	const international = main.startsWith('+') || /^\(?00/.test(main);
	const digits = (international ? main.replace('(0)', '') : main).replace(/\D/g, '');
	const isAbroad = !main.startsWith('+') && digits.startsWith('00') && digits.length > 9;
	const number = isAbroad ? digits.slice(2) : digits;
	if (number.length < SHORTEST || number.length > LONGEST) return undefined;
	return isAbroad || main.startsWith('+') ? `+${number}` : number;
}

/** Tells whether two numbers are writings of one: the same, or one the end of the other. */
export function isSameNumber(a: string, b: string): boolean {
	const [short = '', long = ''] = [significant(a), significant(b)].sort(
		(x, y) => x.length - y.length,
	);
	return short === long || (short.length >= 7 && long.endsWith(short));
}

function significant(number: string): string {
	return number.replace(/^[+0]+/, '');
}
