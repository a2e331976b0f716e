import type { IDataObject } from 'n8n-workflow';

import { readInstant } from '../callDetails/instants';
import { chooseFirst } from '../matcher/choose';
import { fieldsIn, type Field } from '../matcher/fields';
import { isObject } from '../matcher/json';
import { topicFinder } from '../matcher/topics';
import { ungluer, wordsOf } from '../matcher/words';
import {
	ATTEMPTS,
	BODIES,
	HISTORIES,
	HTTP_FIELDS,
	RECORD_PARTS,
	RECORD_FIELDS,
	SYNONYMS,
	LOG_TOPICS,
	WRAPPERS,
} from './vocabulary';

/*
 * The contract shows no fields of a delivery record (section 2). A field is recognised by the words of
 * its name together with those of the objects around it: `response_status`, `responseStatus` and the
 * `status` in a `response` are the same.
 */

type LogTopic = keyof typeof LOG_TOPICS;

/** A field of a delivery record. */
export interface LogField extends Field {
	/** The words of the objects around it and of its own name, each once. */
	words: readonly string[];
	/** Its topics, each with its confidence. */
	topics: ReadonlyMap<LogTopic, number>;
	/** Whether the fields of its value are read too. */
	isEntered: boolean;
}

/** The fields of a delivery record, and those of its latest attempt if the record lists attempts. */
interface LogFields {
	own: LogField[];
	latest: LogField[];
	/** The listed attempts; null if the record lists none. */
	attempts: LogField[][] | null;
}

const STANDS_FOR = new Map(
	Object.entries(SYNONYMS).flatMap(([word, others]) => others.map((other) => [other, word])),
);
const finder = topicFinder(LOG_TOPICS, (name) => wordsOf(name).map(canonical));
/** Splits glued words: `responsestatus` → `response`, `status` */
const splitLogWords = ungluer([
	...[...finder.vocabulary, ...STANDS_FOR.keys(), ...RECORD_PARTS, ...WRAPPERS],
]);

function canonical(word: string): string {
	return STANDS_FOR.get(word) ?? word;
}

/** @returns the words of a name, with one word for all synonyms: `msgId` → `event`, `id` */
export function readLogWords(name: string): string[] {
	return wordsOf(name).flatMap(splitLogWords).map(canonical);
}

/** Reads the fields of a delivery record, but not those of events and of responses' bodies. */
export function readFields(record: IDataObject): LogFields {
	const own = logFieldsOf(record);
	const list = own.find(({ words, value }) => {
		const isList = hasAny(words, ATTEMPTS) || hasAny(words, HISTORIES);
		return isList && Array.isArray(value) && value.some(isObject) && !words.includes('event');
	});
	const entries = ((list?.value ?? []) as unknown[]).filter(isObject).map(logFieldsOf);
	// A history may list more than attempts.
	const isOfAttempts = list !== undefined && !hasAny(list.words, HISTORIES);
	return { own, latest: latestOf(entries), attempts: isOfAttempts ? entries : null };
}

function logFieldsOf(record: IDataObject): LogField[] {
	const places = new Map<unknown, string[]>();
	const fields = fieldsIn(record, ({ name, value }) => {
		const place = isObject(value) ? placeOf(readLogWords(name), value) : undefined;
		if (place) places.set(value, place);
		return place !== undefined;
	});
	return fields.flatMap((field) => {
		const name = readLogWords(field.name);
		if (name.length === 0) return [];
		const around = field.holders.flatMap((holder) => places.get(holder) ?? []);
		const words = [...new Set([...around, ...name])];
		return { ...field, words, topics: finder.topicsOf(words), isEntered: places.has(field.value) };
	});
}

/** Collects the fields of a topic, each with its confidence. */
export function fieldsOfTopic(fields: LogField[], topic: LogTopic) {
	return fields.flatMap((field) => {
		const confidence = field.topics.get(topic);
		return confidence === undefined ? [] : { ...field, confidence };
	});
}

/** Reads the surest field of a topic; of several with the same confidence, the first. */
export function readSurest<T>(
	fields: LogField[],
	topic: LogTopic,
	read: (field: LogField) => T | null,
): T | null {
	return chooseFirst(fieldsOfTopic(fields, topic), read);
}

/** @returns true if any of the words is in the set */
export function hasAny(words: readonly string[], set: ReadonlySet<string>): boolean {
	return words.some((word) => set.has(word));
}

/** @returns true if all of the words are in the set */
export function hasOnly(words: readonly string[], set: ReadonlySet<string>): boolean {
	return words.every((word) => set.has(word));
}

/** Reads the time of an attempt, in milliseconds since the epoch. A time whose zone no field states is in UTC. */
export function readTime(fields: LogField[]): number | null {
	const read = (isUtc: boolean) =>
		readSurest(fields, 'time', ({ words, value }) =>
			readInstant(value, isUtc || words.includes('utc') || words.includes('gmt')),
		);
	return read(false) ?? read(true);
}

/** A date, or a time of day: `23.11.2026`, `11/23/26 20:10`, `20261123201011` */
const DATE_OR_TIME = /\d[./-]\d\d?[./-]\d|\d:\d\d|^\d{14,}$/;
const LONGEST_TIME = 60;

/** Finds a time of an attempt that {@link readTime} can't read: `at: '23.11.2026 20:10'` → `23.11.2026 20:10` */
export function findUnreadableTime(record: IDataObject): string | null {
	const { own, latest } = readFields(record);
	return readSurest([...latest, ...own], 'time', ({ value }) => {
		const text = typeof value === 'object' ? '' : String(value);
		return text.length <= LONGEST_TIME && DATE_OR_TIME.test(text) ? text : null;
	});
}

/** @returns true if the record states a later attempt: `next_attempt_at` in the future */
export function isToBeRetried(record: IDataObject, now: number): boolean {
	const { own, latest } = readFields(record);
	const next = fieldsOfTopic([...latest, ...own], 'nextAttempt');
	return next.some(({ value }) => (readInstant(value, true) ?? 0) > now);
}

/** Reads the number of an attempt; the first one is 1. */
export function readAttempt(fields: LogField[]): number | null {
	return readSurest(fields, 'attempt', ({ words, value }) => {
		const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
		if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) return null;
		return number + (words.includes('retry') ? 1 : 0);
	});
}

/** @returns true for a whole request or response of HTTP: `{ headers, body }` */
export function isOfHttp(object: IDataObject): boolean {
	return Object.keys(object).some((name) => hasAny(readLogWords(name), HTTP_FIELDS));
}

/**
 * Finds the words that the name of an object adds to the names of its fields: `last_attempt` → `last`,
 * `attempt`; `response_data: { status, body }` → `response`
 *
 * @returns undefined if its fields are not read: the body of an event or a response, or an unknown name
 */
function placeOf(words: readonly string[], object: IDataObject): string[] | undefined {
	const place = words.filter((word) => !WRAPPERS.has(word) && !BODIES.has(word));
	if (words.length === 0 || !hasOnly(place, RECORD_PARTS)) return undefined;
	if (!hasAny(words, BODIES)) {
		const isDelivery = place.includes('delivery') || place.includes('attempt');
		return isDelivery ? place.filter((word) => word !== 'webhook') : place;
	}
	if (words.includes('payload')) return undefined;
	if (isOfHttp(object)) return [place.includes('response') ? 'response' : 'request'];
	const names = Object.keys(object).map(readLogWords);
	const isRecord = names.some((name) => hasAny(name, RECORD_FIELDS));
	return words.join() === 'data' && isRecord ? [] : undefined;
}

/** The latest of several attempts: by their times, else by their numbers, else the last one. */
function latestOf(attempts: LogField[][]): LogField[] {
	for (const read of [readTime, readAttempt]) {
		const marks = attempts.map(read);
		if (marks.includes(null) || new Set(marks).size < attempts.length) continue;
		const highest = (marks as number[]).reduce((a, b) => Math.max(a, b), -Infinity);
		return attempts[marks.indexOf(highest)] ?? [];
	}
	return attempts.at(-1) ?? [];
}
