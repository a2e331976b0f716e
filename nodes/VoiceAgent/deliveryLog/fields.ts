import type { IDataObject } from 'n8n-workflow';

import { readInstant } from '../callDetails/instants';
import { ungluer, wordsOf } from '../matcher/words';
import { isObject } from '../matcher/fields';

/*
 * The contract shows no fields of a delivery record (section 2), so a value is known by the words of
 * its name and by what it stands in: `response_status`, `responseStatus` and the `status` in a
 * `response` say the same.
 */

/** A value of a delivery record. */
export interface Field {
	words: string[];
	/** The words of all that it stands in. */
	within: string[];
	value: unknown;
	/** Whether its own fields are read as well. */
	isEntered: boolean;
}

/** What a delivery record tells: of the record itself, and of its latest attempt where it lists them. */
export interface DeliveryFields {
	/** Outer fields before inner ones. */
	own: Field[];
	latest: Field[];
	/** How many attempts it lists. */
	attempts?: number;
}

/** A set of words, written as one text. */
export function setOf(words: string): ReadonlySet<string> {
	return new Set(words.split(' '));
}

/** Words of the receiver's answer, of what was sent to it, of what that was about, and of other things. */
export const RESPONSE = setOf('response respond resp res reply answer receiver');
export const REQUEST = setOf('request requested req sent');
export const EVENT = setOf('event message msg notification payload');
export const BODY = setOf('payload body data content text json raw');
export const ENDPOINT = setOf(
	'endpoint destination target subscription subscriber config configuration setting account app application organization',
);
/** Words that say of anything in a delivery log that it is of a delivery. */
export const DELIVERY = setOf(
	'delivery deliver attempt webhook hook last latest final current invocation transmission dispatch',
);
export const ERROR = setOf('error exception failure fault');

/** Words of what is only around a record, or a part of it. */
const WRAPPER = setOf(
	'node attribute record item entry property field detail webhook http meta metadata info result outcome exchange server log',
);

const HISTORY = setOf('log history execution');
/** Words of single tries of a delivery, and of a list of them. */
export const ATTEMPTS = new Set([
	...setOf('attempt try trial transmission delivery invocation'),
	...HISTORY,
]);
/** Words that are in the names of what a record tells. */
const TELLING = new Set([
	...[RESPONSE, REQUEST, EVENT, DELIVERY, ERROR, ATTEMPTS].flatMap((words) => [...words]),
	...'id uuid status state code success succeeded type url time timestamp at date'.split(' '),
]);
const PART_OF_HTTP = setOf('header body payload content method');
const CLOCK = setOf(
	'at on time timestamp ts date datetime utc gmt unix epoch iso ms millisecond sec second last latest',
);
/** What happened at a time: the sooner it tells of the attempt itself, the higher. */
const HAPPENED = new Map(
	[
		'created create added logged recorded',
		'completed complete finished ended responded response received succeeded successful failed processed',
		'started start begun executed',
		'',
		'sent send delivered delivery dispatched triggered requested request fired posted transmitted invoked',
		'attempted attempt',
	].flatMap((words, rank) => words.split(' ').map((word): [string, number] => [word, rank])),
);
const NUMBER = setOf('number num no count made total current delivery webhook time');

/** Words that may be written as one with others: `responsestatuscode`. */
const VOCABULARY = new Set([
	...[RESPONSE, REQUEST, EVENT, BODY, ENDPOINT, DELIVERY, ERROR, ATTEMPTS, CLOCK, NUMBER].flatMap(
		(words) => [...words],
	),
	...HAPPENED.keys(),
	...'status code http id uuid type name topic url uri success retry header reason'.split(' '),
]);
for (const short of ['', 'no', 'at', 'on', 'ts', 'ms', 're']) VOCABULARY.delete(short);
const unglued = ungluer(VOCABULARY);

/** Longer texts tell no state and no type. */
export const LONGEST_TEXT = 200;

/** Deeper than any log nests, and more fields than a record has: ends what is hostile. */
const DEEPEST = 6;
const MOST_FIELDS = 2_000;

/** Reads the words of a name or of a text that is one, in lower case and the singular. */
export function readWords(name: string): string[] {
	return wordsOf(name).flatMap(unglued);
}

/**
 * Reads a delivery record into its fields. What was sent and what was answered is not looked into.
 *
 * @param isAttempt that it is an entry of such a record's list: what that lists is not of deliveries
 */
export function readFields(record: IDataObject, isAttempt = false): DeliveryFields {
	const own: Field[] = [];
	let log: Field[][] = [];
	let attempts: number | undefined;
	const done = () => ({ own, latest: latestOf(log) ?? [], attempts });
	const queue: Array<{ object: IDataObject; within: string[]; depth: number }> = [
		{ object: unwrap(record), within: [], depth: 0 },
	];
	for (const { object, within, depth } of queue) {
		for (const [name, value] of Object.entries(object)) {
			const words = readWords(name);
			if (words.includes('header')) continue;
			const place = isObject(value) && depth < DEEPEST ? placeOf(words, value) : undefined;
			if (place) {
				const below = { object: value as IDataObject, within: [...within, ...place] };
				queue.push({ ...below, depth: depth + 1 });
			}
			if (own.push({ words, within, value, isEntered: !!place }) >= MOST_FIELDS) return done();
			const isLog = log.length === 0 && !isAttempt && hasAny(words, ATTEMPTS);
			if (isLog && Array.isArray(value) && !hasAny(within, EVENT)) {
				log = value.filter(isObject).map((entry) => readFields(entry, true).own);
				// A history may list more than attempts.
				if (log.length > 0 && !hasAny(words, HISTORY)) attempts = log.length;
			}
		}
	}
	return done();
}

/** Tells whether any of the words is in the set. */
export function hasAny(words: string[], set: ReadonlySet<string>): boolean {
	return words.some((word) => set.has(word));
}

/** Tells whether all of the words are in one of the sets. */
export function areAll(words: string[], ...sets: Array<ReadonlySet<string>>): boolean {
	return words.every((word) => sets.some((set) => set.has(word)));
}

/** Tells whether something stands in what is not the delivery: the event, the endpoint, the request. */
export function isOfAnother(within: string[]): boolean {
	const isEndpoint = hasAny(within, setOf('webhook hook')) && !hasAny(within, ATTEMPTS);
	return isEndpoint || [EVENT, ENDPOINT, REQUEST].some((set) => hasAny(within, set));
}

/**
 * Finds the value that is told best.
 *
 * @param read the value of a field, undefined for what it can't be
 * @param rank how well the field's name fits, undefined where it does not
 * @returns of several values that are told alike, the first
 */
export function findBest<T>(
	fields: Field[],
	read: (field: Field) => T | undefined,
	rank: (field: Field) => number | undefined,
): T | undefined {
	let [best, highest]: [T | undefined, number] = [undefined, -Infinity];
	for (const field of fields) {
		const fit = rank(field);
		if (fit === undefined || fit <= highest) continue;
		const value = read(field);
		if (value !== undefined) [best, highest] = [value, fit];
	}
	return best;
}

/** Reads when the attempt was made, in milliseconds since the epoch. */
export function readTime(fields: Field[]): number | undefined {
	return findBest(
		fields,
		({ words, value }) =>
			readInstant(value, words.includes('utc') || words.includes('gmt')) ?? undefined,
		({ words, within }) => {
			// A request holds its own time, but not that of anything else.
			const isRequest = hasAny(within, REQUEST) && !hasAny(within, EVENT);
			if (words.length === 0 || (isOfAnother(within) && !isRequest)) return undefined;
			const happened = words.filter((word) => !CLOCK.has(word));
			// What stands in the answer is the receiver's time, and comes last.
			const rank = happened.length > 1 ? undefined : HAPPENED.get(happened[0] ?? '');
			return rank !== undefined && hasAny(within, RESPONSE) ? rank - HAPPENED.size : rank;
		},
	);
}

/** Reads the attempt's number; the first one is 1. */
export function readAttempt(fields: Field[]): number | undefined {
	return findBest(
		fields,
		({ words, value }) => {
			const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
			if (!Number.isInteger(number) || (number as number) < 0) return undefined;
			return (number as number) + (words.includes('retry') ? 1 : 0);
		},
		({ words, within }) => {
			if (isOfAnother(within) || hasAny(within, RESPONSE)) return undefined;
			// Also a `number` in an `attempt`.
			const named = areAll(words, NUMBER) ? [...within.slice(-1), ...words] : words;
			const [kind, ...others] = named.filter((word) => !NUMBER.has(word));
			if (kind === undefined || others.length > 0) return undefined;
			if (/^(attempt|attempted|try|trial)$/.test(kind)) return 2;
			// Without such a word it may be how many retries there can be.
			return kind === 'retry' && hasAny(words, setOf('count number num no')) ? 1 : undefined;
		},
	);
}

/**
 * The words for what stands in an object. Undefined where that is not of the log itself: what was sent
 * or answered, unless it is written with its headers, and what may be of anything.
 */
function placeOf(words: string[], value: IDataObject): string[] | undefined {
	const isKnown = areAll(
		words,
		RESPONSE,
		REQUEST,
		EVENT,
		BODY,
		ENDPOINT,
		DELIVERY,
		ATTEMPTS,
		WRAPPER,
	);
	if (!isKnown) return undefined;
	if (!hasAny(words, BODY) || !areAll(words, BODY, EVENT, REQUEST, RESPONSE)) return words;
	if (words.includes('payload')) return undefined;
	const names = Object.keys(value).map(readWords);
	if (names.filter((name) => hasAny(name, PART_OF_HTTP)).length > 1) {
		return hasAny(words, RESPONSE) ? ['response'] : ['request'];
	}
	const isDelivery = names.some(
		(name) => hasAny(name, RESPONSE) || hasAny(name, ATTEMPTS) || name.includes('status'),
	);
	return words.join() === 'data' && isDelivery ? words : undefined;
}

/** Takes a record out of what tells nothing itself, such as a cursor beside the record. */
function unwrap(record: IDataObject): IDataObject {
	for (let depth = 0; depth < DEEPEST; depth++) {
		const [inner, ...others] = Object.values(record).filter(isObject);
		if (!inner || others.length > 0) break;
		const names = Object.keys(record).filter((name) => record[name] !== inner);
		if (names.some((name) => hasAny(readWords(name), TELLING))) break;
		record = inner;
	}
	return record;
}

/** The latest of several attempts: by their times, else by their numbers, else the last one. */
function latestOf(attempts: Field[][]): Field[] | undefined {
	for (const read of [readTime, readAttempt]) {
		const marks = attempts.map(read);
		if (marks.some((mark) => mark === undefined) || new Set(marks).size < attempts.length) continue;
		const highest = (marks as number[]).reduce((a, b) => Math.max(a, b), -Infinity);
		return attempts[marks.indexOf(highest)];
	}
	return attempts.at(-1);
}
