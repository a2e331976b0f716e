/** Recognises ids, directions, names, e-mail addresses, URLs, outcomes and summaries. Each gives null for anything else. */
import { isObject } from '../matcher/json';
import { wordsOf } from '../matcher/words';
import type { Direction } from './details';
import { isWithheld } from './phoneNumbers';
import { AGENT_SIDE, CUSTOMER_SIDE, INBOUND, NO_VALUES, OUTBOUND } from './vocabulary/values';

/** The longest id, direction, name, e-mail address or outcome, and the longest URL. */
const LONGEST_SHORT_TEXT = 250;
const LONGEST_URL = 4000;

/** Reads a text, trimmed. `N/A` → null */
function readStatedText(value: unknown, longest = Infinity): string | null {
	if (typeof value !== 'string' || value.length > longest) return null;
	const text = value.trim();
	return text === '' || NO_VALUES.has(text.toLowerCase()) ? null : text;
}

/** Whether two texts differ in their case only. */
export function isSameText(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

/** Reads an id: a short text without blanks, or a whole number. */
export function readPlainId(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	const text = readStatedText(value, LONGEST_SHORT_TEXT);
	return text !== null && !/\s/.test(text) ? text : null;
}

/** Reads a direction. `outbound-api` → outbound, `USER_INITIATED` → inbound */
export function readDirection(value: unknown): Direction | null {
	const words = wordsOf(readStatedText(value, LONGEST_SHORT_TEXT) ?? '');
	const hasOne = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
	const isInitiated = words.includes('initiated');
	const isIn = hasOne(INBOUND) || (isInitiated && hasOne(CUSTOMER_SIDE));
	const isOut = hasOne(OUTBOUND) || (isInitiated && hasOne(AGENT_SIDE));
	return isIn === isOut ? null : isIn ? 'inbound' : 'outbound';
}

/** Reads the name of a person: it has letters, and is no address, number or hidden caller. */
export function readName(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_SHORT_TEXT);
	if (text === null || !/\p{L}/u.test(text)) return null;
	const isOther = /[@<>{}]|:\/\/|\d[\d\s().-]{5,}\d/.test(text) || isWithheld(text);
	return isOther ? null : text.replace(/\s+/g, ' ');
}

/** Reads an e-mail address. `sip:nora@example.com`, `+14155550123@sms.example` → null */
export function readEmail(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_SHORT_TEXT) ?? '';
	return /^[^+\s@:<>,;"][^\s@:<>,;"]*@[^\s@.:]+(\.[^\s@.:]+)*\.(?!invalid$)\p{L}{2,}$/u.test(text)
		? text
		: null;
}

/** Reads a URL of the web. */
export function readWebUrl(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_URL) ?? '';
	return /^https?:\/\/[^\s/]+\/?\S*$/i.test(text) ? text : null;
}

/** The fields that hold the text of an outcome or a summary that is an object, the best first. */
const TEXTS = ['name', 'label', 'value', 'text', 'content', 'summary', 'code'];

/** Returns a value, or the first text of an object. `{ id: 4, name: 'Interested' }` → `Interested` */
function textIn(value: unknown): unknown {
	if (!isObject(value)) return value;
	return TEXTS.map((name) => value[name]).find((one) => typeof one === 'string');
}

/** Reads an outcome: a short text with letters, and no URL. */
export function readOutcome(value: unknown): string | null {
	const text = readStatedText(textIn(value), LONGEST_SHORT_TEXT) ?? '';
	return /\p{L}/u.test(text) && !/^https?:/i.test(text) ? text : null;
}

/** Reads a summary: a text, or a list of texts. */
export function readSummary(value: unknown): string | null {
	if (!Array.isArray(value)) return readStatedText(textIn(value));
	const texts = value.map((one) => readStatedText(one));
	return texts.includes(null) ? null : readStatedText(texts.join('\n'));
}
