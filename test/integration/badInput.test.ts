import type { INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow, type CredentialData } from '../support/n8nCore';
import {
	byId,
	credential,
	failureOf,
	LIST_WEBHOOKS,
	nothingWasCreated,
	nothingWasSent,
	sandbox,
	UNKNOWN_ID,
	useFailures,
} from '../support/failures';

useFailures();

describe('an invalid field', () => {
	const createKey = { resource: 'apiKey', operation: 'create', name: 'CRM sync', scopes: [] };
	const createWebhook = { resource: 'webhook', operation: 'create', url: 'https://a.example/' };

	test.each<[string, INodeParameters, string, string]>([
		['an empty name', { ...createKey, name: '' }, 'Name is empty', 'Enter a label'],
		['a blank name', { ...createKey, name: ' \t' }, 'Name is empty', 'Enter a label'],
		[
			'a name from a field that the item lacks',
			{ ...createKey, name: '={{ $json.missing }}' },
			'Name is empty',
			'Enter a label',
		],
		[
			'a name from a field without a value',
			{ ...createKey, name: '={{ $json.none }}' },
			'Name is empty',
			'Enter a label',
		],
		[
			'a name that is an object',
			{ ...createKey, name: '={{ $json }}' },
			'Name is empty',
			'Enter a label',
		],
		[
			'an unknown scope',
			{ ...createKey, scopes: ['calls:read', 'calls:delete'] },
			'offer these scopes',
			'Choose from: agents:read',
		],
		[
			'a scope with a typing error in an expression',
			{ ...createKey, scopes: '={{ "calls:reed" }}' },
			'offer these scopes',
			'calls:reed',
		],
		['no URL', { ...createWebhook, url: '' }, 'URL must', 'start with https://'],
		[
			'an http URL',
			{ ...createWebhook, url: 'http://a.example/' },
			'URL must',
			'start with https://',
		],
		['half a URL', { ...createWebhook, url: 'a.example/hooks' }, 'URL must', 'start with https://'],
		[
			'a URL from a field that the item lacks',
			{ ...createWebhook, url: '={{ $json.missing }}' },
			'URL must',
			'It is: empty',
		],
		[
			'no API key',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: byId('') },
			'API Key has no ID',
			'Choose one from the list',
		],
		[
			'no API key in the list',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: { mode: 'list', value: '' } },
			'API Key has no ID',
			'Choose one',
		],
		[
			'a missing ID',
			{ resource: 'webhook', operation: 'delete', webhookId: byId('={{ $json.missing }}') },
			'Webhook has no ID',
			'enter its ID',
		],
		[
			'dots for an ID, which lead to another path',
			{ resource: 'webhook', operation: 'delete', webhookId: byId('..') },
			'Webhook has no ID',
			'enter its ID',
		],
		[
			'a dot for an ID',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: byId(' . ') },
			'API Key has no ID',
			'enter its ID',
		],
		[
			'no webhook to test',
			{ resource: 'webhook', operation: 'test', webhookId: byId(' ') },
			'Webhook has no ID',
			'Choose one',
		],
		[
			'no webhook for the log',
			{ resource: 'webhook', operation: 'getDeliveries', webhookId: byId(''), returnAll: true },
			'Webhook has no ID',
			'Choose one',
		],
		[
			'no webhook to check',
			{ resource: 'webhook', operation: 'check', allWebhooks: false, webhookId: byId(' ') },
			'Webhook has no ID',
			'Choose one',
		],
		['a limit of 0', { ...LIST_WEBHOOKS, returnAll: false, limit: 0 }, 'Limit must', 'Return All'],
		[
			'a negative limit',
			{ ...LIST_WEBHOOKS, returnAll: false, limit: -1 },
			'Limit must',
			'Return All',
		],
		[
			'a limit that is no number',
			{ ...LIST_WEBHOOKS, returnAll: false, limit: '={{ "many" }}' },
			'Limit must',
			'Return All',
		],
		[
			'an unknown operation',
			{ resource: 'webhook', operation: 'pause' },
			'no operation "pause"',
			'Choose one from the list',
		],
	])(
		'%s gives an error that names the field, and nothing is sent',
		async (_name, parameters, field, advice) => {
			const message = await failureOf(parameters);
			expect(message).toContain(field);
			expect(message).toContain(advice);
			nothingWasSent();
		},
	);

	test('event types outside the catalog are named, with the catalog, and nothing is created', async () => {
		for (const events of [['call.completed', 'call.compleated'], '={{ "call.compleated" }}']) {
			const message = await failureOf({ ...createWebhook, events });
			expect(message).toContain("The service doesn't offer these events: call.compleated");
			expect(message).toContain('call.completed, call.failed');
		}
		nothingWasCreated();
	});

	test.each([
		['apiKey', 'revoke', 'apiKeyId', 'API key'],
		['webhook', 'delete', 'webhookId', 'webhook'],
		['webhook', 'test', 'webhookId', 'webhook'],
		['webhook', 'getDeliveries', 'webhookId', 'webhook'],
		['webhook', 'check', 'webhookId', 'webhook'],
	])('an unknown ID for %s %s is named', async (resource, operation, field, noun) => {
		const one = { resource, operation, allWebhooks: false, returnAll: true };
		for (const id of [UNKNOWN_ID, '../../v1', 'a/b?c#d', 'ünknown']) {
			const message = await failureOf({ ...one, [field]: byId(id) });
			expect(message).toContain(`There is no ${noun} with the ID ${id}`);
			expect(message).toContain('Choose another from the list');
		}
	});

	test('values of other types from expressions are converted', async () => {
		const node = await NodeInWorkflow.create('voiceAgent', {
			parameters: { ...createKey, name: '={{ 42 }}', scopes: '={{ "calls:read, chat:read" }}' },
			credential,
		});
		const [key] = await node.execute();
		expect(key?.json).toMatchObject({ name: '42', scopes: ['calls:read', 'chat:read'] });
	});
});

describe('creating a key that would be created twice', () => {
	const createKey = { resource: 'apiKey', operation: 'create', name: 'CRM sync', scopes: [] };

	test('is refused with Retry On Fail', async () => {
		const message = await failureOf(createKey, { settings: { retryOnFail: true } });
		expect(message).toContain('Turn off Retry On Fail');
		nothingWasSent();
	});
});

test.each([
	['creating a key', { resource: 'apiKey', operation: 'create', name: 'Mine' }, /create API keys/],
	[
		'sending a test event',
		{ resource: 'webhook', operation: 'test', webhookId: 'we_1' },
		/send test events: the published workflow would run/,
	],
])('%s is refused to an AI agent', async (_what, parameters, why) => {
	const message = await failureOf(parameters, { type: 'voiceAgentTool' });
	expect(message).toMatch(/^An AI agent may not/);
	expect(message).toMatch(why);
	nothingWasSent();
});

describe('a trigger', () => {
	const publish = async (parameters: INodeParameters, webhookBase = 'https://n8n.example.com/') => {
		const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters,
			credential,
			webhookBase,
		});
		return await trigger.call('create').then(
			() => 'published',
			(error: Error) => error.message,
		);
	};

	test('whose n8n gives out http addresses says what to set', async () => {
		const message = await publish({ events: [] }, 'http://localhost:5678/');
		expect(message).toContain('WEBHOOK_URL');
		expect(message).toContain('http://localhost:5678/');
		nothingWasSent();
	});

	test('with an unknown event type names it', async () => {
		const message = await publish({ events: ['call.ended'] });
		expect(message).toContain("doesn't offer these events: call.ended");
		expect(sandbox.endpoints()).toEqual([]);
	});

	test('that is to verify signatures without a secret says where it goes', async () => {
		const message = await publish({
			events: [],
			options: { signature: { settings: { scheme: 'standardWebhooks' } } },
		});
		expect(message).toContain('Webhook Signing Secret');
	});
});

describe('an invalid credential', () => {
	const operations: INodeParameters[] = [
		LIST_WEBHOOKS,
		{ resource: 'apiKey', operation: 'create', name: 'A', scopes: [] },
		{
			resource: 'webhook',
			operation: 'create',
			url: 'https://a.example/',
			events: ['call.completed'],
		},
		{ resource: 'webhook', operation: 'delete', webhookId: byId(UNKNOWN_ID) },
		{
			resource: 'webhook',
			operation: 'getDeliveries',
			webhookId: byId(UNKNOWN_ID),
			returnAll: true,
		},
		{ resource: 'webhook', operation: 'check' },
	];
	const wrong: Array<[string, (good: CredentialData) => Partial<CredentialData>, string, string]> =
		[
			['no base URL', () => ({ baseUrl: '' }), 'Base URL is empty', 'https://api.example.com/v1'],
			[
				'no version',
				({ baseUrl }) => ({ baseUrl: baseUrl.slice(0, -3) }),
				'Base URL must end',
				'/v1',
			],
			[
				'a path too many',
				({ baseUrl }) => ({ baseUrl: `${baseUrl}/webhooks` }),
				'Base URL must end',
				'/v1',
			],
			[
				'no scheme',
				({ baseUrl }) => ({ baseUrl: baseUrl.slice(7) }),
				'Base URL is not',
				'Enter it like',
			],
			[
				'a query',
				({ baseUrl }) => ({ baseUrl: `${baseUrl}?a=1` }),
				'Base URL is not',
				'has no query',
			],
			['no key', () => ({ apiKey: '' }), 'API Key is empty', 'paste it here'],
			[
				'a publishable key',
				() => ({ apiKey: 'pk_live_12345678' }),
				'publishable key',
				'Paste a workspace API key',
			],
			[
				'a JWT',
				() => ({ apiKey: 'eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.abcd' }),
				'a JWT',
				'Paste a workspace API key',
			],
			[
				'Bearer',
				({ apiKey }) => ({ apiKey: `Bearer ${apiKey}` }),
				'API Key holds blanks',
				'without "Bearer"',
			],
		];

	test.each(wrong)(
		'%s: every operation, picker and publish says so',
		async (_name, make, field, advice) => {
			const given = make(credential);
			const messages = [];
			for (const parameters of operations) messages.push(await failureOf(parameters, { given }));
			const options = { credential: { ...credential, ...given } };
			const action = await NodeInWorkflow.create('voiceAgent', options);
			const trigger = await NodeInWorkflow.create('voiceAgentTrigger', options);
			for (const attempt of [
				action.listSearch('searchWebhooks'),
				action.listSearch('searchApiKeys'),
				trigger.loadOptions('getEventTypes'),
				trigger.call('checkExists'),
				trigger.call('create'),
				trigger.call('delete'),
			]) {
				messages.push(
					await attempt.then(
						() => 'It did not fail',
						(error: Error) => error.message,
					),
				);
			}
			for (const message of messages) {
				expect(message).toContain(field);
				expect(message).toContain(advice);
			}
			nothingWasSent();
		},
	);
});
