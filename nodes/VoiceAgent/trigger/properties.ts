import type { INodeProperties } from 'n8n-workflow';

import {
	collectedProperty,
	countryCodeProperty,
	filterProperty,
	mappingProperty,
	optionsField,
	OUTPUTS,
	withoutExpressions,
} from './callProperties';
import { CREATED_OPTION, webhookProperties } from './webhookProperties';

/** The trigger's parameters. */
export const properties: INodeProperties[] = [
	...webhookProperties,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		options: OUTPUTS,
		default: 'both',
		description:
			'What each item holds. The field callDetails has customer, agent, times, outcome, summary and transcript, always under the same names.',
	},
	// n8n resolves no expression in parameters that its webhook description reads.
	optionsField(
		withoutExpressions([
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
				displayOptions: CREATED_OPTION,
				type: 'boolean',
				default: true,
				description:
					"Whether to start the workflow for events that did not reach n8n, such as while it was down. Every 15 minutes n8n looks for them in the service's log. While no event is missed, it starts no execution.",
			},
			collectedProperty,
			countryCodeProperty,
			filterProperty,
			{
				displayName: 'Respond',
				name: 'acknowledge',
				type: 'options',
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
				displayName: 'Separate Outputs',
				name: 'outputs',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				description:
					'Give each chosen event an output of its own, and all other events the last one, "Other". n8n connects branches to positions, so no output moves when you change the events: a new event comes out of "Other" until you choose the outputs again. To remove or reorder outputs, remove this option and add it again, and reconnect the branches.',
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
				displayName: 'Test Event',
				name: 'testEvent',
				displayOptions: CREATED_OPTION,
				type: 'options',
				options: [
					{
						name: 'Latest Real Event',
						value: 'latest',
						description:
							"Show the newest event of the service's log that would start the workflow, without a phone call",
					},
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
				name: 'verifySignature',
				displayOptions: CREATED_OPTION,
				type: 'boolean',
				default: false,
				description:
					'Whether to refuse deliveries without a valid signature of the service. Its secret comes with the webhook, or from the credential.',
			},
		]),
	),
];
