import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { readCustomer, type CallCustomer } from '../../customerMatch/call';
import { matchCustomer as match, RESULTS } from '../../customerMatch/match';
import { readRecord, type ReadRecord } from '../../customerMatch/record';
import type { BatchOperation } from '../operation';
import { sourceOf, throwSearchError } from './searchErrors';

const WIRING =
	'Connect the Voice Agent Trigger to Calls, and the search of your CRM or table to Records.';

/** Why a call has no customer, by the value of `person`. */
const REASONS: Record<string, string> = {
	withheld: 'The caller hid the phone number.',
	web: 'It was no phone call, and the event has no e-mail address of the customer.',
};
const UNKNOWN =
	'The event does not state for certain who the customer is. If you see the phone number in it, choose its field with the option Call Details Mapping of the trigger.';

/** Finds the record of each call's customer among the records of a search. */
export const matchCustomer: BatchOperation = {
	name: 'Match Customer',
	description: "Find the record of each call's customer among the records that a search has found",
	action: 'Match the customer of a call with CRM records',
	fields: [
		{
			displayName: `${WIRING} Each call goes to one output. It needs no credential.`,
			name: 'wiringNotice',
			type: 'notice',
			default: '',
		},
	],
	inputs: ['Calls', 'Records'],
	outputs: ['Found', 'New', 'Unclear', 'No Customer'],
	notAsTool: 'An AI agent may not match customers: a tool has one output.',

	executeAll(context) {
		const { main = [] } = context.getExecuteData().data;
		const [calls, records] = [main[0] ?? [], main[1] ?? []];
		const customers = readCalls(calls);
		throwSearchError(context, records);
		const readable = readRecords(context, records, calls);
		return route(calls, customers, readable);
	},
};

/** @throws UserError for an item that is no call, and without items */
function readCalls(calls: INodeExecutionData[]): CallCustomer[] {
	if (calls.length === 0) throw new UserError(`No call is at the input Calls. ${WIRING}`);
	return calls.map(({ json }, index) => {
		const customer = readCustomer(json);
		if (customer) return customer;
		throw new UserError(
			`Item ${index} at the input Calls has no call details. ${WIRING} The Output of the trigger must not be the event only.`,
		);
	});
}

/**
 * Reads the records. The empty item of *Always Output Data* is none.
 *
 * @throws UserError for calls in place of records, and for records without a field to match
 */
function readRecords(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	calls: INodeExecutionData[],
): ReadRecord[] {
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
		.map(({ json }) => readRecord(json));
	if (records.length > 0 && !records.some(({ isReadable }) => isReadable)) {
		throw new UserError(
			`The records of "${source}" have no field for a phone number or an e-mail address. Let it return these fields, with one item for each record.`,
		);
	}
	return records;
}

/** Puts each call at its output, paired with its item. */
function route(
	calls: INodeExecutionData[],
	customers: CallCustomer[],
	records: ReadRecord[],
): INodeExecutionData[][] {
	const verdicts = customers.map((customer) => match(customer, records));
	return RESULTS.map((output) =>
		calls.flatMap(({ json, binary }, item) => {
			const { result, record, candidates } = verdicts[item]!;
			if (result !== output) return [];
			const { person } = customers[item]!;
			const reason = REASONS[person] ?? UNKNOWN;
			const matched: IDataObject = { ...json, record, candidates };
			if (result === 'noCustomer') matched.reason = reason;
			return [{ json: matched, ...(binary && { binary }), pairedItem: { item } }];
		}),
	);
}
