/** The longest word that is split. */
const LONGEST_COMPOUND = 24;
/** The short words that a word is split into; other short words stand in longer ones by chance. */
const SHORT = new Set(['id', 'at', 'to']);

/** The most results that a function remembers, and the length of the longest text, unless stated. */
const MOST_RESULTS = 5_000;
const LONGEST_REMEMBERED = 200;

/** Makes a function remember its results, because names repeat in every event. */
export function memoize<T>(
	read: (name: string) => T,
	{ most = MOST_RESULTS, longest = LONGEST_REMEMBERED } = {},
): (name: string) => T {
	const results = new Map<string, T>();
	return (name) => {
		if (results.has(name)) return results.get(name) as T;
		const result = read(name);
		if (name.length > longest) return result;
		if (results.size >= most) results.clear();
		results.set(name, result);
		return result;
	};
}

/** Scripts without blanks between words: of China, Japan and Thailand. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Where a capital begins a word: in `callId`, `HTTPStatus`; but not in the plural `callIDs` */
const WORD_BEGINS =
	/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/gu;

/** Puts a blank before each word that begins with a capital. `newSlot`, `HTTPStatus` → `new Slot`, `HTTP Status` */
export function separated(text: string): string {
	return text.replace(WORD_BEGINS, ' ');
}

/** Accents, which many texts leave out, and characters that have no shape. The vowels of Hindi are marks, too. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655\u093c\p{Default_Ignorable_Code_Point}]/gu;

/** A text in lower case and without accents. `Número` → `numero` */
export function normalized(text: string): string {
	return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
}

/** What is a word: letters with digits, letters alone, or a run of either. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
export const LETTERS = /[\p{L}\p{M}]+/gu;
const LETTERS_OR_DIGITS = /[\p{L}\p{M}]+|\p{N}+/gu;

/**
 * The words of a text in any spelling and language. `call_IDs`, `HTTPStatus.v2`, `BİLİNMEYEN` → `call`, `ids`;
 * `http`, `status`, `v2`; `bilinmeyen`
 *
 * @param words which characters are words. With the letters alone: `UnknownCaller 2` → `unknown`, `caller`
 */
export function splitWords(text: string, words = WORDS): string[] {
	return normalized(separated(text)).match(words) ?? [];
}

/** Cuts a text to a length, but no character in two. */
export function truncate(text: string, longest: number): string {
	return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

/** The longest beginning of a text that is read, with its white space. */
const LONGEST_READ = 2_000;

/** @returns the first 200 characters of a text, on one line, without characters that reorder it */
export function excerptOf(text: string): string {
	const line = text
		.slice(0, LONGEST_READ)
		.replace(/[\s\p{Cc}\p{Bidi_C}]+/gu, ' ')
		.trim();
	return line.length > 200 ? `${truncate(line, 200)}…` : line;
}

/** One spelling of all that differ in case, accents and separators. `next_page`, `Next Page` → `nextpage` */
export function plainOf(text: string): string {
	return splitWords(text).join('');
}

/** The longest part of a name that is read; longer ones are text, not names. */
const LONGEST = 80;

const readWords = memoize((name): readonly string[] =>
	splitWords(name.slice(0, LONGEST), LETTERS_OR_DIGITS).map(singular),
);

/**
 * The words of a field's name, or of a value, in the singular, with numbers as words of their own; none for a value
 * that is no text. `callURLs`, `call_url`, `Call-Url`; `phone2` → `call`, `url`; `phone`, `2`
 */
export function wordsOf(name: unknown): readonly string[] {
	return typeof name === 'string' ? readWords(name) : [];
}

/**
 * The entries of a text with commas, in any number of lines; none without a text. `'call id, uuid'` → `call id`, `uuid`
 */
export const splitList = (text?: string): string[] => text?.trim().split(/\s*,\s*/) ?? [];
export const setOf = (text?: string): ReadonlySet<string> => new Set(splitList(text));

/** Makes a table of the groups of words. `{ agent: 'bot, rep' }` → `bot` and `rep` are of the group `agent` */
export function groupsOf<G extends string>(texts: { [K in G]?: string }): ReadonlyMap<string, G> {
	const groups = Object.entries(texts) as Array<[G, string]>;
	return new Map(groups.flatMap(([group, text]) => splitList(text).map((word) => [word, group])));
}

/** @returns true if any of the words is in the set */
export function hasAny(words: readonly string[], set: ReadonlySet<string>): boolean {
	return words.some((word) => set.has(word));
}

/** Whether a name is of one of several things: `last_contact_name` is no last name. */
export function isOfSeveral(words: readonly string[], things: { has(word: string): boolean }) {
	const [word = '', next = ''] = words;
	return /^(first|last)$/.test(word) && things.has(next);
}

/** @returns true if all of the words are in the set */
export function hasOnly(words: readonly string[], set: ReadonlySet<string>): boolean {
	return words.every((word) => set.has(word));
}

function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
	return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

const longestFirst = (one: string, other: string) => other.length - one.length;

/**
 * Makes a function that splits a word that consists of two or three words of the vocabulary.
 * `callid` → `call`, `id`
 */
export function splitCompounds(words: Iterable<string>): (word: string) => string[] {
	const vocabulary = new Set([...words].filter((word) => word.length > 2 || SHORT.has(word)));
	const one = `(${[...vocabulary].sort(longestFirst).join('|')})`;
	const glued = new RegExp(`^${one}${one}${one}?$`);
	return (word) => {
		const parts = vocabulary.has(word) || word.length > LONGEST_COMPOUND ? null : glued.exec(word);
		return parts?.slice(1).filter(Boolean) ?? [word];
	};
}

/**
 * Makes a function that detects a text of these words, or a phrase of these, in any spelling.
 * `['unknown', 'no name']` beside `['caller']`: `UNKNOWN CALLER`, `NoName` → true
 */
export function phraseMatcher(phrases: string[], beside: string[] = []): (text: string) => boolean {
	const glued = (text: string) => splitWords(text, LETTERS).join('');
	const [sure, all] = [new Set(phrases.map(glued)), new Set([...phrases, ...beside].map(glued))];
	// Words of languages that write none between them are split.
	const unspaced = [...all].filter((word) => UNSPACED.test(word)).sort(longestFirst);
	const splitter = new RegExp(`(${unspaced.join('|') || '$^'})`);
	return (text) => {
		const words = splitWords(text, LETTERS).flatMap((word) => word.split(splitter).filter(Boolean));
		const isSure = [...words, words.join('')].some((word) => sure.has(word));
		return isSure && (sure.has(words.join('')) || words.every((word) => all.has(word)));
	};
}

/* Names that several readers know, in lower-case words of the singular. Each reader has more of its own. */

/** Objects and lists that only wrap what they hold. */
export const ENVELOPES = {
	/** Of an event or its call. */
	message: 'data, event, payload, body, message, notification, content, detail, param',
	/** Of records, one or many. */
	record: 'item, result, record, entry',
	/** Of the fields of a record. */
	fields: 'property, field, attribute',
	/** Of what is said about the rest. */
	about: 'meta, info',
};

/** Fields with the type of an event, whatever holds them. */
export const TYPE_NAMES = 'event type, event name, event topic, event kind, webhook topic';
/** Fields with the type of the event that holds them. */
export const PLAIN_TYPE_NAMES = 'type, event, topic, kind, action';

/** Words of units of time, with their length in seconds. */
export const UNITS: ReadonlyMap<string, number> = new Map([
	...splitList('s, sec, second').map((word) => [word, 1] as const),
	...splitList('ms, msec, milli, millisecond').map((word) => [word, 1e-3] as const),
	...splitList('us, usec, micro, microsecond').map((word) => [word, 1e-6] as const),
	...splitList('ns, nsec, nano, nanosecond').map((word) => [word, 1e-9] as const),
]);
/** Words beside the names of instants. */
export const CLOCK_WORDS = `
	at, time, timestamp, ts, datetime, utc, gmt, unix, epoch, iso, stamp,
	${[...UNITS.keys()].join()}
`;
/** {@link CLOCK_WORDS}, and words for dates. The `start_date` of a call may be that of an employment. */
export const DATE_WORDS = `${CLOCK_WORDS}, on, date`;
