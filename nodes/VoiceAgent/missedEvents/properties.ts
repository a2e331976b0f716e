import type { INodeProperties } from 'n8n-workflow';

import { filterProperty } from '../callDetails/filter';
import { callDetailsProperties } from '../callDetails/properties';
import { eventsProperties } from '../delivery/properties';
import { MIN_AGE_MINUTES } from './settings';

/** The parameters of the Missed Events Trigger. */
export const pollProperties: INodeProperties[] = [
	{
		displayName: 'Webhooks',
		name: 'webhooks',
		type: 'options',
		options: [
			{
				name: 'Chosen Webhooks',
				value: 'chosen',
				description: 'The webhooks that you choose from the list',
			},
			{
				name: 'All Webhooks of This N8N',
				value: 'thisN8n',
				description: "Every webhook at this n8n's address, also those of other workflows",
			},
		],
		default: 'chosen',
		description: 'The webhooks whose missed events start the workflow',
	},
	{
		displayName: 'Webhook Names or IDs',
		name: 'webhookIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getWebhooks' },
		default: [],
		required: true,
		description:
			'The webhooks to watch. Publish the workflow with the Voice Agent Trigger first, so that its webhook is in the list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		displayOptions: { show: { webhooks: ['chosen'] } },
	},
	...eventsProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...callDetailsProperties,
			{
				displayName: 'Look Back (Hours)',
				name: 'lookBackHours',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'How far before publishing missed events are included. 0 includes events from publishing on.',
			},
			{
				displayName: 'Minimum Age (Minutes)',
				name: 'minAgeMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: MIN_AGE_MINUTES,
				description:
					'How long after the last attempt an event counts as missed. Until then the service may resend it.',
			},
			filterProperty,
		],
	},
];
