import type { IDataObject } from 'n8n-workflow';

import {
	collectedProperty,
	countryCodeProperty,
	filterProperty,
	mappingProperty,
	optionsField,
	OUTPUTS,
} from '../../trigger/callProperties';
import { withCallDetails } from '../../callDetails/callDetails';
import { newestFirst } from '../../log/attempts';
import { freeName, isObject } from '../../text/json';
import { getPastEvents } from '../deliveries/pastEvents';
import { readLogs } from '../deliveries/readLogs';
import { listFields, readLimit } from '../getMany';
import { isTool, type Item, type Operation } from '../operation';
import { ALL_WEBHOOKS, locatorField, WEBHOOK } from '../recordId';

const ofDeliveries = { show: { '/output': ['deliveries'] } };
const ofEvents = { show: { '/output': ['events'] } };
const ofRows = { show: { '/output': ['events'], '/eventOutput': ['row'] } };

/** Reads the logs of recent deliveries, with the responses of the receivers, or the events in them. */
export const getDeliveries: Operation = {
	name: 'Get Deliveries',
	description:
		'Get the recent deliveries of one or all webhooks with the responses of their receivers, or the past events in them',
	action: 'Get deliveries of webhooks',
	fields: [
		{
			...ALL_WEBHOOKS,
			description: 'Whether to get the deliveries of all webhooks instead of one',
		},
		{
			...locatorField(WEBHOOK, 'The webhook whose deliveries to get'),
			displayOptions: { show: { allWebhooks: [false] } },
		},
		...listFields,
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			// What an AI agent sees of a delivery is chosen field by field.
			displayOptions: { hide: { '@tool': [true] } },
			options: [
				{
					name: 'Deliveries',
					value: 'deliveries',
					description: 'Each attempt, with the response of the receiver',
				},
				{
					name: 'Events',
					value: 'events',
					description: 'Each event once and the oldest first, as the trigger outputs it',
				},
			],
			default: 'deliveries',
			description: 'What each item holds',
		},
		{
			displayName: 'Event Output',
			name: 'eventOutput',
			type: 'options',
			displayOptions: { show: { output: ['events'] } },
			options: OUTPUTS,
			default: 'both',
			description: 'What the item of an event holds',
		},
		optionsField([
			{ ...mappingProperty, displayOptions: ofEvents },
			{ ...collectedProperty, displayOptions: ofRows },
			{ ...countryCodeProperty, displayOptions: ofEvents },
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEventTypes' },
				default: [],
				description:
					'The events to get, beside those with an unknown name; none means every event. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				displayOptions: ofEvents,
			},
			{ ...filterProperty, displayOptions: ofEvents },
			{
				displayName: 'Only Failed',
				name: 'onlyFailed',
				type: 'boolean',
				default: false,
				description:
					'Whether to leave out what arrived. Deliveries with an unknown result are kept.',
			},
			{
				displayName: 'Only Missed',
				name: 'onlyMissed',
				type: 'boolean',
				default: false,
				description:
					'Whether to get only events that surely did not arrive (with All Webhooks, at one of them), and for which the log announces no further attempt. Events that the trigger has caught up on are among them.',
				displayOptions: ofEvents,
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
				displayOptions: ofDeliveries,
			},
			{
				displayName: 'Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				description: 'The earliest time of the last delivery of an event',
				displayOptions: ofEvents,
			},
			{
				displayName: 'Until',
				name: 'until',
				type: 'dateTime',
				default: '',
				description: 'The latest time of the last delivery of an event',
				displayOptions: ofEvents,
			},
		]),
	],
	passesEvents,

	async execute(item) {
		return passesEvents(item) ? await getPastEvents(item) : await getLogged(item);
	},
};

/** An AI agent gets deliveries only. */
function passesEvents(item: Item): boolean {
	return !isTool(item) && item.read('output', 'deliveries') === 'events';
}

async function getLogged(item: Item): Promise<IDataObject[]> {
	const limit = readLimit(item);
	const onlyFailed = item.read('options.onlyFailed', false) === true;
	const isSimple = item.read('options.simplify', true) !== false;
	// Failed deliveries may follow any number of others. One record shows no order.
	const most = onlyFailed ? Infinity : Math.max(limit, 2);
	const { logs, failures } = await readLogs(item, { most }, ({ value }) =>
		value.filter(({ lastArrived }) => !onlyFailed || lastArrived !== true),
	);
	const all = logs.flat();
	const chosen = ((logs.length > 1 && newestFirst(all)) || all).slice(0, limit);
	const records = chosen.map(({ record, details }) => {
		const { event } = details;
		// An AI agent sees no event, and no field of the service's record.
		if (isTool(item)) return { deliveryDetails: { ...details, event: null } };
		// So that a workflow can use the event like an item of the trigger.
		const added = { ...details, event: isObject(event) ? withCallDetails(event) : event };
		const field = freeName('deliveryDetails', record);
		return isSimple ? { deliveryDetails: added } : { [field]: added, ...record };
	});
	return [...records, ...failures];
}
