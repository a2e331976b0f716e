import type { INodeProperties } from 'n8n-workflow';

import { filterProperty } from '../callDetails/filter';
import { countryCodeProperty, mappingProperty } from '../callDetails/properties';

const scheme: INodeProperties = {
	displayName: 'Scheme',
	name: 'scheme',
	type: 'options',
	options: [
		{
			name: 'HMAC of the Body',
			value: 'hmac',
			description: 'A plain HMAC of the raw body in one header',
		},
		{
			name: 'HMAC of Timestamp and Body',
			value: 'timestampedHmac',
			description: 'A header such as t=…,v1=…, valid for five minutes',
		},
		{
			name: 'None',
			value: 'none',
			description: 'The secret token in the webhook URL authenticates deliveries',
		},
		{
			name: 'Standard Webhooks',
			value: 'standardWebhooks',
			description: 'As standardwebhooks.com describes, with a secret such as whsec_…',
		},
	],
	default: 'standardWebhooks',
	description:
		'How the service signs its deliveries. A delivery without a valid signature is refused.',
};

const withHmac = { show: { scheme: ['hmac', 'timestampedHmac'] } };

const header: INodeProperties = {
	displayName: 'Header',
	name: 'header',
	type: 'string',
	default: 'x-signature',
	placeholder: 'e.g. x-signature',
	description: 'The header that carries the signature',
	displayOptions: withHmac,
};

const hash: INodeProperties = {
	displayName: 'Hash',
	name: 'hash',
	type: 'options',
	options: [
		{ name: 'SHA-1', value: 'sha1' },
		{ name: 'SHA-256', value: 'sha256' },
		{ name: 'SHA-512', value: 'sha512' },
	],
	default: 'sha256',
	description: 'The hash function of the HMAC',
	displayOptions: withHmac,
};

const encoding: INodeProperties = {
	displayName: 'Encoding',
	name: 'encoding',
	type: 'options',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Hex', value: 'hex' },
	],
	default: 'hex',
	description: 'How the signature is written in its header',
	displayOptions: withHmac,
};

const prefix: INodeProperties = {
	displayName: 'Prefix',
	name: 'prefix',
	type: 'string',
	default: '',
	placeholder: 'e.g. sha256=',
	description: 'The text before the signature in its header, if any',
	displayOptions: { show: { scheme: ['hmac'] } },
};

/** The trigger's parameters. */
export const properties: INodeProperties[] = [
	{
		displayName:
			'Publish to start receiving events. n8n creates the webhook, and removes it when you unpublish.',
		name: 'lifecycleNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Event Names or IDs',
		name: 'events',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getEventTypes' },
		default: ['call.completed'],
		description:
			'The events that start the workflow. With none chosen, every event does. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Add Call Details',
		name: 'callDetails',
		type: 'boolean',
		default: true,
		description:
			'Whether to add callDetails: customer, agent, times, outcome, summary and transcript, always in the same fields',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Add Delivery Details',
				name: 'deliveryDetails',
				type: 'boolean',
				default: false,
				description:
					'Whether to add delivery: the event, the delivery ID, its time and its headers; of a missed event, also how it was missed',
			},
			mappingProperty,
			{
				displayName: 'Catch Up on Missed Events',
				name: 'catchUp',
				type: 'boolean',
				noDataExpression: true,
				default: true,
				description:
					"Whether to start the workflow for events that did not reach n8n, such as while it was down. Every 15 minutes n8n looks for them in the service's log. It costs no execution while nothing was missed.",
			},
			countryCodeProperty,
			filterProperty,
			{
				displayName: 'Outputs',
				name: 'outputs',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				description:
					'Give each chosen event an output of its own, and all other events the last one, "Other". n8n connects branches to positions, so no output moves when you change the events: a new event comes out of "Other" until you choose the outputs again. If you reorder outputs, reconnect their branches.',
				modes: [
					{
						displayName: 'From List',
						name: 'list',
						type: 'list',
						typeOptions: { searchListMethod: 'getOutputs' },
					},
				],
			},
			{
				displayName: 'Respond',
				name: 'acknowledge',
				type: 'options',
				// n8n resolves no expression in parameters that its webhook description reads.
				noDataExpression: true,
				options: [
					{
						name: 'Immediately',
						value: 'received',
						description: 'Confirm receipt immediately, even if the workflow fails later',
					},
					{
						name: 'When Last Node Finishes',
						value: 'finished',
						description:
							'The service resends the event if the execution fails or n8n goes down. For workflows that finish within seconds.',
					},
				],
				default: 'received',
				description: 'When to confirm to the service that an event has arrived',
			},
			{
				displayName: 'Test Event',
				name: 'testEvent',
				type: 'options',
				options: [
					{
						name: 'Request a Test Event',
						value: 'sample',
						description: 'The service sends a test event immediately, without a phone call',
					},
					{
						name: 'Wait for a Real Event',
						value: 'real',
						description: 'Show the next event of a real call',
					},
				],
				default: 'sample',
				description: 'Which event "Execute step" shows while you build the workflow',
			},
			{
				displayName: 'Verify Signature',
				name: 'signature',
				type: 'fixedCollection',
				default: { settings: {} },
				description: 'Whether to refuse deliveries without a valid signature of the service',
				options: [
					{
						displayName: 'Signature',
						name: 'settings',
						values: [scheme, header, hash, encoding, prefix],
					},
				],
			},
		],
	},
];
