/** Reads the customer of a call from an item: from its call details, or from the columns of a table row. */
import type { IDataObject } from 'n8n-workflow';

import { readName } from '../callDetails/names';
import { readEmail } from '../callDetails/values';
import { isObject } from '../text/json';
import { readNumbers } from '../callDetails/sameNumber';

/** The customer of a call. The values of one who is not known are missing. */
export type CallCustomer = ReturnType<typeof toCustomer>;

/**
 * Reads the customer of a call.
 *
 * @returns undefined for an item that is no call: it has neither call details nor the columns of a row
 */
export function readCustomer(json: IDataObject): CallCustomer | undefined {
	const details = callDetailsIn(json);
	if (details) return toCustomer(details.person, details.customer as IDataObject);
	if (typeof json.call_id !== 'string' && typeof json.call_id !== 'number') return undefined;
	const { customer_phone: phone, customer_email: email, customer_name: name, person } = json;
	return toCustomer(person, { phone, email, name });
}

function toCustomer(person: unknown, { phone, email, name }: IDataObject) {
	return {
		numbers: readNumbers(phone),
		emails: [readEmail(email) ?? []].flat(),
		name: readName(name),
		/** As in call details; `unknown` if a row lacks it. */
		person: typeof person === 'string' ? person : 'unknown',
	};
}

/** Finds the call details of the trigger: `callDetails`, or `callDetails_1` beside a field of that name. */
function callDetailsIn(json: IDataObject): IDataObject | undefined {
	const isCallDetails = (value: unknown): value is IDataObject =>
		isObject(value) && 'person' in value && isObject(value.customer);
	const names = Object.keys(json).filter((key) => /^callDetails(_\d+)?$/.test(key));
	return names.map((name) => json[name]).find(isCallDetails);
}
