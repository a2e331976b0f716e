import { UserError } from 'n8n-workflow';

import { assertEventTypes } from '../../lists/requestList';
import { LISTS } from '../../lists/lists';
import { maskQuery, TOKEN_PARAMETER } from '../../auth/token';
import { excerptOf } from '../../text/words';
import { readCreatedEndpoint, readSigningSecret } from '../../lists/records';
import { request } from '../../service/request';
import { readSelection } from '../../events/names';
import { readText } from '../../text/json';
import { fieldsForAgent, isTool, refuseRetry, type Operation } from '../operation';

/** Creates an endpoint for any receiver. The trigger node creates its own endpoint. */
export const create: Operation = {
	name: 'Create',
	description: 'Create a webhook for a URL that receives events',
	action: 'Create webhook',
	fields: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://crm.example.com/hooks/calls',
			description:
				'HTTPS URL that receives each event as a POST request. To start an n8n workflow, use the Voice Agent Trigger instead, which creates its webhook itself.',
		},
		{
			displayName: 'Event Names or IDs',
			name: 'events',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getEventTypes' },
			default: ['*'],
			description:
				'The events to receive; * means every event. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	],

	showsSecret: 'signingSecret',

	async execute(item) {
		refuseRetry(item, 'webhooks');
		const { context, read, deadline } = item;
		const url = readUrl(read('url'));
		const events = readSelection(read('events', []));
		if (events.length > 0) await assertEventTypes(context, events, deadline);
		const body = { url, ...(events.length > 0 && { events }) };
		const asked = { method: 'POST', path: LISTS.webhooks.path, body } as const;
		const answer = await request(context, asked, deadline);
		const created = readCreatedEndpoint(answer.body, url);
		if (!created) throw answer.unreadable('a record with an "id"');
		if (isTool(item)) return fieldsForAgent({ events, ...created.record, url }, 'webhooks');
		// The answer may hold the secret under any name, and beside the record.
		const signingSecret = readSigningSecret(answer.body);
		return signingSecret ? { ...created.record, signingSecret } : created.record;
	},
};

/**
 * Reads the URL of the new webhook.
 *
 * @throws UserError for another URL than HTTPS, and for that of a trigger; without its query, which may hold a
 *   secret
 */
function readUrl(value: unknown): string {
	const url = readText(value);
	// In the name of a parameter, letters may be escaped.
	const names = URL.canParse(url) ? new URL(url).searchParams.keys() : [];
	if ([url, ...names].some((text) => text.includes(TOKEN_PARAMETER))) {
		throw new UserError(
			`'URL' holds the secret token of a trigger (${TOKEN_PARAMETER}). To start a workflow on events, publish it with a Voice Agent Trigger, which creates its webhook itself. For another receiver, enter its own URL.`,
		);
	}
	// A value that an output of this node hides is not the real one.
	const isWhole = URL.canParse(url) && !url.includes('***');
	if (isWhole && new URL(url).protocol === 'https:') return url;
	const shown = maskQuery(url) ?? (url.replace(/[?#].*/s, '?***') || 'empty');
	throw new UserError(
		`'URL' must be complete and start with https://, since the service delivers to HTTPS URLs only. It is: ${excerptOf(shown)}`,
	);
}
