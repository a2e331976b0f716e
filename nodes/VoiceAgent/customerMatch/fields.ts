/** Finds the fields of a record, and decides whose a number or an address in a field is. */
import type { IDataObject } from 'n8n-workflow';

import { readName } from '../callDetails/names';
import { DEEPEST_FIELD, isObject } from '../text/json';
import { topicFinder } from '../text/topics';
import {
	hasAny,
	hasOnly,
	isOfSeveral,
	splitList,
	memoize,
	splitCompounds,
	wordsOf,
} from '../text/words';
import * as vocabulary from './vocabulary';

/** A value of a record that is no object, and where it stands. */
export interface RecordField {
	value: unknown;
	/** The names on the way to it, without positions in lists; the last is its own. */
	names: string[];
	/** The texts of the labels in the entries of lists that hold it. */
	labels: string[];
	/** The calling code beside it, if there is one: `+44` */
	callingCode?: string;
	/** The name of the person of each object that holds it. */
	people: string[];
	/** Whether a list of records holds it, which may be those of several people. */
	isInList: boolean;
}

/** The most fields of a record that are read. */
const MOST_COLUMNS = 20_000;
/** The most calling codes, and names, of an object that are read. */
const MOST_BESIDE = 50;

const contacts = new Set(splitList(vocabulary.CONTACTS).flatMap(wordsOf));
const known = new Set([...contacts, ...splitList(vocabulary.BESIDE_CONTACTS).flatMap(wordsOf)]);
const inTexts = new Set([...known, ...splitList(vocabulary.BESIDE_NUMBERS)]);
const persons = new Set(splitList(vocabulary.PERSONS));
const topics = topicFinder(vocabulary.RECORD_TOPICS);
const split = splitCompounds([...known, ...topics.vocabulary.flatMap(wordsOf)]);

/** Reads the name of a field, or the text of a label. `mobilephone` → `mobile`, `phone` */
const readNameWords = memoize((name) => {
	const words = wordsOf(name).flatMap(split);
	const [topic] = isOfSeveral(words, persons) ? [] : topics.topicsOf(words).keys();
	const phrase = words.join(' ');
	return { words, topic, isOwn: vocabulary.OWN_FIELDS.has(phrase), phrase };
});

/** Collects the fields of a record, at any depth. */
export function fieldsOfRecord(record: IDataObject): RecordField[] {
	const fields: RecordField[] = [];
	const enter = (holder: object, way: Omit<RecordField, 'value'>, depth: number) => {
		const entries = entriesOf(holder);
		const codes = entries.filter(isCallingCode).slice(0, MOST_BESIDE);
		for (const [key, value] of entries) {
			if (fields.length >= MOST_COLUMNS) return;
			const isEntry = /^\d+$/.test(key);
			const names = isEntry ? way.names : [...way.names, key];
			if (typeof value !== 'object' || value === null) {
				fields.push({ ...way, value, names, callingCode: callingCodeOf(key, codes) });
			} else if (depth < DEEPEST_FIELD) {
				const labels = isEntry ? [...way.labels, ...labelsIn(value)] : way.labels;
				const people = isEntry ? way.people : [...way.people, nameIn(value)];
				const isList = Array.isArray(value) && value.some(isObject);
				const isOfRecords = isList && vocabulary.RECORD_LISTS.has(readNameWords(key).phrase);
				const isInList = way.isInList || isOfRecords;
				enter(value, { names, labels, people, isInList }, depth + 1);
			}
		}
	};
	enter(record, { names: [], labels: [], people: [], isInList: false }, 0);
	return fields;
}

/** The fields of an object. Some nodes for databases give dates as objects. */
function entriesOf(holder: object): Array<[string, unknown]> {
	const entries: Array<[string, unknown]> = Object.entries(holder).slice(0, MOST_COLUMNS);
	return entries.map(([name, value]) => [name, value instanceof Date ? value.toJSON() : value]);
}

/** Whether a field may state a calling code. */
const isCallingCode = ([name, value]: [string, unknown]) =>
	hasAny(readNameWords(name).words, vocabulary.CALLING_CODES) &&
	typeof value === 'string' &&
	/^\s*\+[1-9]\d{0,2}\s*$/.test(value);

/** Returns the calling code of a number by their names. `primaryPhoneCallingCode: '+44'` → `+44` */
function callingCodeOf(key: string, codes: Array<[string, unknown]>): string | undefined {
	const own = new Set([...readNameWords(key).words, ...vocabulary.CALLING_CODES]);
	const [, code] = codes.find(([name]) => hasOnly(readNameWords(name).words, own)) ?? [];
	return (code as string | undefined)?.trim();
}

/** All words of the name of an object's person. `contact: { first: 'Ada', last: 'Reid' }` → `Ada Reid` */
function nameIn(holder: object): string {
	const isPart = (name: string) => /^(name|first|last)$/.test(readNameWords(name).topic ?? '');
	const fields = Object.entries(holder).filter(([name]) => isPart(name));
	const parts = fields.slice(0, MOST_BESIDE).flatMap(([, value]) => readName(value) ?? []);
	// `phone: { name: 'Work', number }`
	return parts.filter((part) => !hasOnly(wordsOf(part), contacts)).join(' ');
}

/** The labels in an entry of a list. `{ type: 'work', field: { title: 'Fax' }, value }` → `work`, `Fax` */
function labelsIn(entry: object): string[] {
	return Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
		if (!vocabulary.LABELS.has(readNameWords(name).words.at(-1) ?? '')) return [];
		if (isObject(value)) return labelsIn(value);
		// `country_code: 'FR'` is no label.
		return typeof value === 'string' && !/^([A-Z]{2}|\+?\d*)$/.test(value) ? [value] : [];
	});
}

/** Returns the topic of a field of the person's own, and its words. `properties.firstname` → first */
export function topicOf({ names, isInList }: RecordField) {
	const read = names.map(readNameWords);
	const at = read.findLastIndex(({ topic }) => topic !== undefined);
	const isOwn = read.every(({ phrase, topic, ...name }, index) => {
		if (index > at) return vocabulary.ENTRY_FIELDS.has(phrase);
		return index === at || name.isOwn || topic === 'name' || topic === 'id';
	});
	return isOwn && !isInList ? read[at] : undefined;
}

/**
 * Whether a number or an address in a field is surely the person's, by the words of its names and labels, and those
 * beside it: `Fax: +44 20 7946 0321` → false
 */
export function isOfPerson({ value, labels, ...field }: RecordField): boolean {
	const names = [...ownNames(field), ...labels];
	const words = names.map((name) => readNameWords(name).words);
	const isUnsure =
		field.isInList || words.some(isOfSecond) || !hasOnly(wordsBeside(value), inTexts);
	const isKnown = words.every((some) => hasOnly(some, known));
	return isKnown && !isUnsure && words.some((some) => hasAny(some, contacts));
}

/** Whether a name says to be of a further person. `contact 2` → true, `PersonEmail` → false */
function isOfSecond(words: string[]): boolean {
	const saysSecond = (at: number) => hasAny(words.toSpliced(at, 1), vocabulary.SECOND);
	return words.some((word, at) => persons.has(word) && saysSecond(at));
}

/** The beginning of a text in which words are looked for. */
const LONGEST_TEXT = 200;
/** An address, with the name of its person: `Ada <ada@example.com>` */
const ADDRESS = /[^,;<>]*<[^<>]*@[^<>]*>|\S*@\S*/g;

/** The words beside the numbers and addresses of a text. `Fax: +44 20 7946 0321` → `fax` */
function wordsBeside(value: unknown): string[] {
	const text = `${value as string}`.slice(0, LONGEST_TEXT).replace(ADDRESS, ' ');
	return readNameWords(text).words.filter((word) => !/^\p{N}+$/u.test(word));
}

/**
 * The name of a field for a person: the label beside it, else its path. `properties.billing.phone` → `billing.phone`
 */
export function fieldLabel(field: RecordField): string {
	return field.labels.at(-1) ?? ownNames(field).join('.');
}

/** The names on the way to a field, without those that only hold a record's fields; its own one if no other is left. */
function ownNames({ names }: Pick<RecordField, 'names'>): string[] {
	const own = names.filter((name) => !readNameWords(name).isOwn);
	return own.length > 0 ? own : names.slice(-1);
}
