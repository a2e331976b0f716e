import type { IDataObject } from 'n8n-workflow';

import {
	collectedProperty,
	countryCodeProperty,
	filterProperty,
	mappingProperty,
	optionsField,
	OUTPUTS,
} from '../../trigger/callProperties';
import { hasArrived, type DeliveryDetails, type LoggedEndpoint } from '../../log/attempts';
import { getPastEvents } from '../deliveries/pastEvents';
import { readLogs, withDeliveryDetails } from '../deliveries/readLogs';
import { listFields, readLimit, requestRecords } from '../getMany';
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
	const { read } = item;
	const limit = readLimit(item);
	const onlyFailed = read('options.onlyFailed', false) === true;
	const isSimple = read('options.simplify', true) !== false;
	const { logs, failures } = await readLogs(item, async (endpoint: LoggedEndpoint) => {
		const readFirst = async (most: number) => {
			const part = { limit: most, endpointId: endpoint.id };
			return withDeliveryDetails(await requestRecords(item, 'deliveries', part), endpoint);
		};
		// Failed deliveries may follow any number of others. One record shows no order.
		const most = onlyFailed ? Infinity : Math.max(limit, 2);
		const first = await readFirst(most);
		// Many logs end with the newest records.
		const isCut = first.length === most && isRising(first);
		const records = isCut ? await readFirst(Infinity) : first;
		return (isRising(records) ? records.toReversed() : records)
			.filter(({ details }) => !onlyFailed || hasArrived(details) !== true)
			.map(({ json, details }) => {
				// An AI agent sees no event, and no field of the service's record.
				if (isTool(item)) return { deliveryDetails: { ...details, event: null } };
				return isSimple ? { deliveryDetails: details } : json;
			});
	});
	return [...logs.flat().slice(0, limit), ...failures];
}

/** Whether the last of some records is newer than the first. In between, the attempts of an event may stand together. */
function isRising(records: Array<{ details: DeliveryDetails }>): boolean {
	const times = records.flatMap(({ details: { time } }) => time ?? []);
	return (times.at(-1) ?? '') > (times[0] ?? '');
}
