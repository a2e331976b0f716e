import { NodeOperationError } from 'n8n-workflow';

import { readChoices, readText } from '../../parameters';
import { assertEventTypes } from '../../answers/eventTypes';
import { readCreatedEndpoint, readSigningSecret } from '../../answers/records';
import { request } from '../../api/request';
import { assertNoRetry, type Operation } from '../operation';
import { isTool } from '../tool';

const displayOptions = { show: { resource: ['webhook'], operation: ['create'] } };

/** Registers a URL of any receiver; the trigger node registers itself. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Register a URL that receives events',
		action: 'Create a webhook',
	},
	fields: [
		{
			displayName:
				'To start a workflow of this n8n on events, use the Voice Agent Trigger instead, which registers and removes its webhook by itself',
			name: 'useTriggerNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://crm.example.com/hooks/calls',
			description: 'HTTPS address that receives each event as a POST request',
			displayOptions,
		},
		{
			displayName: 'Event Names or IDs',
			name: 'events',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getEventTypes' },
			default: [],
			description:
				'The event types to subscribe to. With none chosen, the webhook receives all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			displayOptions,
		},
	],

	async execute(context, itemIndex, deadline) {
		assertNoRetry(context, itemIndex, 'webhooks');
		const url = readText(context.getNodeParameter('url', itemIndex));
		if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
			throw new NodeOperationError(
				context.getNode(),
				`URL must be a whole address that begins with https://, since the service delivers to no other. It is: ${url || 'empty'}`,
				{ itemIndex },
			);
		}
		const events = readChoices(context.getNodeParameter('events', itemIndex, []));
		if (events.length > 0) await assertEventTypes(context, events, deadline(), itemIndex);
		const answer = await request(
			context,
			{ method: 'POST', path: '/webhooks', body: { url, ...(events.length > 0 && { events }) } },
			deadline(),
		);
		const created = readCreatedEndpoint(answer.body, url);
		if (!created) throw answer.unreadable('a record with an "id"');
		if (isTool(context)) {
			// Of a record that is not known, no field is safe to show to a model but these.
			const { origin, pathname } = new URL(url);
			const { status = null } = created.record;
			return { id: created.id, url: origin + pathname, events: created.events ?? events, status };
		}
		const signingSecret = readSigningSecret(answer.body);
		// Told only once, it may stand beside the record.
		const isInRecord = !signingSecret || JSON.stringify(created.record).includes(signingSecret);
		return isInRecord ? created.record : { ...created.record, signingSecret };
	},
};
