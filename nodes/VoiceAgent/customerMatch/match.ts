/**
 * Decides which record of a CRM is a call's customer. In this folder,
 * - call.ts reads the customer of a call, and record.ts the person of a record;
 * - numbers.ts compares phone numbers;
 * - vocabulary.ts has the names of a record's fields.
 */
import type { IDataObject } from 'n8n-workflow';

import { isSameName } from '../callDetails/names';
import type { CallCustomer } from './call';
import { areEqual } from './numbers';
import type { ReadRecord } from './record';

/** The results, in the order of the node's outputs. */
export const RESULTS = ['found', 'new', 'unclear', 'noCustomer'] as const;

/** Which record is a call's customer. */
export interface MatchResult {
	result: (typeof RESULTS)[number];
	/** The customer's record, if it is found. */
	record: IDataObject | null;
	/** All records with a number or address of the customer. */
	candidates: IDataObject[];
}

/**
 * Decides which record is the customer of a call.
 *
 * @param records in any order; each is compared with the call
 */
export function matchCustomer(customer: CallCustomer, records: ReadRecord[]): MatchResult {
	if (customer.numbers.length === 0 && customer.email === null) {
		return { result: 'noCustomer', record: null, candidates: [] };
	}
	const fitting = records.filter(
		(record) => sharesNumber(record, customer) || sharesEmail(record, customer),
	);
	const candidates = fitting.map(({ json }) => json);
	if (fitting.length === 0) return { result: 'new', record: null, candidates };
	const person = choosePerson(fitting, customer);
	if (!person) return { result: 'unclear', record: null, candidates };
	return { result: 'found', record: person.reduce(older).json, candidates };
}

function sharesNumber({ numbers }: ReadRecord, customer: CallCustomer): boolean {
	return numbers.some((one) => customer.numbers.some((other) => areEqual(one, other)));
}

function sharesEmail({ emails }: ReadRecord, { email }: CallCustomer): boolean {
	return email !== null && emails.includes(email);
}

/**
 * Chooses the records of one person: all that fit, else those with the stated e-mail address, else those
 * with the stated name. `Ada` and `Byron` share a phone, and the call states `Ada` → the records of `Ada`
 */
function choosePerson(fitting: ReadRecord[], customer: CallCustomer): ReadRecord[] | undefined {
	const ofEmail = fitting.filter((record) => sharesEmail(record, customer));
	const ofName = fitting.filter(
		({ name }) => customer.name !== null && isSameName(name, customer.name),
	);
	return [fitting, ofEmail, ofName].find((group) => isOnePerson(group, customer));
}

/** Whether records are of one person: they share the number or the address, and all names among them are one. */
function isOnePerson(group: ReadRecord[], customer: CallCustomer): boolean {
	const names = new Set(group.map(({ nameKey }) => nameKey).filter(Boolean));
	const shares = [sharesNumber, sharesEmail];
	return (
		(names.size === 1 || group.length === 1) &&
		shares.some((isShared) => group.every((one) => isShared(one, customer)))
	);
}

/** The older of two records: by its time of creation, else by its numeric ID; else the first. */
function older(a: ReadRecord, b: ReadRecord): ReadRecord {
	const isOlder = b.created === a.created ? b.id < a.id : b.created < a.created;
	return isOlder ? b : a;
}
