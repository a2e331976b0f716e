/** Finds the fields of a record, and decides whose a number or an address in a field is. */
import type { IDataObject } from 'n8n-workflow';

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
	/** The fields beside it that may be its calling code. */
	beside: Array<[string, unknown]>;
	/** Whether a list of records holds it, which may be those of several people. */
	isInList: boolean;
}

/** The most fields of a record that are read. */
const MOST_COLUMNS = 2000;
/** The most fields of an object that may be the calling codes of others. */
const MOST_CODES = 50;

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
		const entries: Array<[string, unknown]> = Object.entries(holder).slice(0, MOST_COLUMNS);
		const beside = entries.filter(isCallingCode).slice(0, MOST_CODES);
		for (const [key, value] of entries) {
			if (fields.length >= MOST_COLUMNS) return;
			const isEntry = /^\d+$/.test(key);
			const names = isEntry ? way.names : [...way.names, key];
			if (typeof value !== 'object' || value === null) {
				fields.push({ ...way, value, names, beside });
			} else if (depth < DEEPEST_FIELD) {
				const labels = isEntry ? [...way.labels, ...labelsIn(value)] : way.labels;
				const isList = Array.isArray(value) && value.some(isObject);
				const isOfRecords = isList && vocabulary.RECORD_LISTS.has(readNameWords(key).phrase);
				const isInList = way.isInList || isOfRecords;
				enter(value, { names, labels, isInList, beside: [] }, depth + 1);
			}
		}
	};
	enter(record, { names: [], labels: [], isInList: false, beside: [] }, 0);
	return fields;
}

/** Whether a field states a calling code. `primaryPhoneCallingCode: '+44'` → true */
function isCallingCode([name, value]: [string, unknown]): boolean {
	const words = readNameWords(name).words.filter((word) => vocabulary.CALLING_CODES.has(word));
	return words.length > 1 && /^\s*\+?[1-9]\d{0,2}\s*$/.test(`${value as string}`);
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
		field.isInList ||
		words.some((some) => hasAny(some, persons) && hasAny(some, vocabulary.SECOND)) ||
		!hasOnly(wordsBeside(value), inTexts);
	const isKnown = words.every((some) => hasOnly(some, known));
	return isKnown && !isUnsure && words.some((some) => hasAny(some, contacts));
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

/** Returns the country code that a field beside a number states. `{ callingCode: '44', number }` → `+44` */
export function callingCodeBeside({ names, beside }: RecordField): string | undefined {
	const own = new Set([...readNameWords(names.at(-1) ?? '').words, ...vocabulary.CALLING_CODES]);
	const [, code] = beside.find(([name]) => hasOnly(readNameWords(name).words, own)) ?? [];
	return code === undefined ? undefined : `+${`${code as string}`.replace(/\D/g, '')}`;
}
