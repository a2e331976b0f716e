import { UserError, type IDataObject } from 'n8n-workflow';

import { readCallDetails, withCallDetails } from '../../callDetails/callDetails';
import { parseInputPath, readMapping } from '../../callDetails/mapping';
import { toRow } from '../../callDetails/writing';
import {
	collectedProperty,
	countryCodeProperty,
	itemMappingProperty,
	optionsField,
	ROW_OUTPUT,
} from '../../trigger/callProperties';
import { readDetailOptions } from '../../trigger/settings';
import { rowIdOf } from '../../events/identity';
import { isObject } from '../../text/json';
import type { Operation } from '../operation';

/** Reads the call details of events that did not come through the trigger. */
export const readDetails: Operation = {
	name: 'Read Details',
	description:
		'Read the call details of an event from elsewhere, such as a Webhook node or the file of an export',
	action: 'Read details of call',
	isLocal: true,
	notAsTool: 'An AI agent may not read call details: let it read the event itself.',
	fields: [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [{ name: 'Item and Call Details', value: 'both' }, ROW_OUTPUT],
			default: 'both',
			description: 'What each item holds',
		},
		optionsField([itemMappingProperty, collectedProperty, countryCodeProperty]),
	],

	execute({ context, index, read }) {
		const json = context.getInputData()[index]?.json ?? {};
		const raw = context.getNodeParameter('options', index, {}, { rawExpressions: true });
		const mapped = readMapping((raw as IDataObject).callDetailsMapping, parseInputPath);
		const option = (name: string) => read(`options.${name}`, '');
		const { detailOptions, problem } = readDetailOptions(mapped, option, context.getTimezone());
		if (problem) throw new UserError(problem);
		const details = readCallDetails(json, detailOptions);
		// The item of a Webhook node has the event in its body.
		const event = isObject(json.body) ? json.body : json;
		const isRow = read('output', 'both') === 'row';
		return Promise.resolve(
			isRow
				? toRow(details, details.id ?? rowIdOf(event, []), detailOptions)
				: withCallDetails(json, details),
		);
	},
};
