/** Finds the fields of a record, and decides whose a number or an address in a field is. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../text/json';
import { topicFinder } from '../text/topicFinder';
import { hasAny, hasOnly, listed, memoize, setOf, splitCompounds, wordsOf } from '../text/words';
import {
	CALLING_CODES,
	ENTRY_FIELDS,
	LABELS,
	LISTS_OF_RECORDS,
	OTHERS_WORDS,
	OWN_FIELDS,
	OWN_WORDS,
	PERHAPS_SECOND_WORDS,
	PERSONS,
	RECORD_TOPICS,
	SECOND_WORDS,
	type RecordTopic,
} from './vocabulary';

/** A value of a record that is no object, and where it stands. */
export interface RecordField {
	value: unknown;
	/** The names on the way to it, without the positions in lists. */
	names: string[];
	/** The texts of labels beside it. */
	labels: string[];
	/** The fields beside it that may be labels or country codes. */
	beside: Array<[string, unknown]>;
	/** Whether a list of records holds it, which may be those of several people. */
	isInList: boolean;
}

/** Whose a value is: the record's person's, another's, or unknown. */
export type Whose = 'own' | 'other' | 'unknown';

/** The most fields of a record that are read, and the levels of objects in it. */
const MOST_FIELDS = 2000;
const DEEPEST = 8;

const wordSet = (text: string): ReadonlySet<string> => new Set(listed(text).flatMap(wordsOf));
const heads = wordSet(OWN_WORDS.heads);
const known = wordSet(`${OWN_WORDS.heads}, ${OWN_WORDS.beside}`);
const others = wordSet(OTHERS_WORDS);
const persons = wordSet(PERSONS);
const [second, perhapsSecond] = [wordSet(SECOND_WORDS), wordSet(PERHAPS_SECOND_WORDS)];
const [labels, codes] = [setOf(LABELS), wordSet(CALLING_CODES)];
const VALUE_WORDS = setOf('value, number, no, address');
const labelsAndCodes = new Set([...labels, ...codes]);
const [ownFields, entryFields, lists] = [OWN_FIELDS, ENTRY_FIELDS, LISTS_OF_RECORDS].map(setOf) as [
	ReadonlySet<string>,
	ReadonlySet<string>,
	ReadonlySet<string>,
];
const { topicsOf, vocabulary } = topicFinder(RECORD_TOPICS);
const splitGlued = splitCompounds([...known, ...others, ...vocabulary.flatMap(wordsOf)]);

/** Reads the name of a field, or the text of a label. `mobilephone` → `mobile`, `phone` */
export const readWords = memoize((name) => {
	const words = wordsOf(name).flatMap(splitGlued);
	const [[topic, confidence] = []] = topicsOf(words);
	return { words, phrase: words.join(' '), topic, confidence };
});

/** Collects the fields of a record, at any depth. */
export function fieldsOf(record: IDataObject): RecordField[] {
	const fields: RecordField[] = [];
	const enter = (holder: object, way: Omit<RecordField, 'value' | 'beside'>, depth: number) => {
		const entries = Object.entries(holder) as Array<[string, unknown]>;
		const beside = entries.filter(([key]) => hasAny(readWords(key).words, labelsAndCodes));
		for (const [key, value] of entries) {
			if (fields.length >= MOST_FIELDS) return;
			const isEntry = /^\d+$/.test(key);
			const names = isEntry ? way.names : [...way.names, key];
			if (typeof value !== 'object' || value === null) {
				fields.push({ ...way, value, names, beside });
			} else if (depth < DEEPEST) {
				const ownLabels = isEntry && isObject(value) ? labelsIn(value) : [];
				const isList = Array.isArray(value) && lists.has(readWords(key).phrase);
				const isInList = way.isInList || (isList && value.some(isObject));
				enter(value, { names, isInList, labels: [...way.labels, ...ownLabels] }, depth + 1);
			}
		}
	};
	enter(record, { names: [], labels: [], isInList: false }, 0);
	return fields;
}

/** The labels in an entry of a list. `{ type: 'work', field: { title: 'Fax' }, value }` → `work`, `Fax` */
function labelsIn(entry: IDataObject): string[] {
	return Object.entries(entry).flatMap(([name, value]) => {
		if (!labels.has(readWords(name).phrase)) return [];
		if (isObject(value)) return Object.values(value).filter((text) => typeof text === 'string');
		return typeof value === 'string' ? [value] : [];
	});
}

/** Returns the topic of a field of the person's own, and how sure it is. `properties.firstname` → first */
export function topicOf({ names, isInList }: RecordField): [RecordTopic, number] | undefined {
	if (isInList) return undefined;
	const read = names.map(readWords);
	const at = read.findLastIndex(({ topic, phrase }) => topic !== undefined && phrase !== 'title');
	const isOwn = read.every(({ phrase, topic }, index) => {
		if (index > at) return entryFields.has(phrase);
		return index === at || topic === 'name' || topic === 'id' || ownFields.has(phrase);
	});
	const { topic, confidence = 0 } = read[at] ?? {};
	return topic && isOwn ? [topic, confidence] : undefined;
}

/** Decides whose a number or an address in a field is, by the words of its names and labels. */
export function whoseIs(field: RecordField): Whose {
	const holders = field.names.slice(0, -1).filter((name) => !ownFields.has(readWords(name).phrase));
	const names = [...holders, ...field.names.slice(-1), ...field.labels, ...labelBeside(field)];
	const words = names.map((name) => readWords(name).words);
	if (words.some((some) => hasAny(some, others) || hasPerson(some, second))) return 'other';
	const isUnsure = field.isInList || words.some((some) => hasPerson(some, perhapsSecond));
	const isKnown = words.every((some) => hasOnly(some, known));
	const hasHead = words.some((some) => hasAny(some, heads));
	return isKnown && hasHead && !isUnsure ? 'own' : 'unknown';
}

/** Whether a text says that a number in it is another's. `07700 900123 (fax)` → true */
export function namesOthers(text: string): boolean {
	return hasAny(readWords(text).words, others);
}

/** Whether a word stands beside a word for a person. `Guest 2 phone` with `2` → true; `Guest phone 2` → false */
function hasPerson(words: string[], beside: ReadonlySet<string>): boolean {
	return words.some((word, at) => {
		const neighbours = [words[at - 1], words[at + 1]] as string[];
		return persons.has(word) && neighbours.some((neighbour) => beside.has(neighbour));
	});
}

/** The label of a column in another column. `Phone 1 - Value` beside `Phone 1 - Type: Fax` → `Fax` */
function labelBeside({ names, beside }: RecordField): string[] {
	const core = wordsWithout(names.at(-1) ?? '', VALUE_WORDS);
	return beside.flatMap(([name, value]) => {
		const isLabel = hasAny(readWords(name).words, labels) && wordsWithout(name, labels) === core;
		return isLabel && core !== '' && typeof value === 'string' ? [value] : [];
	});
}

/** Returns the country code that a field beside a number states. `{ callingCode: '44', number }` → `+44` */
export function callingCodeBeside({ names, beside }: RecordField): string | undefined {
	const own = new Set(readWords(names.at(-1) ?? '').words);
	const stated = beside.flatMap(([name, value]) => {
		const { words } = readWords(name);
		const isCode = words.filter((word) => codes.has(word)).length > 1;
		const isOfField = words.every((word) => codes.has(word) || own.has(word));
		const [, code] = /^\s*\+?([1-9]\d{0,2})\s*$/.exec(`${value as string}`) ?? [];
		return isCode && isOfField && code ? [`+${code}`] : [];
	});
	return stated[0];
}

function wordsWithout(name: string, left: ReadonlySet<string>): string {
	return readWords(name)
		.words.filter((word) => !left.has(word))
		.join(' ');
}
