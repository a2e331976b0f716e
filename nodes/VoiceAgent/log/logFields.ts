import type { IDataObject } from 'n8n-workflow';

import { placesOf } from '../events/places';
import { readInstant } from '../text/times';
import { chooseFirst, topicFinder } from '../text/topics';
import { DEEPEST_FIELD, isDeep, isNonEmpty, isObject, parseExactly } from '../text/json';
import { hasAny, hasOnly, wordsOf } from '../text/words';
import { LOG_TOPICS, OBJECTS, STANDS_FOR } from './vocabulary';

/*
 * The contract shows no fields of a delivery record. A field is recognised by the words of
 * its name together with those of the objects around it: `response_status`, `responseStatus` and the
 * `status` in a `response` are the same.
 */

type LogTopic = keyof typeof LOG_TOPICS;

/** A field of a delivery record. */
export interface LogField {
	/** The words of the objects around it and of its own name, each once. */
	words: readonly string[];
	value: unknown;
	/** Its topics, each with its confidence. */
	topics: ReadonlyMap<LogTopic, number>;
	/** The words that it adds to the names of its fields, if these are read too. */
	place?: string[];
}

const finder = topicFinder(LOG_TOPICS, readLogWords);

/** @returns the words of a name, with one word for all synonyms: `msgId` → `event`, `id` */
function readLogWords(name: string): string[] {
	return wordsOf(name).map((word) => STANDS_FOR.get(word) ?? word);
}

/**
 * Reads the fields of a delivery record.
 *
 * @param publishedAt see {@link readStatedTime}
 * @returns its own fields; those of each attempt, if the record lists attempts; all fields, those of the latest
 *   attempt first; and the time of the latest attempt
 */
export function readFields(record: IDataObject, publishedAt: number) {
	const own = logFieldsOf(record);
	const isList = ({ words, value }: LogField) =>
		Array.isArray(value) && value.some(isObject) && hasAny(words, OBJECTS.attempts);
	const list = (own.find(isList)?.value ?? []) as unknown[];
	const attempts = list.filter(isObject).map((entry) => logFieldsOf(entry));
	const latest = latestOf(attempts);
	const time = readStatedTime(latest, publishedAt) ?? readStatedTime(own, publishedAt);
	return { own, attempts, all: [...latest, ...own], time };
}

/** The latest of several attempts: by their times, else the last one. */
function latestOf(attempts: LogField[][]): LogField[] {
	const times = attempts.map((fields) => readStatedTime(fields));
	const isOrdered = !times.includes(null) && new Set(times).size === times.length;
	const newest = times.reduce((latest, time) => Math.max(latest!, time!), -Infinity);
	return attempts.at(isOrdered ? times.indexOf(newest) : -1) ?? [];
}

/** Collects the fields of an object, then those of its parts, but not those of events and of bodies. */
function logFieldsOf(object: IDataObject, around: readonly string[] = [], depth = 0): LogField[] {
	const fields = Object.entries(object).map(([name, value]) => {
		const own = readLogWords(name);
		const words = own.length > 0 ? [...new Set([...around, ...own])] : [];
		const isPart = isObject(value) && depth < DEEPEST_FIELD;
		const place = isPart ? placeOf(own, value) : undefined;
		return { words, value, topics: finder.topicsOf(words), place };
	});
	const parts = fields.flatMap(({ value, place }) =>
		place ? logFieldsOf(value as IDataObject, [...around, ...place], depth + 1) : [],
	);
	return [...fields, ...parts];
}

/** Reads the surest field of a topic; of several with the same confidence, the first. */
export function readSurest<T>(
	fields: LogField[],
	topic: LogTopic,
	read: (field: LogField) => T | null,
): T | null {
	const candidates = fields.flatMap((field) => {
		const confidence = field.topics.get(topic);
		return confidence === undefined ? [] : { ...field, confidence };
	});
	return chooseFirst(candidates, read);
}

/** Reads the surest text of a topic that has a form. */
export function readSurestText(fields: LogField[], topic: LogTopic, form: RegExp): string | null {
	return readSurest(fields, topic, ({ value }) =>
		typeof value === 'string' && form.test(value) ? value : null,
	);
}

/**
 * Reads the time of an attempt (ms since the epoch). A time whose zone no field states is read as UTC.
 *
 * @param publishedAt no time without a zone is earlier (ms since the epoch)
 */
function readStatedTime(fields: LogField[], publishedAt = -Infinity): number | null {
	const read = (isUtc: boolean) =>
		readSurest(fields, 'time', ({ words, value }) =>
			readInstant(value, isUtc || words.includes('utc') || words.includes('gmt')),
		);
	const zoned = read(false);
	const unzoned = zoned === null ? read(true) : null;
	return unzoned === null ? zoned : Math.max(unzoned, publishedAt);
}

/** @returns the time of the service's next attempt (ms since the epoch); 0 if none is stated */
export function readNextAttempt(fields: LogField[]): number {
	const next = fields.filter(({ topics }) => topics.has('nextAttempt'));
	return next.reduce((latest, { value }) => Math.max(latest, readInstant(value, true) ?? 0), 0);
}

/** Reads the number of an attempt; the first one is 1. */
export function readAttemptNumber(fields: LogField[]): number | null {
	return readSurest(fields, 'attempt', ({ words, value }) => {
		if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return null;
		return value + (words.includes('retry') ? 1 : 0);
	});
}

/** Reads a body: an object or array, also as JSON in a text; null if the fields of the object are read. */
export function readLoggedBody({ value, place }: LogField): object | null {
	const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseExactly(value) : value;
	return place || !isNonEmpty(parsed) || isDeep(parsed) ? null : parsed;
}

/**
 * Finds the words that the name of an object adds to the names of its fields: `last_attempt` → `last`,
 * `attempt`; `response_data: { status, body }` → `response`
 *
 * @returns undefined if its fields are not read: those of an event or of a response's body, or of an object with
 *   an unknown name
 */
function placeOf(words: readonly string[], object: IDataObject): string[] | undefined {
	const place = words.filter((word) => !OBJECTS.wrappers.has(word) && !OBJECTS.bodies.has(word));
	if (words.length === 0 || !hasOnly(place, OBJECTS.parts)) return undefined;
	const names = Object.keys(object).map(readLogWords);
	if (hasAny(words, OBJECTS.bodies)) {
		// An event may have `headers` or a `method`, too: without a body in it, it is the body.
		const isWrapper =
			place.includes('response') ||
			names.some((name) => hasOnly(name, OBJECTS.bodies) || name.join() === 'url');
		const isOfHttp = isWrapper && names.some((name) => hasAny(name, OBJECTS.httpFields));
		return isOfHttp ? [place.includes('response') ? 'response' : 'request'] : undefined;
	}
	const isAround = !place.includes('event') || Object.entries(object).some(isEvent);
	return isAround || names.every((name) => hasOnly(name, OBJECTS.reference)) ? place : undefined;
}

/** Whether a field of an object `event` is the delivered body: a text, or an object with an event type. */
function isEvent([name, value]: [string, unknown]): boolean {
	if (!readLogWords(name).includes('payload')) return false;
	return typeof value === 'string' || (isObject(value) && placesOf(value).length > 0);
}
