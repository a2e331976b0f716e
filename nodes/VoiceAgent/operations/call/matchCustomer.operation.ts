import { matchCustomers, RESULTS } from '../../customerMatch/match';
import { readChoices } from '../../text/json';
import { optionsField } from '../../trigger/callProperties';
import type { BatchOperation } from '../operation';
import { readCalls, readRecords, WIRING } from './matchInputs';

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
		optionsField([
			{
				displayName: 'Customer Fields',
				name: 'customerFields',
				type: 'string',
				default: '',
				placeholder: 'e.g. Callback number, owner.phone',
				description:
					"Further fields of a record that hold the customer's own number or e-mail address, separated by commas. The reason of an unclear call names such a field.",
			},
		]),
	],
	inputs: ['Calls', 'Records'],
	outputs: ['Found', 'New', 'Unclear', 'No Customer'],
	notAsTool: 'An AI agent may not match customers: a tool has one output.',

	executeAll(context) {
		const { main = [] } = context.getExecuteData().data;
		const [calls, records] = [main[0] ?? [], main[1] ?? []];
		const customers = readCalls(calls);
		const fields = readChoices(context.getNodeParameter('options.customerFields', 0, ''));
		const matches = matchCustomers(customers, readRecords(context, records, calls, fields));
		// Each call is at its output, paired with its item.
		return RESULTS.map((output) =>
			calls.flatMap(({ json, binary }, item) => {
				const { result, ...match } = matches[item]!;
				if (result !== output) return [];
				return [{ json: { ...json, ...match }, ...(binary && { binary }), pairedItem: { item } }];
			}),
		);
	},
};
