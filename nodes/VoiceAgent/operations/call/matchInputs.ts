/** Reads the two inputs of Match Customer, and says what is wrong with them. */
import { UserError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { readCustomer, type CallCustomer } from '../../customerMatch/call';
import { readCustomerRecord, type ReadRecord } from '../../customerMatch/record';
import { nodesBeforeRecords, sourceOf, throwSearchError } from './searchErrors';

/** What to connect, for the user. */
export const WIRING =
	'Connect the Voice Agent Trigger to Calls, and the search of your CRM or table to Records.';

/**
 * Reads the customers of the items at Calls.
 *
 * @throws UserError for an item that is no call, and without items
 */
export function readCalls(calls: INodeExecutionData[]): CallCustomer[] {
	if (calls.length === 0) throw new UserError(`No call is at the input Calls. ${WIRING}`);
	return calls.map(({ json }, index) => {
		const customer = readCustomer(json);
		if (customer) return customer;
		throw new UserError(
			`Item ${index} at the input Calls has no call details. ${WIRING} The Output of the trigger must not be Event Only.`,
		);
	});
}

/**
 * Reads the items at Records. The empty item of *Always Output Data* is none.
 *
 * @throws UserError if nothing is connected, for a search that failed, for calls in place of records, and for
 *   records without a field to match
 */
export function readRecords(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	calls: INodeExecutionData[],
): ReadRecord[] {
	if (sourceOf(context, 1) === undefined && nodesBeforeRecords(context).length === 0) {
		throw new UserError(`Nothing is connected to the input Records. ${WIRING}`);
	}
	throwSearchError(context, items);
	const source = sourceOf(context, 1) ?? 'The search';
	// A node that fails and continues hands its input on, if it threw its error.
	const handedOn = new Set(calls.map(({ json }) => JSON.stringify(json)));
	if (items.some(({ json }) => handedOn.has(JSON.stringify(json)))) {
		throw new UserError(
			`"${source}" sends calls to the input Records. If it is the search, it failed: correct the cause, then run the execution again. Else: ${WIRING}`,
		);
	}
	const records = items
		.filter(({ json }) => Object.keys(json).length > 0)
		.map(({ json }) => readCustomerRecord(json));
	if (records.length > 0 && !records.some(({ isReadable }) => isReadable)) {
		throw new UserError(
			`The records of "${source}" have no field for a phone number or an e-mail address. Let it return these fields, with one item for each record.`,
		);
	}
	return records;
}
