import { wordsOf } from '../matcher/words';
import type { Direction } from './details';
import { isWithheld } from './phones';
import { isRecord } from './records';
import { INBOUND, NO_VALUES, OUTBOUND, OURS, THEIRS } from './vocabulary/values';

/** The longest id, name, e-mail address or outcome, and the longest URL. */
const LONGEST = 250;
const LONGEST_URL = 4000;

/** The text of a value; null for one that stands for none, such as `N/A`. */
export function readText(value: unknown, longest = Infinity): string | null {
	if (typeof value !== 'string' || value.length > longest) return null;
	const text = value.trim();
	return text === '' || (text.length < 30 && NO_VALUES.has(text.toLowerCase())) ? null : text;
}

/** Tells whether two texts are the same but for their case. */
export function isSameText(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

/** An id is a short text without blanks, or a whole number. */
export function readId(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	const text = readText(value, LONGEST);
	return text !== null && !/\s/.test(text) ? text : null;
}

/** The direction that words say: `outbound-api` → outbound, `USER_INITIATED` → inbound. */
export function readDirection(value: unknown): Direction | null {
	const words = wordsOf(readText(value, LONGEST) ?? '');
	const says = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
	const isBegun = words.includes('initiated');
	const isIn = says(INBOUND) || (isBegun && says(THEIRS));
	const isOut = says(OUTBOUND) || (isBegun && says(OURS));
	return isIn === isOut ? null : isIn ? 'inbound' : 'outbound';
}

/** A name has letters, and is no address and no word for a hidden caller. */
export function readName(value: unknown): string | null {
	const text = readText(value, LONGEST);
	if (text === null || !/\p{L}/u.test(text)) return null;
	const isOther = /[@<>{}]|:\/\/|\d[\d\s().-]{5,}\d/.test(text) || isWithheld(text);
	return isOther ? null : text.replace(/\s+/g, ' ');
}

/** An e-mail address, never a SIP address. */
export function readEmail(value: unknown): string | null {
	const text = readText(value, LONGEST) ?? '';
	return /^[^\s@:<>,;"]+@[^\s@.:]+(\.[^\s@.:]+)*\.\p{L}{2,}$/u.test(text) ? text : null;
}

/** An address of the web. */
export function readUrl(value: unknown): string | null {
	const text = readText(value, LONGEST_URL) ?? '';
	return /^https?:\/\/[^\s/]+\/?\S*$/i.test(text) ? text : null;
}

/** The fields of an outcome or a summary that is an object. */
const TEXTS = ['name', 'label', 'value', 'text', 'content', 'summary', 'code'];

/** A value, or the first text of the object that it is. */
function textIn(value: unknown): unknown {
	if (!isRecord(value)) return value;
	return TEXTS.map((name) => value[name]).find((one) => typeof one === 'string');
}

/** How a call went is a short text, no number and no address. */
export function readOutcome(value: unknown): string | null {
	const text = readText(textIn(value), LONGEST) ?? '';
	return /\p{L}/u.test(text) && !/^https?:/i.test(text) ? text : null;
}

/** A summary is a text, or a list of texts. */
export function readSummary(value: unknown): string | null {
	if (!Array.isArray(value)) return readText(textIn(value));
	const texts = value.map((one) => readText(one));
	return texts.includes(null) ? null : readText(texts.join('\n'));
}
