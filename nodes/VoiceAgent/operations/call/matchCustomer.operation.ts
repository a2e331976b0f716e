import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { CallCustomer } from '../../customerMatch/call';
import { matchCustomer as match, RESULTS } from '../../customerMatch/match';
import type { ReadRecord } from '../../customerMatch/record';
import type { BatchOperation } from '../operation';
import { readCalls, readRecords, WIRING } from './matchInputs';

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
	action: 'Match customer of call with CRM records',
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
		return route(calls, customers, readRecords(context, records, calls));
	},
};

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
