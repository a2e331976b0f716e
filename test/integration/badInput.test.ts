import type { INodeParameters } from 'n8n-workflow';

import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { NodeInWorkflow } from '../support/n8n/core';
import {
	byId,
	failureOf,
	FIELDS,
	LIST_WEBHOOKS,
	run,
	sandbox,
	UNKNOWN_ID,
	useFailures,
} from '../support/service/failures';

useFailures();

type Options = Parameters<typeof failureOf>[1];
type Invalid = [what: string, INodeParameters, problem: string, advice: string, Options?];
const RETRIED = { settings: { retryOnFail: true } };
const TOOL = { type: 'voiceAgentTool' } as const;

describe('an invalid field', () => {
	const createKey = { resource: 'apiKey', operation: 'create', name: 'CRM sync', scopes: [] };
	const createWebhook = { resource: 'webhook', operation: 'create', url: 'https://a.example/' };

	const revokeKey = { resource: 'apiKey', operation: 'revoke' };
	const onWebhook = (operation: string, id: string) => ({
		...{ resource: 'webhook', operation, allWebhooks: false },
		webhookId: byId(id),
	});

	test.each<Invalid>([
		['a blank name', { ...createKey, name: ' \t' }, "'Name' is empty", 'Enter a label'],
		[
			'an object as name',
			{ ...createKey, name: '={{ $json }}' },
			"'Name' is empty",
			'Enter a label',
		],
		['an http URL', { ...createWebhook, url: 'http://a.example/' }, "'URL' must", 'https://'],
		[
			'no events',
			{ ...createWebhook, events: [] },
			"'Event Names or IDs' is empty",
			'"Every Event"',
		],
		['a missing URL', { ...createWebhook, url: '={{ $json.no }}' }, "'URL' must", 'It is: empty'],
		['no API key', { ...revokeKey, apiKeyId: byId(' .. ') }, "'API Key' has no ID", 'enter its ID'],
		[
			'an API key as ID',
			{ ...revokeKey, apiKeyId: byId('svc_live_abcdefgh') },
			"'API Key' holds a secret in place of an ID",
			'enter its ID',
		],
		[
			"the URL of a trigger's webhook, also with an escaped letter",
			{ ...createWebhook, url: 'https://a.example/?voice_agent_tok%65n=abc' },
			"'URL' holds the secret token of a trigger",
			'For another receiver, enter its own URL',
		],
		['a missing ID', onWebhook('delete', '={{ $json.no }}'), "'Webhook' has no ID", 'enter its ID'],
		['no webhook for the log', onWebhook('getDeliveries', ''), "'Webhook' has no ID", 'Choose one'],
		['no webhook to check', onWebhook('check', ' '), "'Webhook' has no ID", 'Choose one'],
		[
			'a limit of 0',
			{ ...LIST_WEBHOOKS, returnAll: false, limit: 0 },
			"'Limit' must",
			'Return All',
		],
		['an unknown operation', onWebhook('pause', '1'), 'no operation "pause"', 'Choose one'],
		['a second try for a key', createKey, 'Turn off Retry On Fail', 'create keys twice', RETRIED],
		[
			'a second try for a webhook',
			createWebhook,
			'Turn off Retry On Fail',
			'create webhooks twice',
			RETRIED,
		],
		['an AI agent that creates a key', createKey, 'An AI agent may not', 'create API keys', TOOL],
		[
			'an AI agent that matches customers',
			{ resource: 'call', operation: 'matchCustomer' },
			'An AI agent may not match customers',
			'a tool has one output',
			TOOL,
		],
	])(
		'%s gives an error that says why, and nothing is sent',
		async (_name, parameters, problem, advice, options = {}) => {
			const message = await failureOf(parameters, options);
			expect(message).toContain(problem);
			expect(message).toContain(advice);
			expect(sandbox.requests).toEqual([]);
		},
	);

	test('the error for unknown event types lists them and the catalog, and nothing is created', async () => {
		for (const events of [['call.completed', 'call.compleated'], '={{ "call.compleated" }}']) {
			const message = await failureOf({ ...createWebhook, events });
			expect(message).toContain("The service doesn't offer these events: call.compleated");
			expect(message).toContain('call.completed, call.failed');
		}
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	const NOUNS = { apiKeyId: 'API key', webhookId: 'webhook' };
	const ofOneRecord = Object.entries(operations).flatMap(([resource, named]) =>
		Object.entries(named).flatMap(([operation, { fields }]) =>
			Object.entries(NOUNS)
				.filter(([name]) => fields.some((field) => field.name === name))
				.map(([field, noun]) => [resource, operation, field, noun] as const),
		),
	);

	test.each(ofOneRecord)('an unknown ID: %s %s', async (resource, operation, field, noun) => {
		const one = { ...FIELDS, resource, operation, allWebhooks: false };
		for (const id of [UNKNOWN_ID, '../../v1', 'a/b?c#d', 'ünknown']) {
			const message = await failureOf({ ...one, [field]: byId(id) });
			expect(message).toContain(`There is no ${noun} with the ID ${id}`);
			expect(message).toContain('Check the Base URL of the credential');
		}
	});

	test('values of other types from expressions are converted', async () => {
		const scopes = '={{ "calls:read, chat:read" }}';
		const [key] = await run({ ...createKey, name: '={{ 42 }}', scopes });
		expect(key?.json).toMatchObject({ name: '42', scopes: ['calls:read', 'chat:read'] });
	});
});

describe('the publish of a trigger', () => {
	const triggerWith = async (parameters: INodeParameters, webhookBase?: string) => {
		const given = { parameters, credential: sandbox.credential, webhookBase };
		return await NodeInWorkflow.create('voiceAgentTrigger', given);
	};

	// Promise: A trigger whose n8n has no HTTPS address says which variable to set.
	test('fails if the webhook URL of n8n has no HTTPS, with the variable to set', async () => {
		const trigger = await triggerWith({}, 'http://localhost:5678/');
		await expect(trigger.call('create')).rejects.toThrow(
			/http:\/\/localhost:5678\/.*N8N_WEBHOOK_URL/s,
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('fails if signatures are to be verified and there is no secret', async () => {
		const trigger = await triggerWith({ options: { verifySignature: true } });
		await expect(trigger.call('create')).rejects.toThrow('Webhook Signing Secret');
		expect(sandbox.endpoints()).toEqual([]);
	});
});
