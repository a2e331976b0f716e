import { createServer as createHttpsServer } from 'node:https';

import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox/service';
import { makeCertificate } from '../../sandbox/stack/certificates';
import { NodeInWorkflow } from '../support/n8nCore';
import {
	byId,
	credential,
	failureOf,
	LIST_WEBHOOKS,
	listen,
	sandbox,
	serve,
	useFailures,
	servers,
} from '../support/failures';

/** How long the action node tries (ms): a minute, and less where a test lets it run out. */
let deadline = 60_000;
const RETRY = '../../dist/nodes/VoiceAgent/api/retry.js';
jest.mock('../../dist/nodes/VoiceAgent/api/retry.js', () => ({
	...jest.requireActual<object>(RETRY),
	actionDeadline: () => ({ endsAt: Date.now() + deadline, timeout: deadline }),
}));

useFailures();

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
		deadline = 1_000;
	});
	afterEach(() => {
		deadline = 60_000;
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
