import { readCallDetails, withCallDetails } from '../../callDetails/callDetails';
import { parseInputPath } from '../../callDetails/mapping';
import { toRow } from '../../callDetails/writing';
import {
	collectedProperty,
	countryCodeProperty,
	itemMappingProperty,
	optionsField,
	ROW_OUTPUT,
} from '../../trigger/callProperties';
import { hintsFor } from '../../editor/hints';
import { rowIdOf } from '../../events/identity';
import { isObject } from '../../text/json';
import { readEventSettings, type Operation } from '../operation';

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

	execute(item) {
		const json = item.context.getInputData()[item.index]?.json ?? {};
		const settings = readEventSettings(item, {}, parseInputPath);
		const { output, detailOptions } = settings;
		if (item.index === 0 && item.context.getMode() === 'manual') {
			for (const message of hintsFor(json, undefined, { ...settings, requestTest: false })) {
				item.context.addExecutionHints({ message, location: 'outputPane' });
			}
		}
		const details = readCallDetails(json, detailOptions);
		// The item of a Webhook node has the event in its body.
		const event = isObject(json.body) ? json.body : json;
		return Promise.resolve(
			output === 'row'
				? toRow(details, details.id ?? rowIdOf(event, []), detailOptions)
				: withCallDetails(json, details),
		);
	},
};
