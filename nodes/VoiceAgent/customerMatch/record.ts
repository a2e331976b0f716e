/** Reads from a record what identifies its person: numbers, addresses and the name. */
import type { IDataObject } from 'n8n-workflow';

import { readFieldName } from '../callDetails/fieldNames';
import { nameWords, readName } from '../callDetails/names';
import { readEmail, readInstant } from '../callDetails/values';
import { isObject } from '../text/json';
import { topicFinder } from '../text/topicFinder';
import { memoize } from '../text/words';
import { completes, readNumbers, type ReadNumber } from './numbers';
import { ENTRY_FIELDS, OWN_FIELDS, RECORD_TOPICS, type RecordTopic } from './vocabulary';

/** A record, read once for all calls. */
export interface ReadRecord {
	json: IDataObject;
	numbers: ReadNumber[];
	emails: string[];
	/** Empty if the record has no name. */
	name: string;
	/** Equal for equal names, whatever their case, accents and order. */
	nameKey: string;
	/** The time at which it was created (ms), and its ID if that is a number; else Infinity. */
	created: number;
	id: number;
	/** Whether it has a field for numbers or addresses, which may be empty. */
	isReadable: boolean;
}

/** The most numbers of a record, the most entries of a list, and the levels of objects in it. */
const MOST_VALUES = 50;
const DEEPEST_ENTRY = 3;

const recordTopics = topicFinder(RECORD_TOPICS);

/** Reads the name of a record's field: its topic, and whether it is an object or a part to enter. */
const readRecordName = memoize((name: string) => {
	const { words, phrase } = readFieldName(name);
	const [topic] = recordTopics.topicsOf(words).keys();
	return { topic, holdsFields: OWN_FIELDS.has(phrase), isEntry: ENTRY_FIELDS.has(phrase) };
});

/** Reads a record of a CRM or table. Fields of its owner, its company or another person do not count. */
export function readCustomerRecord(json: IDataObject): ReadRecord {
	const fields = ownFields(json);
	const leaves = (topic: RecordTopic) =>
		fields.flatMap(([own, value]) => (own === topic ? leavesIn(value, topic, DEEPEST_ENTRY) : []));
	const [first, last, ...full] = (['first', 'last', 'name'] as const).map(
		(topic) => leaves(topic).flatMap((value) => readName(value) ?? [])[0] ?? '',
	);
	const name = fuller(`${first} ${last}`.trim(), full.join());
	const numbers = leaves('phone').flatMap(readNumbers).slice(0, MOST_VALUES);
	return {
		json,
		numbers: numbers.filter((number) => !isRepeated(number, numbers)),
		emails: [...new Set(leaves('email').flatMap(readEmails))],
		name,
		nameKey: [...new Set(nameWords(name))].sort().join(' '),
		created: smallest(leaves('created').map((value) => readInstant(value, true))),
		id: smallest(leaves('id').map(readNumericId)),
		isReadable: fields.some(([topic]) => topic === 'phone' || topic === 'email'),
	};
}

/** Collects the person's own fields: at the top level, and in `properties`, `fields` and `attributes`. */
function ownFields(holder: IDataObject, isTop = true): Array<[RecordTopic, unknown]> {
	return Object.entries(holder).flatMap(([name, value]) => {
		const { topic, holdsFields } = readRecordName(name);
		if (topic) return [[topic, value]];
		return isTop && holdsFields && isObject(value) ? ownFields(value, false) : [];
	});
}

/** The values in a field that may be a list or an object. `[{ value: '+44…', label: 'work' }]` → `+44…` */
function leavesIn(value: unknown, topic: RecordTopic, levels: number): unknown[] {
	if (typeof value !== 'object' || value === null) return [value];
	if (levels === 0) return [];
	return Object.entries(value)
		.slice(0, MOST_VALUES)
		.filter(([key]) => Array.isArray(value) || isPartOf(topic, key))
		.flatMap(([, entry]) => leavesIn(entry, topic, levels - 1));
}

function isPartOf(topic: RecordTopic, key: string): boolean {
	const { topic: own, isEntry } = readRecordName(key);
	return isEntry || own === topic;
}

/** The name with more words. In some tables the column for names holds the last name only. */
function fuller(a: string, b: string): string {
	return nameWords(b).length >= nameWords(a).length ? b : a;
}

/** Whether a number without its country is the national form of another one of the record. */
function isRepeated(number: ReadNumber, numbers: ReadNumber[]): boolean {
	return number.code === undefined && numbers.some((other) => completes(number, other));
}

/** Reads the e-mail addresses in a text. `ada@example.com; Ada <lovelace@example.com>` → two addresses */
function readEmails(value: unknown): string[] {
	if (typeof value !== 'string') return [];
	return value.split(/[\s;,<>]+/).flatMap((part) => readEmail(part) ?? []);
}

function readNumericId(value: unknown): number | null {
	return /^\d+$/.test(`${value as string}`) ? Number(value) : null;
}

function smallest(values: Array<number | null>): number {
	return Math.min(...values.map((value) => value ?? Infinity));
}
