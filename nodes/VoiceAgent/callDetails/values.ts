/**
 * Recognises ids, directions, e-mail addresses, URLs, outcomes and collected data. Each gives null for
 * anything else.
 */
import type { IDataObject } from 'n8n-workflow';

import { isOfWhatsApp, isWithheld, withoutInvisible } from './phoneNumbers';
import { COLLECTED_FIELDS, type CollectedField } from './vocabulary/fieldWords';
import { DIRECTIONS, INITIATORS, NO_MAILBOXES, NO_VALUES } from './vocabulary/valueWords';
import { isDeep, isId, isObject, parseJson } from '../text/json';
import { phraseMatcher, wordsOf } from '../text/words';

/** The longest id, direction, name, e-mail address or outcome, and the longest URL. */
export const LONGEST_SHORT_TEXT = 250;
const LONGEST_URL = 4000;
const LONGEST_PLACEHOLDER = 40;

/** What a program writes in place of a value that it lacks: `{{call.summary}}`, `[object Object]` */
const TEMPLATE = /^\{\{[^{}]*\}\}$|^\[object \w+\]$/;

/** Reads a text, trimmed. `N/A` → null */
export function readStatedText(value: unknown, longest = Infinity): string | null {
	if (typeof value !== 'string' || value.length > longest) return null;
	const text = value.trim();
	const short = text.length <= LONGEST_PLACEHOLDER ? text.toLowerCase() : '';
	// Also words that stand twice, or end in a full stop: `N/A N/A`, `None.`
	const words = short.split(/\s+/).map((word) => word.replace(/\.$/, ''));
	const isWritten = NO_VALUES.has(words.join(' ')) || words.every((word) => NO_VALUES.has(word));
	const isNone = short !== '' && isWritten;
	return text === '' || TEMPLATE.test(text) || isNone ? null : text;
}

/** Reads an id: a short text without blanks, or a whole number. */
export function readPlainId(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	const text = readStatedText(value, LONGEST_SHORT_TEXT);
	return text !== null && !/\s/.test(text) ? text : null;
}

/** More words are a text, such as directions to a place. */
const MOST_WORDS_OF_DIRECTION = 3;

/** Reads a direction. `outbound-api` → outbound, `USER_INITIATED` → inbound */
export function readDirection(value: unknown) {
	const all = wordsOf(readStatedText(value, LONGEST_SHORT_TEXT));
	// In a text, `in` and `out` say nothing of the call.
	const words = all.length > MOST_WORDS_OF_DIRECTION ? all.filter((word) => word.length > 3) : all;
	const tables = words.includes('initiated') ? [DIRECTIONS, INITIATORS] : [DIRECTIONS];
	const stated = tables.flatMap((table) => words.flatMap((word) => table.get(word) ?? []));
	const [direction = null, ...others] = new Set(stated);
	return others.length === 0 ? direction : null;
}

const isNoMailbox = phraseMatcher(NO_MAILBOXES);
const EMAIL =
	/^((?![xX]{2,}@)[^+\s@:<>,;"*][^\s@:<>,;"*]*)@[^\s@.:*?]+(\.[^\s@.:*?]+)*\.(?!invalid$)\p{L}{2,}$/u;

/** What may surround an address: `mailto:ada@…`, `Ada <ada@…>`, `ada@….` */
const AROUND_EMAIL = /^mailto:|^[^<>@:]*<(?=[^<>]*>$)|[>.]$/gi;

/** Reads an e-mail address. `sip:nora@example.com`, `+14155550123@sms.example`, `14155550123@c.us` → null */
export function readEmail(value: unknown): string | null {
	const stated = withoutInvisible(readStatedText(value, LONGEST_SHORT_TEXT) ?? '');
	const text = stated.replace(AROUND_EMAIL, '');
	const [, user = ''] = EMAIL.exec(text) ?? [];
	const isNone = user === '' || isOfWhatsApp(text) || isWithheld(user) || isNoMailbox(user);
	return isNone ? null : text.toLowerCase();
}

/** Reads a URL of the web. */
export function readWebUrl(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_URL) ?? '';
	return /^https?:\/\/[^\s/]\S*$/i.test(text) ? text : null;
}

/** Reads an outcome: a short text with letters, and no URL. */
export function readOutcome(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_SHORT_TEXT) ?? '';
	return /\p{L}/u.test(text) && !/^https?:/i.test(text) ? text : null;
}

/** More names than a workspace gives. A limit for hostile events. */
const MOST_NAMES = 200;

/**
 * Reads the names and values of collected data from an object, a list of named entries, or their JSON text.
 * `{ email: { value: 'ada@…', rationale: '…' } }`, `[{ name: 'email', value: 'ada@…' }]` → `{ email: 'ada@…' }`
 *
 * @returns null if no name has a value
 */
export function readCollected(value: unknown): IDataObject | null {
	const isJson = typeof value === 'string' && /^\s*[[{]/.test(value);
	const holder = isJson ? parseJson(value) : value;
	if (typeof holder !== 'object' || holder === null) return null;
	const entries = Object.entries(holder as Record<string, unknown>)
		.slice(0, MOST_NAMES)
		.flatMap(([key, entry]) => {
			const { name = Array.isArray(holder) ? undefined : key, value: stated } = readEntry(entry);
			// n8n's expressions fail at an object whose `toString` is no function.
			if (name === undefined || name in {} || isDeep(stated)) return [];
			return [[name, stated === '' ? null : stated]];
		});
	const isAny = entries.some(([, stated]) => stated !== null && stated !== undefined);
	return isAny ? (Object.fromEntries(entries) as IDataObject) : null;
}

/** Reads an entry: an object with only a name, a value and words about it, else the value itself. */
function readEntry(entry: unknown): { name?: string; value: unknown } {
	if (!isObject(entry)) return { value: entry };
	const fields = new Map<CollectedField | undefined, unknown>();
	for (const [key, value] of Object.entries(entry)) {
		fields.set(COLLECTED_FIELDS.get(wordsOf(key).join(' ')), value);
	}
	if (!fields.has('value') || fields.has(undefined)) return { value: entry };
	const name = fields.get('name');
	return { name: isId(name) ? String(name) : undefined, value: fields.get('value') };
}
