/** Reads from a record what identifies its person: numbers, addresses and the name. */
import type { IDataObject } from 'n8n-workflow';

import { isSameName, nameWords, readName, readPersonName } from '../callDetails/names';
import { plainDigits } from '../callDetails/phoneNumbers';
import { readEmail } from '../callDetails/values';
import { readInstant } from '../text/times';
import { TITLES } from '../callDetails/vocabulary/valueWords';
import { isId } from '../text/json';
import { hasAny, hasOnly, plainOf, wordsOf } from '../text/words';
import { fieldsOfRecord, fieldLabel, topicOf, isOfPerson, type RecordField } from './fields';
import {
	completes,
	FEWEST_LOCAL_DIGITS,
	readNumbers,
	type ReadNumber,
} from '../callDetails/sameNumber';
import { INACTIVE_STATES, type RecordTopic } from './vocabulary';

/** A record, read once for all calls, with the person's numbers and addresses. */
export type ReadRecord = ReturnType<typeof readCustomerRecord>;

/** A field of a record with a number, an address or many digits. */
export type ReadField = ReadRecord['fields'][number];

/** A record with the customer's number, address, or both. */
export interface Fit {
	record: ReadRecord;
	hasNumber: boolean;
	hasEmail: boolean;
}

/** A text with more characters is a note. */
const LONGEST_TEXT = 1000;
const titles = new Set([...TITLES].flatMap(nameWords));

/**
 * Reads a record of a CRM or table.
 *
 * @param customerFields the names of fields whose values are the person's
 */
export function readCustomerRecord(json: IDataObject, customerFields: string[] = []) {
	const fields = fieldsOfRecord(json);
	const valuesOf = valuesByTopic(fields);
	const nameIn = (topic: RecordTopic) =>
		valuesOf(topic).flatMap((value) => readName(value) ?? [])[0] ?? '';
	const [first, last] = [nameIn('first'), nameIn('last')];
	const full = nameIn('name');
	const name = joinName(first, last, full) || personIn(valuesOf('person'));
	const created = valuesOf('created').flatMap((value) => readInstant(value, true) ?? []);
	// The name of a field may have commas, at which the option is split.
	const own = new Set([...customerFields, customerFields.join()].map(plainOf).filter(Boolean));
	return {
		json,
		recordId: valuesOf('id').find(isId) ?? null,
		/** Empty if the record has no name. */
		name,
		/** Empty also for a name that relatives share: a last name without a first one, or that of a contact. */
		nameKey: full || valuesOf('first').length > 0 ? nameKeyOf(name) : '',
		/** The time at which it was created (ms); else Infinity. */
		created: created.reduce((a, b) => Math.min(a, b), Infinity),
		/** Whether it is deleted, archived, converted or the like. */
		isInactive: isNotInUse(valuesOf),
		...readPersonValues(fields, nameKeyOf(name), own),
	};
}

/**
 * The key of a name, equal for equal names, whatever their case, accents, order and titles. `Dr. Ada Lovelace`,
 * `LOVELACE ADA` → `ada lovelace`
 */
export function nameKeyOf(name: string): string {
	const words = nameWords(name).filter((word) => !titles.has(word));
	return [...new Set(words)].sort().join(' ');
}

/** Returns the values of each topic: those of the outer fields first, then those of the shorter names. */
function valuesByTopic(fields: RecordField[]): (topic: RecordTopic) => unknown[] {
	const found = fields.flatMap((field) => {
		const { topic, words } = topicOf(field) ?? {};
		return topic ? [{ topic, value: field.value, rank: [field.names.length, words!.length] }] : [];
	});
	const byRank = found.sort(({ rank: a }, { rank: b }) => a[0]! - b[0]! || a[1]! - b[1]!);
	return (topic) => byRank.filter((one) => one.topic === topic).map(({ value }) => value);
}

/**
 * Joins what a record states of a name. In some tables the column for names holds a part of it only: `Ada`, ``, `Reid` →
 * `Ada Reid`; `Ada`, `Reid`, `Dr. Ada Reid` → `Dr. Ada Reid`; `Ada`, `Reid`, `Acme` → `Ada Reid`
 */
function joinName(first: string, last: string, full: string): string {
	const parts = `${first} ${last}`.trim();
	if (!isSameName(parts, full)) {
		return first && last ? parts : [first, full, last].filter(Boolean).join(' ');
	}
	return nameWords(full).length >= nameWords(parts).length ? full : parts;
}

/** The name in a column such as `Customer`; it may be a parent's of several people. One word is none: `Facebook` */
function personIn(values: unknown[]): string {
	const names = values.flatMap((value) => readPersonName(value) ?? []);
	return names.find((one) => nameWords(one).length > 1) ?? '';
}

/** Whether a record is not in use. `archived: true`, `status: 'Deleted'` → true */
function isNotInUse(valuesOf: (topic: RecordTopic) => unknown[]): boolean {
	const isNo = (value: unknown) =>
		/^(|-|—|0|false|no?|n\/a|none|nein|null)$/i.test(`${value as string}`.trim());
	return (
		!valuesOf('inactive').every(isNo) ||
		valuesOf('state').some((value) => hasAny(wordsOf(value), INACTIVE_STATES))
	);
}

/** Collects numbers and addresses. A national number that also stands with its country counts once. */
function readPersonValues(fields: RecordField[], key: string, chosen: ReadonlySet<string>) {
	const ofName = new Set(key.split(' '));
	const read = fields.flatMap((field) => {
		const values = {
			numbers: readNumbers(field.value, field.callingCode),
			emails: readEmails(field.value),
		};
		const digits = digitsIn(field.value);
		if (values.emails.length === 0 && digits.length < FEWEST_LOCAL_DIGITS) return [];
		// An address may have its person's name as a label.
		const labels = field.labels.filter((label) => !hasOnly(nameKeyOf(label).split(' '), ofName));
		const label = fieldLabel({ ...field, labels });
		const isChosen = [label, ...labels].some((name) => chosen.has(plainOf(name)));
		const isAnothers = field.people.some((one) => key && one && !isSameName(nameKeyOf(one), key));
		const isOwn = isChosen || (!isAnothers && isOfPerson({ ...field, labels }));
		return [{ ...values, digits, label, isOwn }];
	});
	const own = read.filter(({ isOwn }) => isOwn);
	const numbers = own.flatMap((one) => one.numbers);
	const isOf = (one: ReadNumber, other: ReadNumber) =>
		one.end === other.end && completes(one, other);
	return {
		numbers: numbers.filter((one) => one.code || !numbers.some((other) => isOf(one, other))),
		emails: own.flatMap(({ emails }) => emails),
		/** The fields with a number, an address or many digits, also those that may be another's. */
		fields: read,
	};
}

/** The digits of a text in a row, also of one from which no number can be read. */
function digitsIn(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	return plainDigits(`${value}`.slice(0, LONGEST_TEXT)).replace(/\D/g, '');
}

/** Reads the e-mail addresses in a text. `ada@example.com; Ada <lovelace@example.com>` → two addresses */
function readEmails(value: unknown): string[] {
	if (typeof value !== 'string' || !value.includes('@') || value.length > LONGEST_TEXT) return [];
	return value
		.split(/[\s;,:<>(){}[\]|/"]+/)
		.flatMap((part) => readEmail(part.replace(/[.'’]+$/, '')) ?? []);
}
