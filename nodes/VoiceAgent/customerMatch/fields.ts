/** Finds the fields of a record, and decides whose a number or an address in a field is. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../text/json';
import { topicFinder } from '../text/topicFinder';
import { hasAny, hasOnly, listed, memoize, splitCompounds, wordsOf } from '../text/words';
import * as vocabulary from './vocabulary';

/** A value of a record that is no object, and where it stands. */
export interface RecordField {
	value: unknown;
	/** The names on the way to it, without positions in lists; the last is its own. */
	names: string[];
	/** The texts of the labels in the entries of lists that hold it. */
	labels: string[];
	/** The fields beside it that may be its label or its calling code. */
	beside: Array<[string, unknown]>;
	/** Whether a list of records holds it, which may be those of several people. */
	isInList: boolean;
}

/** Whose a value is: the record's person's, another's, or unknown. */
export type Whose = 'own' | 'other' | 'unknown';

/** The most fields of a record that are read, and the levels of objects in it. */
const MOST_COLUMNS = 2000;
const DEEPEST = 8;
/** The most fields of an object that say of others what they are. */
const MOST_BESIDE = 50;

const heads = new Set(listed(vocabulary.OWN_HEADS).flatMap(wordsOf));
const known = new Set([...heads, ...listed(vocabulary.BESIDE_HEADS).flatMap(wordsOf)]);
const others = new Set(listed(vocabulary.OTHERS).flatMap(wordsOf));
const persons = new Set(listed(vocabulary.PERSONS));
const topics = topicFinder(vocabulary.RECORD_TOPICS);
const split = splitCompounds([...known, ...others, ...topics.vocabulary.flatMap(wordsOf)]);

/** Reads the name of a field, or the text of a label. `mobilephone` → `mobile`, `phone` */
const readNameWords = memoize((name) => {
	const words = wordsOf(name).flatMap(split);
	const [[topic, confidence = 0] = []] = topics.topicsOf(words);
	const phrase = words.join(' ');
	return { words, topic, confidence, isOwn: vocabulary.OWN_FIELDS.has(phrase), phrase };
});

/** Collects the fields of a record, at any depth. */
export function fieldsOfRecord(record: IDataObject): RecordField[] {
	const fields: RecordField[] = [];
	const enter = (holder: object, way: Omit<RecordField, 'value'>, depth: number) => {
		const entries: Array<[string, unknown]> = Object.entries(holder).slice(0, MOST_COLUMNS);
		const besides = entries.filter(([name]) => isLabel(name) || isCallingCode(name));
		const beside = besides.slice(0, MOST_BESIDE);
		for (const [key, value] of entries) {
			if (fields.length >= MOST_COLUMNS) return;
			const isEntry = /^\d+$/.test(key);
			const names = isEntry ? way.names : [...way.names, key];
			if (typeof value !== 'object' || value === null) {
				fields.push({ ...way, value, names, beside });
			} else if (depth < DEEPEST) {
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

function isLabel(name: string): boolean {
	return vocabulary.LABELS.has(readNameWords(name).words.at(-1) ?? '');
}

function isCallingCode(name: string): boolean {
	return readNameWords(name).words.filter((word) => vocabulary.CALLING_CODES.has(word)).length > 1;
}

/** The labels in an entry of a list. `{ type: 'work', field: { title: 'Fax' }, value }` → `work`, `Fax` */
function labelsIn(entry: object): string[] {
	return Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
		if (!isLabel(name) || isCallingCode(name)) return [];
		if (isObject(value)) return labelsIn(value);
		return typeof value === 'string' ? [value] : [];
	});
}

/** Returns the topic of a field of the person's own, and how sure it is. `properties.firstname` → first */
export function topicOf({ names, isInList }: RecordField) {
	const read = names.map(readNameWords);
	const at = read.findLastIndex(({ topic }) => topic !== undefined);
	const isOwn = read.every(({ phrase, topic, ...name }, index) => {
		if (index > at) return vocabulary.ENTRY_FIELDS.has(phrase);
		return index === at || name.isOwn || topic === 'name' || topic === 'id';
	});
	return isOwn && !isInList ? read[at] : undefined;
}

/** Decides whose a number or an address in a field is, by the words of its names and labels. */
export function whoseIs({ value, labels, ...field }: RecordField): Whose {
	const names = [...ownNames(field), ...labels, ...labelBeside(field)];
	const words = names.map((name) => readNameWords(name).words);
	const isSecond = (some: string[]) => hasPerson(some, vocabulary.SECOND);
	if (words.some((some) => hasAny(some, others) || isSecond(some))) {
		// A slash stands between alternatives: `Tel/Fax`
		return names.some((name) => name.includes('/')) ? 'unknown' : 'other';
	}
	const isUnsure =
		field.isInList ||
		words.some((some) => hasPerson(some, vocabulary.PERHAPS_SECOND)) ||
		hasAny(readNameWords(`${value as string}`).words, others);
	const isKnown = words.every((some) => hasOnly(some, known));
	return isKnown && !isUnsure && words.some((some) => hasAny(some, heads)) ? 'own' : 'unknown';
}

/** The name of a field for a person: the label beside it, else its path. `properties.billing.phone` → `billing.phone` */
export function fieldLabel(field: RecordField): string {
	return field.labels.at(-1) ?? ownNames(field).join('.');
}

/** The names on the way to a field, without those that only hold a record's fields. */
function ownNames({ names }: Pick<RecordField, 'names'>): string[] {
	return names.filter((name, at) => at === names.length - 1 || !readNameWords(name).isOwn);
}

/** Whether a word stands beside a word for a person. `Guest 2 phone` with `2` → true; `Guest phone 2` → false */
function hasPerson(words: string[], beside: ReadonlySet<string>): boolean {
	const isBeside = (word = '') => beside.has(word);
	return words.some(
		(word, at) => persons.has(word) && (isBeside(words[at - 1]) || isBeside(words[at + 1])),
	);
}

/** The label of a column in another column. `Phone 1 - Value` beside `Phone 1 - Type: Fax` → `Fax` */
function labelBeside({ names, beside }: Pick<RecordField, 'names' | 'beside'>): string[] {
	const core = (name = '') => readNameWords(name).words.slice(0, -1).join(' ');
	const own = core(names.at(-1));
	const labels = beside.filter(
		([name]) => own !== '' && /(type|label)$/i.test(name) && core(name) === own,
	);
	return labels.flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
}

/** Returns the country code that a field beside a number states. `{ callingCode: '44', number }` → `+44` */
export function callingCodeBeside({ names, beside }: RecordField): string | undefined {
	const own = new Set([...readNameWords(names.at(-1) ?? '').words, ...vocabulary.CALLING_CODES]);
	const codes = beside.flatMap(([name, value]) => {
		const isOfField = isCallingCode(name) && hasOnly(readNameWords(name).words, own);
		const [, code] = /^\s*\+?([1-9]\d{0,2})\s*$/.exec(`${value as string}`) ?? [];
		return isOfField && code ? [`+${code}`] : [];
	});
	return codes[0];
}
