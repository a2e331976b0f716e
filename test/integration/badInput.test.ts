import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { INode, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service';
import { makeCertificate } from '../../sandbox/stack/certificates';
import { NodeInWorkflow, type CredentialData } from '../support/n8nCore';

/** How long the action node tries (ms): a minute, and less where a test lets it run out. */
let patience = 60_000;
const RETRY = '../../dist/nodes/VoiceAgent/transport/retry.js';
jest.mock('../../dist/nodes/VoiceAgent/transport/retry.js', () => ({
	...jest.requireActual<object>(RETRY),
	actionPatience: () => ({ until: Date.now() + patience, timeout: patience }),
}));

const UNKNOWN_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const LIST_WEBHOOKS = { resource: 'webhook', operation: 'getAll', returnAll: true };
const byId = (value: unknown) => ({ mode: 'id', value }) as INodeParameters;

let sandbox: Sandbox;
let credential: CredentialData;
const servers: Server[] = [];

beforeEach(async () => {
	sandbox = await startSandbox();
	credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
});
afterEach(async () => {
	await sandbox.stop();
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** Runs one item that must fail; gives the error that the user sees. */
async function failureOf(
	parameters: INodeParameters,
	{
		given = {},
		settings = {},
		type = 'voiceAgent' as NodeInWorkflow['type'],
	}: {
		given?: Partial<CredentialData>;
		settings?: Partial<INode>;
		type?: NodeInWorkflow['type'];
	} = {},
): Promise<string> {
	const node = await NodeInWorkflow.create(type, {
		parameters,
		credential: { ...credential, ...given },
	});
	node.settings = settings;
	const error = await node.execute([{ none: null, list: ['a'] }]).then(
		(output) => {
			throw new Error(`It did not fail, but gave ${JSON.stringify(output)}`);
		},
		(thrown: Error) => thrown,
	);
	const whole = [error.message, error.stack, JSON.stringify(error)].join('\n');
	expect(whole).not.toContain(given.apiKey?.trim() || sandbox.adminKey);
	return error.message;
}

const nothingWasSent = () =>
	expect(sandbox.requests.map(({ method, path }) => [method, path])).toEqual([]);
const nothingWasCreated = () =>
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

/** Another server on this computer, which answers everything itself. */
async function serve(listener: RequestListener): Promise<string> {
	return await listen(createHttpServer(listener), 'http');
}

async function listen(server: Server, scheme: string): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('a field that cannot be right', () => {
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
			'Scopes',
			'Choose from: agents:read',
		],
		[
			'a scope with a typing error in an expression',
			{ ...createKey, scopes: '={{ "calls:reed" }}' },
			'Scopes',
			'calls:reed',
		],
		['no URL', { ...createWebhook, url: '' }, 'URL must', 'begins with https://'],
		[
			'an http URL',
			{ ...createWebhook, url: 'http://a.example/' },
			'URL must',
			'begins with https://',
		],
		[
			'half a URL',
			{ ...createWebhook, url: 'a.example/hooks' },
			'URL must',
			'begins with https://',
		],
		[
			'a URL from a field that the item lacks',
			{ ...createWebhook, url: '={{ $json.missing }}' },
			'URL must',
			'It is: empty',
		],
		[
			'no API key',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: byId('') },
			'API Key holds no ID',
			'Choose one from the list',
		],
		[
			'no API key in the list',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: { mode: 'list', value: '' } },
			'API Key holds no ID',
			'Choose one',
		],
		[
			'a missing ID',
			{ resource: 'webhook', operation: 'delete', webhookId: byId('={{ $json.missing }}') },
			'Webhook holds no ID',
			'enter its ID',
		],
		[
			'dots for an ID, which lead to another path',
			{ resource: 'webhook', operation: 'delete', webhookId: byId('..') },
			'Webhook holds no ID',
			'enter its ID',
		],
		[
			'a dot for an ID',
			{ resource: 'apiKey', operation: 'revoke', apiKeyId: byId(' . ') },
			'API Key holds no ID',
			'enter its ID',
		],
		[
			'no webhook to test',
			{ resource: 'webhook', operation: 'test', webhookId: byId(' ') },
			'Webhook holds no ID',
			'Choose one',
		],
		[
			'no webhook for the log',
			{ resource: 'webhook', operation: 'getDeliveries', webhookId: byId(''), returnAll: true },
			'Webhook holds no ID',
			'Choose one',
		],
		[
			'no webhook to check',
			{ resource: 'webhook', operation: 'check', allWebhooks: false, webhookId: byId(' ') },
			'Webhook holds no ID',
			'Choose one',
		],
		[
			'a limit of nothing',
			{ ...LIST_WEBHOOKS, returnAll: false, limit: 0 },
			'Limit must',
			'Return All',
		],
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
	])('%s is refused by its name, and nothing is sent', async (_name, parameters, field, advice) => {
		const message = await failureOf(parameters);
		expect(message).toContain(field);
		expect(message).toContain(advice);
		nothingWasSent();
	});

	test('event types outside the catalog are named, with the catalog, and nothing is created', async () => {
		for (const events of [['call.completed', 'call.compleated'], '={{ "call.compleated" }}']) {
			const message = await failureOf({ ...createWebhook, events });
			expect(message).toContain(
				'Event Names or IDs holds what the service does not offer: call.compleated',
			);
			expect(message).toContain('call.completed, call.failed');
		}
		nothingWasCreated();
	});

	test.each([
		['apiKey', 'revoke', 'apiKeyId', 'API key'],
		['webhook', 'delete', 'webhookId', 'webhook endpoint'],
		['webhook', 'test', 'webhookId', 'webhook endpoint'],
		['webhook', 'getDeliveries', 'webhookId', 'webhook endpoint'],
		['webhook', 'check', 'webhookId', 'webhook endpoint'],
	])('an unknown ID for %s %s is named', async (resource, operation, field, noun) => {
		const one = { resource, operation, allWebhooks: false, returnAll: true };
		for (const id of [UNKNOWN_ID, '../../v1', 'a/b?c#d', 'ünknown']) {
			const message = await failureOf({ ...one, [field]: byId(id) });
			expect(message).toContain(`There is no ${noun} with the ID ${id}`);
			expect(message).toContain('choose another from the list');
		}
	});

	test('values that an expression gives in another form are taken as they are meant', async () => {
		const node = await NodeInWorkflow.create('voiceAgent', {
			parameters: { ...createKey, name: '={{ 42 }}', scopes: '={{ "calls:read, chat:read" }}' },
			credential,
		});
		const [key] = await node.execute();
		expect(key?.json).toMatchObject({ name: '42', scopes: ['calls:read', 'chat:read'] });
	});
});

describe('creating a key where it would be created twice', () => {
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
		expect(message).toContain('does not offer: call.ended');
		expect(sandbox.endpoints()).toEqual([]);
	});

	test('that is to verify signatures without a secret says where it goes', async () => {
		const message = await publish({ events: [], options: { verification: 'standardWebhooks' } });
		expect(message).toContain('Webhook Signing Secret');
	});
});

describe('a credential that cannot be right', () => {
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

describe('a key that the service refuses', () => {
	test('because it is not valid', async () => {
		const message = await failureOf(LIST_WEBHOOKS, { given: { apiKey: 'svc_live_0123456789' } });
		expect(message).toContain('The API key was not accepted (status 401');
		expect(message).toContain('Paste a valid key');
	});

	test('because it lacks the scope', async () => {
		const apiKey = sandbox.createKey('Poor', ['calls:read']);
		const message = await failureOf(LIST_WEBHOOKS, { given: { apiKey } });
		expect(message).toContain('The API key lacks the scope workspace:admin (status 403');
		expect(message).toContain('Create a key that has it');
	});

	test('because it was revoked', async () => {
		const apiKey = sandbox.createKey('Short-lived', ['workspace:admin']);
		const { id } = sandbox.keys().find(({ name }) => name === 'Short-lived')!;
		await NodeInWorkflow.create('voiceAgent', {
			parameters: { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(id) },
			credential,
		}).then((node) => node.execute());
		expect(await failureOf(LIST_WEBHOOKS, { given: { apiKey } })).toContain('or was revoked');
	});
});

describe('an answer that is none of the API', () => {
	const READS: INodeParameters[] = [
		LIST_WEBHOOKS,
		{ resource: 'apiKey', operation: 'getAll', returnAll: true },
		{ resource: 'webhook', operation: 'getEventTypes' },
		{ resource: 'webhook', operation: 'getDeliveries', webhookId: byId('1'), returnAll: true },
		{ resource: 'webhook', operation: 'create', url: 'https://a.example/', events: [] },
		{ resource: 'apiKey', operation: 'create', name: 'A', scopes: [] },
	];

	test.each([
		[
			'a web page',
			'<!doctype html><title>Shop</title>',
			'a web page came instead of data',
			'<title>Shop</title>',
		],
		['text', 'It works!', 'cannot be read', 'begins with: It works!'],
		[
			'a cut answer',
			'{"data": [{"id": "1", "url": "https://a',
			'cannot be read',
			'begins with: {"data": [{"id"',
		],
		['nothing', '', 'cannot be read', 'The answer is empty'],
		['a number', '42', 'cannot be read', 'begins with: 42'],
		[
			'an object of something else',
			'{"status": "ok"}',
			'cannot be read',
			'begins with: {"status": "ok"}',
		],
		[
			'an error with status 200',
			'{"error": "No such shop", "details": []}',
			'The service refused the request (status 200',
			'No such shop',
		],
	])('%s is shown from its beginning', async (_name, text, happened, shown) => {
		const baseUrl = await serve((_request, response) => response.end(text));
		for (const parameters of READS) {
			// The answer to the creation of a key is shown whole: it can't be asked for again.
			if (parameters.name && text.startsWith('{"status"')) continue;
			const message = await failureOf(parameters, { given: { baseUrl } });
			expect(message).toContain(happened);
			expect(message).toContain(shown);
		}
	});

	test.each<[string, Fault]>([
		['empty', { kind: 'empty' }],
		['html', { kind: 'html' }],
		['cut', { kind: 'cut' }],
	])('the same from the sandbox: %s', async (_name, fault) => {
		sandbox.fault = () => fault;
		for (const parameters of READS.filter((_read, index) => index !== 3)) {
			expect(await failureOf(parameters)).toMatch(/cannot be read|a web page came/);
		}
	});

	test('no secret of a cut answer is shown', async () => {
		const text = JSON.stringify({
			id: '1',
			url: `https://n8n.example.com/?voice_agent_token=${'t0ken'.repeat(9)}`,
			secret: 'whsec_c2VjcmV0c2VjcmV0',
			key: 'svc_live_s3crets3cret',
		}).slice(1);
		const baseUrl = await serve((_request, response) => response.end(text));
		for (const parameters of READS) {
			const message = await failureOf(parameters, { given: { baseUrl } });
			expect(message).toContain('https://n8n.example.com/');
			expect(message).not.toMatch(/t0ken|c2Vj|s3cret/);
		}
	});

	test('a service that repeats the key in its error is not repeated', async () => {
		const baseUrl = await serve((request, response) => {
			response.statusCode = 401;
			response.end(JSON.stringify({ message: `Bad key: ${request.headers.authorization}` }));
		});
		for (const apiKey of [sandbox.adminKey, 'key-of-another-shape']) {
			const message = await failureOf(LIST_WEBHOOKS, { given: { baseUrl, apiKey } });
			expect(message).toContain('Bad key: Bearer ');
		}
	});
});

describe('a service that cannot be reached', () => {
	beforeEach(() => {
		patience = 1_000;
	});
	afterEach(() => {
		patience = 60_000;
	});

	test.each<[string, () => Promise<string>, string, string]>([
		[
			'no server',
			async () => {
				const baseUrl = await serve(() => {});
				await new Promise((resolve) => servers.pop()!.close(resolve));
				return baseUrl;
			},
			'The service cannot be reached (ECONNREFUSED)',
			'Check the Base URL',
		],
		[
			'no such host',
			// Too long a label, of which no name server is asked.
			() => Promise.resolve(`https://${'x'.repeat(64)}.invalid/v1`),
			'The host was not found',
			'DNS',
		],
		[
			'a certificate that nobody signed',
			async () => {
				const { key, cert } = await makeCertificate();
				return await listen(
					createHttpsServer({ key, cert }, () => {}),
					'https',
				);
			},
			'the certificate of the service was not accepted',
			'NODE_EXTRA_CA_CERTS',
		],
		[
			'http where https is spoken',
			async () => {
				const { key, cert } = await makeCertificate();
				return await listen(
					createHttpsServer({ key, cert }, () => {}),
					'http',
				);
			},
			'The connection to the service broke',
			'Try again later',
		],
		[
			'https where http is spoken',
			async () => (await serve(() => {})).replace('http:', 'https:'),
			'No secure connection',
			'Base URL',
		],
		['no answer', () => serve(() => {}), 'did not answer in time', 'Try again later'],
		[
			'a connection that breaks',
			() => serve(({ socket }) => socket.destroy()),
			'The connection to the service broke',
			'Try again later',
		],
	])('%s', async (_name, begin, happened, advice) => {
		const message = await failureOf(LIST_WEBHOOKS, { given: { baseUrl: await begin() } });
		expect(message).toContain(happened);
		expect(message).toContain(advice);
	});
});

describe('the key goes nowhere else', () => {
	let strangers: Array<string | undefined>;
	let stranger: string;
	beforeEach(async () => {
		strangers = [];
		stranger = await serve((request, response) => {
			strangers.push(request.headers.authorization ?? (request.headers['x-api-key'] as string));
			response.end('{"data": []}');
		});
	});

	test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
		const baseUrl = await serve((_request, response) => {
			response.writeHead(status, { location: `${stranger}/webhooks` }).end();
		});
		for (const authHeader of ['authorization', 'x-api-key']) {
			const message = await failureOf(LIST_WEBHOOKS, { given: { baseUrl, authHeader } });
			expect(message).toContain('The service is at another address');
			expect(message).toContain('Put the new address into the Base URL');
		}
		expect(strangers).toEqual([]);
	});

	test.each(['next', 'link', '//'])(
		'a next page at another host is asked of the service itself: %s',
		async (how) => {
			const next = `${how === '//' ? stranger.slice(5) : stranger}?page=2`;
			const baseUrl = await serve((request, response) => {
				const isFirst = !request.url?.endsWith('?page=2');
				if (how === 'link' && isFirst) response.setHeader('link', `<${next}>; rel="next"`);
				const more = how !== 'link' && isFirst && { next };
				response.end(JSON.stringify({ data: [{ id: isFirst ? '1' : '2' }], ...more }));
			});
			const node = await NodeInWorkflow.create('voiceAgent', {
				parameters: LIST_WEBHOOKS,
				credential: { ...credential, baseUrl },
			});
			expect((await node.execute()).map(({ json }) => json.id)).toEqual(['1', '2']);
			expect(strangers).toEqual([]);
		},
	);
});
