/** Reads from a record what identifies its person: numbers, addresses and the name. */
import type { IDataObject } from 'n8n-workflow';

import { nameWords, readName } from '../callDetails/names';
import { readEmail, readInstant } from '../callDetails/values';
import { TITLES } from '../callDetails/vocabulary/nameWords';
import { hasAny, plainOf, setOf, wordsOfText } from '../text/words';
import {
	callingCodeBeside,
	fieldsOf,
	namesOthers,
	readWords,
	topicOf,
	whoseIs,
	type RecordField,
	type Whose,
} from './fields';
import { completes, readNumbers, type ReadNumber } from './numbers';
import { INACTIVE_STATES, OWN_FIELDS, type RecordTopic } from './vocabulary';

/** The numbers and addresses in a field. */
export interface ReadField {
	/** The field's name for a person: its label, or its path. */
	name: string;
	numbers: ReadNumber[];
	emails: string[];
}

/** A record, read once for all calls. */
export interface ReadRecord {
	json: IDataObject;
	recordId: string | number | null;
	/** Empty if the record has no name. */
	name: string;
	/** Equal for equal names, whatever their case, accents, order and titles. */
	nameKey: string;
	/** The time at which it was created (ms), and its ID if that is a number; else Infinity. */
	created: number;
	id: number;
	/** Whether it is deleted, archived, converted or the like. */
	isInactive: boolean;
	/** The person's numbers and addresses. */
	numbers: ReadNumber[];
	emails: string[];
	/** The fields of which is unknown whose number or address they hold. */
	unknown: ReadField[];
}

/** A record with the customer's number, address, or both. */
export interface Fit {
	record: ReadRecord;
	hasNumber: boolean;
	hasEmail: boolean;
}

const titles = new Set([...TITLES].flatMap(nameWords));
const ownFields = setOf(OWN_FIELDS);
/** The most numbers of a person. */
const MOST_NUMBERS = 50;
/** A text with more characters is a note. */
const LONGEST_TEXT = 2000;

/**
 * Reads a record of a CRM or table.
 *
 * @param customerFields the names of fields whose values are the person's
 */
export function readCustomerRecord(json: IDataObject, customerFields: string[] = []): ReadRecord {
	const fields = fieldsOf(json);
	const valuesOf = valuesByTopic(fields);
	const [first, last, full] = (['first', 'last', 'name'] as const).map(
		(topic) => valuesOf(topic).flatMap((value) => readName(value) ?? [])[0] ?? '',
	) as [string, string, string];
	const name = fuller(`${first} ${last}`.trim(), full);
	const [recordId = null] = valuesOf('id').filter(isRecordId);
	const created = valuesOf('created').flatMap((value) => readInstant(value, true) ?? []);
	return {
		json,
		recordId,
		name,
		nameKey: nameKeyOf(name),
		created: created.reduce((a, b) => Math.min(a, b), Infinity),
		id: /^\d+$/.test(`${recordId}`) ? Number(recordId) : Infinity,
		isInactive: isNotInUse(valuesOf),
		...readValues(fields, new Set(customerFields.map(plainOf))),
	};
}

/** The key of a name. `Dr. Ada Lovelace`, `LOVELACE ADA` → `ada lovelace` */
export function nameKeyOf(name: string): string {
	const words = nameWords(name).filter((word) => !titles.has(word));
	return [...new Set(words)].sort().join(' ');
}

/** Returns the values of each topic: the surest first, then those of the outer fields. */
function valuesByTopic(fields: RecordField[]): (topic: RecordTopic) => unknown[] {
	const found = fields.flatMap((field) => {
		const [topic, confidence] = topicOf(field) ?? [];
		return topic ? [{ topic, confidence: confidence!, ...field }] : [];
	});
	const sorted = found.sort(
		(a, b) => b.confidence - a.confidence || a.names.length - b.names.length,
	);
	return (topic) => sorted.filter((one) => one.topic === topic).map(({ value }) => value);
}

/** The name with more words. In some tables the column for names holds the last name only. */
function fuller(a: string, b: string): string {
	return nameWords(b).length >= nameWords(a).length ? b : a;
}

function isRecordId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Collects the numbers and addresses of a record. A national number that also stands with its country counts once. */
function readValues(fields: RecordField[], customerFields: ReadonlySet<string>) {
	const values: Record<Whose, ReadField[]> = { own: [], other: [], unknown: [] };
	for (const field of fields) {
		const { value } = field;
		const [numbers, emails] = [numbersIn(field), readEmails(value)];
		if (numbers.length + emails.length === 0) continue;
		const name = nameOf(field);
		const isChosen = [name, field.names.at(-1)!].some((one) => customerFields.has(plainOf(one)));
		const whose = isChosen ? 'own' : whoseIs(field);
		const isUnsure = !isChosen && whose === 'own' && namesOthers(`${value as string}`);
		values[isUnsure ? 'unknown' : whose].push({ name, numbers, emails });
	}
	const own = values.own.flatMap(({ numbers }) => numbers).slice(0, MOST_NUMBERS);
	const alone = (numbers: ReadNumber[]) =>
		numbers.filter((number) => !own.some((one) => isRepeated(number, one)));
	return {
		numbers: alone(own),
		emails: values.own.flatMap(({ emails }) => emails),
		unknown: values.unknown.map((read) => ({ ...read, numbers: alone(read.numbers) })),
	};
}

function numbersIn(field: RecordField): ReadNumber[] {
	const numbers = readNumbers(field.value);
	const code = numbers.some((number) => number.code === undefined) && callingCodeBeside(field);
	return code ? readNumbers(field.value, code) : numbers;
}

/** Whether a number without its country is the national form of another one. */
function isRepeated(number: ReadNumber, other: ReadNumber): boolean {
	return number.code === undefined && completes(number, other);
}

/** The name of a field for a person: the label beside it, else its path. `properties.billing.phone` → `billing.phone` */
function nameOf({ names, labels }: RecordField): string {
	const holders = names.slice(0, -1).filter((name) => !ownFields.has(readWords(name).phrase));
	return labels.at(-1) ?? [...holders, ...names.slice(-1)].join('.');
}

/** Reads the e-mail addresses in a text. `ada@example.com; Ada <lovelace@example.com>` → two addresses */
function readEmails(value: unknown): string[] {
	if (typeof value !== 'string' || !value.includes('@') || value.length > LONGEST_TEXT) return [];
	return value.split(/[\s;,<>()|"]+|mailto:/).flatMap((part) => readEmail(part) ?? []);
}

/** Whether a record is not in use. `archived: true`, `status: 'Deleted'`, `active: false` → true */
function isNotInUse(valuesOf: (topic: RecordTopic) => unknown[]): boolean {
	const isNo = (value: unknown) => /^\s*(0|false|no|n|nein|non)\s*$/i.test(`${value as string}`);
	return (
		valuesOf('inactive').some((value) => value !== null && value !== '' && !isNo(value)) ||
		valuesOf('active').some(isNo) ||
		valuesOf('state').some((value) => hasAny(wordsOfText(value), INACTIVE_STATES))
	);
}
