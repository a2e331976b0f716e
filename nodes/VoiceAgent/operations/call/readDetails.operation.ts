import { UserError, type IDataObject } from 'n8n-workflow';

import { readCallDetails, withCallDetails } from '../../callDetails/callDetails';
import { toRow } from '../../callDetails/row';
import { countryCodeProperty, itemMappingProperty } from '../../delivery/callProperties';
import { idsIn } from '../../delivery/item';
import type { Headers } from '../../delivery/signatures';
import { readReading } from '../../delivery/triggerSettings';
import { rowIdOf } from '../../deliveryLog/eventKeys';
import { isObject } from '../../matcher/json';
import type { Item, Operation } from '../operation';

/** Reads the call details of events that did not come through the trigger. */
export const readDetails: Operation = {
	name: 'Read Details',
	description:
		'Read the call details of an event from elsewhere, such as a Webhook node or the file of an export',
	action: 'Read the details of a call',
	isLocal: true,
	notAsTool: 'An AI agent may not read call details: let it read the event itself.',
	fields: [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Item and Call Details', value: 'both' },
				{
					name: 'Table Row',
					value: 'row',
					description:
						'One value in each field, such as customer_phone. What is unknown has no field.',
				},
			],
			default: 'both',
			description: 'What each item holds',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [itemMappingProperty, countryCodeProperty],
		},
	],

	execute(item) {
		const { context, index, read } = item;
		const json = context.getInputData()[index]?.json ?? {};
		const details = readCallDetails(json, readOptions(item));
		const isRow = read('output', 'both') === 'row';
		return Promise.resolve(
			isRow ? toRow(details, details.id ?? idOf(json)) : withCallDetails(json, details),
		);
	},
};

/** @throws UserError for a wrong mapping or country code */
function readOptions({ context, index, read }: Item) {
	const raw = context.getNodeParameter('options', index, {}, { rawExpressions: true });
	const { callDetailsMapping } = raw as IDataObject;
	const code = read('options.countryCode', '');
	const { reading, problems } = readReading(callDetailsMapping, code, context.getTimezone());
	if (problems[0]) throw new UserError(problems[0]);
	return reading;
}

/** Makes the id of a row. The item of a Webhook node has the event in its `body`. */
function idOf(json: IDataObject): string {
	const { body, headers } = json;
	return isObject(body) && isObject(headers)
		? rowIdOf(body, idsIn(headers as Headers, []))
		: rowIdOf(json, []);
}
