import { createHmac } from 'node:crypto';
import { Agent } from 'node:https';
import { gzipSync } from 'node:zlib';

import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../sandbox/dialects';
import { startSandbox, type Sandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { NodeInWorkflow, Receiver, type Received } from '../support/n8nCore';

// The waits between the node's tries to reach the service pass at once.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const OTHER_TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const CALL = { type: 'call.completed', id: 'evt_1', data: { call_id: 'C1' } };
const REFUSED = { message: 'Not a delivery of the service.' };

let receiver: Receiver;
let agent: Agent;
let sandbox: Sandbox;
let trigger: NodeInWorkflow;
beforeAll(async () => {
	receiver = await Receiver.start();
	agent = new Agent({ ca: receiver.certificate.ca, keepAlive: true });
});
afterAll(async () => {
	agent.destroy();
	await receiver.stop();
});
afterEach(async () => await sandbox.stop());

// Workflows keep the type version that they were made with, and n8n parses less for 1.1.
describe.each([1, 1.1])('at type version %s', (typeVersion) => {
	/** A published trigger, and the service that knows it. */
	async function publish(options: INodeParameters = {}, dialect: Partial<Dialect> = {}) {
		sandbox = await startSandbox({ dialect, ca: receiver.certificate.ca, retryScale: 0.1 });
		trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: ['call.completed'], callDetails: false, options },
			credential: {
				baseUrl: sandbox.baseUrl,
				apiKey: sandbox.adminKey,
				// Where each endpoint has its own secret, nobody needs to paste one.
				webhookSigningSecret: dialect.signature?.startsWith('hmac') ? sandbox.signingSecret : '',
			},
			webhookBase: receiver.base,
		});
		trigger.settings = { typeVersion };
		await trigger.publish();
		receiver.open(trigger);
	}

	const registeredUrl = () => sandbox.endpoints()[0]!.url;
	const withToken = (...tokens: string[]) =>
		`${trigger.webhookUrl()}?${tokens.map((token) => `voice_agent_token=${token}`).join('&')}`;
	const rightToken = () => new URL(registeredUrl()).searchParams.get('voice_agent_token') ?? '';
	const lookUps = () =>
		sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'GET /webhooks').length;

	/** Posts a body as the service would; gives the answer, and the items that it started the workflow with. */
	async function post(
		url: string,
		body: unknown = CALL,
		headers: Record<string, string | false> = {},
	) {
		const before = receiver.received.length;
		const response = await axios.post<unknown>(
			url,
			typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
			{
				headers: { 'content-type': 'application/json', ...headers },
				httpsAgent: agent,
				transformRequest: [],
				validateStatus: () => true,
			},
		);
		const [received] = receiver.received.slice(before);
		return { status: response.status, answer: response.data, items: received?.items };
	}

	describe('the callback token', () => {
		test.each<[string, () => string]>([
			['none', () => trigger.webhookUrl()],
			['an empty one', () => withToken('')],
			['a masked one', () => withToken('***')],
			['one cut short', () => withToken(rightToken().slice(1))],
			['the right one twice', () => withToken(rightToken(), rightToken())],
			['the right one and another', () => withToken(rightToken(), OTHER_TOKEN)],
			['the right one as an array', () => registeredUrl().replace('token=', 'token[]=')],
			[
				'the right one under another name',
				() => registeredUrl().replace('voice_agent_token', 'token'),
			],
			['an overlong one', () => withToken('a'.repeat(8_000))],
		])('%s is refused, and the service is not asked', async (_name, url) => {
			await publish();
			const before = sandbox.requests.length;
			expect(await post(url())).toEqual({ status: 401, answer: REFUSED, items: [] });
			expect(sandbox.requests).toHaveLength(before);
		});

		test('a wrong one is refused once the service was asked', async () => {
			await publish();
			const before = lookUps();
			expect(await post(withToken(OTHER_TOKEN))).toEqual({
				status: 401,
				answer: REFUSED,
				items: [],
			});
			expect(lookUps()).toBe(before + 1);
		});

		test('the right one starts the workflow, also among other parameters', async () => {
			await publish();
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(`${registeredUrl()}&a=1`)).toMatchObject({ status: 200, items: [CALL] });
		});

		test('that of another trigger opens nothing', async () => {
			await publish();
			const url = registeredUrl();
			const first = sandbox;
			await publish();
			expect(
				await post(withToken(new URL(url).searchParams.get('voice_agent_token')!)),
			).toMatchObject({
				status: 401,
				items: [],
			});
			await first.stop();
		});
	});

	describe('call details', () => {
		test('come first in each item, beside the event as it was sent', async () => {
			await publish();
			trigger.parameters = { ...trigger.parameters, callDetails: true };
			const event = {
				type: 'call.completed',
				data: { direction: 'inbound', from: '+14155550123' },
			};
			const { items } = await post(registeredUrl(), [event, event]);
			expect(items).toMatchObject([event, event]);
			expect(Object.keys(items![1]!)).toEqual(['callDetails', 'type', 'data']);
			expect(items![1]!.callDetails).toMatchObject({ customer: { phone: '+14155550123' } });
		});

		test('leave an event its own field of the name', async () => {
			await publish();
			trigger.parameters = { ...trigger.parameters, callDetails: true };
			const event = { type: 'call.completed', callDetails: 'mine' };
			const { items } = await post(registeredUrl(), event);
			expect(items).toMatchObject([{ ...event, callDetails_1: { person: 'unknown' } }]);
		});
	});

	test('an event that echoes the URL of its endpoint brings no token into execution data', async () => {
		await publish();
		const url = registeredUrl();
		const echo = { url, escaped: encodeURIComponent(url), [`key ${rightToken()}`]: rightToken() };
		const { items } = await post(url, { type: 'call.completed', data: [echo] });
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items)).not.toContain(rightToken());
	});

	test('a type that was not chosen is acknowledged, and starts nothing', async () => {
		await publish();
		expect(await post(registeredUrl(), { type: 'call.started' })).toEqual({
			status: 200,
			answer: { ignored: true },
			items: [],
		});
	});

	describe('the token proves itself', () => {
		/** Rotates the API key: the old one stops working, and with the new one no old token was made. */
		const rotate = () => {
			const [old] = sandbox.keys();
			trigger.credential = {
				...trigger.credential,
				apiKey: sandbox.createKey('New', ['workspace:admin']),
			};
			return old;
		};

		test.each(['asSent', 'masked', 'dropped'] as const)(
			'n8n has stored nothing yet, or lost it: let in, and the service is not asked (list: %s)',
			async (listedUrl) => {
				await publish({}, { listedUrl });
				trigger.staticData = {};
				const before = sandbox.requests.length;
				expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
				// What `create` wrote is about to be stored: nothing may be written over it.
				expect(trigger.staticData).toEqual({});
				expect(sandbox.requests).toHaveLength(before);
			},
		);

		test('what n8n has stored is older: let in all the same', async () => {
			await publish();
			trigger.staticData = { ...trigger.staticData, tokenHashes: ['older'] };
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test('a rotated API key stops nothing, and the credential is not read', async () => {
			await publish();
			rotate();
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			trigger.credential = { ...trigger.credential, apiKey: '' };
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test('after the next create, the tries under way of the endpoint before are let in still', async () => {
			await publish();
			const old = registeredUrl();
			rotate();
			trigger.parameters = { ...trigger.parameters, events: ['call.completed', 'call.started'] };
			await trigger.call('delete');
			await trigger.publish();
			expect(await post(old)).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test('what an old workspace still sends starts nothing after the next create', async () => {
			await publish();
			const old = registeredUrl();
			const first = sandbox;
			sandbox = await startSandbox({ ca: receiver.certificate.ca });
			// Another credential, or the same one edited in place.
			trigger.credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
			await trigger.publish();
			expect(await post(old)).toMatchObject({ status: 401, items: [] });
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			await first.stop();
		});

		describe('where the key was rotated and the static data lost', () => {
			const publishAndLose = async (...options: Parameters<typeof publish>) => {
				await publish(...options);
				rotate();
				trigger.staticData = {};
			};

			test('the service is asked, once', async () => {
				await publishAndLose();
				const before = lookUps();
				expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
				expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
				expect(lookUps() - before).toBe(1);
				expect(JSON.stringify(trigger.staticData)).not.toContain(rightToken());
			});

			test('a stranger who comes first keeps nobody out, and stays refused', async () => {
				await publishAndLose();
				expect(await post(withToken(OTHER_TOKEN))).toMatchObject({ status: 401, items: [] });
				expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			});

			test('and the list hides tokens: the delivery is to come again', async () => {
				for (const listedUrl of ['masked', 'dropped'] as const) {
					await publishAndLose({}, { listedUrl });
					expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
					expect(trigger.staticData).toEqual({});
					if (listedUrl === 'masked') await sandbox.stop();
				}
			});

			test.each([
				['breaks connections', { kind: 'drop-before' }],
				['fails', { kind: 'status', status: 500 }],
				['answers with a web page', { kind: 'html' }],
				['refuses the key', { kind: 'status', status: 401 }],
			] as const)('while the service %s, the delivery is to come again', async (_name, fault) => {
				await publishAndLose();
				sandbox.fault = () => fault;
				expect(await post(registeredUrl())).toEqual({
					status: 503,
					answer: { message: expect.stringContaining('Send it again later') as string },
					items: [],
				});
				expect(trigger.staticData).toEqual({});
			});

			test('the service delivers again, and no event is lost', async () => {
				await publishAndLose({}, { retrySchedule: 'eager' });
				let failures = 2;
				sandbox.fault = () => (failures-- > 0 ? { kind: 'status', status: 500 } : undefined);
				const before = receiver.received.length;
				const sent = sandbox.emit('call.completed', {});
				await sandbox.settled();
				const received = receiver.received.slice(before);
				expect(received.map(({ status }) => status).slice(0, -1)).toEqual(
					expect.arrayContaining([503]),
				);
				expect(received.at(-1)).toMatchObject({ status: 200, items: [{ id: sent.id }] });
			});
		});

		test('where the credential is broken, a delivery of whom nothing is stored is to come again', async () => {
			await publish();
			trigger.staticData = {};
			trigger.credential = { ...trigger.credential, apiKey: '' };
			expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
		});
	});

	describe('a challenge', () => {
		test.each([undefined, {}])(
			'is answered as JSON, and starts nothing (static data: %j)',
			async (stored) => {
				await publish();
				if (stored) trigger.staticData = stored;
				expect(await post(registeredUrl(), { challenge: 'c-1', token: 'x' })).toEqual({
					status: 200,
					answer: { challenge: 'c-1' },
					items: [],
				});
			},
		);

		test('of a stranger is refused', async () => {
			await publish();
			expect(await post(trigger.webhookUrl(), { challenge: 'c-1' })).toMatchObject({ status: 401 });
		});

		test('comes through while a test event is waited for, and while signatures are verified', async () => {
			await publish(
				{ verification: 'hmac', signaturePrefix: 'sha256=' },
				{ signature: 'hmac-hex' },
			);
			const challenge = { status: 200, answer: { challenge: 'c-1' }, items: [] };
			expect(await post(registeredUrl(), { challenge: 'c-1' })).toEqual(challenge);
			receiver.open(trigger, 'manual');
			trigger.staticData = {};
			await trigger.call('create', true);
			const { url } = sandbox
				.endpoints()
				.find((endpoint) => endpoint.url.includes('webhook-test'))!;
			expect(await post(url, { challenge: 'c-1' })).toEqual(challenge);
		});
	});

	describe('a flood of strangers', () => {
		const FLOOD = 200;
		const flood = async () => {
			const begun = Date.now();
			const before = lookUps();
			const answers = await Promise.all(
				Array.from({ length: FLOOD }, (_request, index) =>
					post(withToken(`${index}`.padStart(3, '0') + OTHER_TOKEN.slice(3))),
				),
			);
			const seconds = (Date.now() - begun) / 1000;
			return {
				statuses: new Set(answers.map(({ status }) => status)),
				asked: lookUps() - before,
				seconds,
			};
		};

		test('is answered, each of them, and asks the service at most once a second', async () => {
			await publish();
			const { statuses, asked, seconds } = await flood();
			expect(statuses).toEqual(new Set([401]));
			expect(asked).toBeGreaterThanOrEqual(1);
			expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test('asks no oftener where the list has many pages', async () => {
			await publish({}, { paging: 'link' });
			const PAGES = 12;
			for (let index = 0; index < 50 * (PAGES - 1); index++) {
				sandbox.addEndpoint({ url: `https://other.example.com/${index}` });
			}
			expect((await flood()).asked).toBe(PAGES);

			const { now } = Date;
			const clock = jest.spyOn(Date, 'now');
			clock.mockImplementation(() => now() + (PAGES / 2) * 1_000);
			expect((await flood()).asked).toBe(0);
			clock.mockImplementation(() => now() + (PAGES + 1) * 1_000);
			expect((await flood()).asked).toBe(PAGES);
			clock.mockRestore();
		});

		test('while the static data is lost, keeps no delivery out for long', async () => {
			await publish({}, { retrySchedule: 'eager' });
			trigger.staticData = {};
			const { statuses, asked, seconds } = await flood();
			expect([...statuses].every((status) => [401, 503].includes(status))).toBe(true);
			expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
			const sent = sandbox.emit('call.completed', {});
			const isIn = ({ items }: Received) => items.some(({ id }) => id === sent.id);
			await until('the delivery', 4, () => receiver.received.some(isIn));
		});
	});

	describe('while someone waits for a test event', () => {
		const listen = async () => {
			await publish({ testEvent: 'real' });
			await trigger.call('delete');
			trigger.staticData = {};
			await trigger.call('create', true);
			receiver.open(trigger, 'manual');
		};

		test('a delivery is let in before n8n has stored the token, and nobody without it', async () => {
			await listen();
			const stored = trigger.staticData;
			trigger.staticData = {};
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(trigger.webhookUrl(true))).toMatchObject({ status: 401, items: [] });
			trigger.staticData = stored;
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(trigger.webhookUrl(true))).toMatchObject({ status: 401, items: [] });
		});

		test('every type starts the test', async () => {
			await listen();
			const ping = { type: 'ping', message: 'Hello' };
			expect(await post(registeredUrl(), ping)).toMatchObject({ status: 200, items: [ping] });
		});

		test('the token of the test URL does not open the production one', async () => {
			await listen();
			// The published workflow has static data of its own.
			trigger.staticData = {};
			expect(await post(withToken(rightToken()))).toMatchObject({ status: 401, items: [] });
		});
	});

	describe('signatures', () => {
		test.each<[Dialect['signature'], INodeParameters]>([
			['standard-webhooks', { verification: 'standardWebhooks' }],
			['hmac-hex', { verification: 'hmac', signaturePrefix: 'sha256=' }],
			['hmac-base64', { verification: 'hmac', signatureEncoding: 'base64' }],
		])('%s: signed is let in, unsigned or changed is not', async (signature, options) => {
			await publish(options, { signature });
			const before = receiver.received.length;
			sandbox.emit('call.completed', { name: 'Zoë' });
			await sandbox.settled();
			expect(receiver.received.slice(before)).toMatchObject([
				{ status: 200, items: [{ data: { name: 'Zoë' } }] },
			]);
			expect(await post(registeredUrl())).toEqual({ status: 401, answer: REFUSED, items: [] });
			const forged = { 'x-signature': 'sha256=00', 'webhook-signature': 'v1,AA==' };
			expect(await post(registeredUrl(), CALL, forged)).toMatchObject({ status: 401, items: [] });
		});

		test("the credential is read only where the endpoint's own secret verifies nothing", async () => {
			await publish({ verification: 'standardWebhooks' }, { signature: 'standard-webhooks' });
			trigger.credential = { ...trigger.credential, apiKey: '' };
			const before = receiver.received.length;
			sandbox.emit('call.completed', {});
			await sandbox.settled();
			expect(receiver.received.slice(before)).toMatchObject([{ status: 200 }]);
			// Unsigned, it takes the credential to tell, which can't be used.
			expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
		});

		test('the token proves itself, and the signature still decides', async () => {
			await publish(
				{ verification: 'hmac', signaturePrefix: 'sha256=' },
				{ signature: 'hmac-hex' },
			);
			trigger.staticData = {};
			// The endpoint may have a secret of its own, which was lost.
			expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
			const before = receiver.received.length;
			sandbox.emit('call.completed', {});
			await sandbox.settled();
			expect(receiver.received.slice(before)).toMatchObject([{ status: 200 }]);
		});

		test("without the endpoint's own secret, a delivery is to come again", async () => {
			const options = { verification: 'standardWebhooks' };
			await publish(options, { signature: 'standard-webhooks', retrySchedule: 'once' });
			trigger.staticData = {};
			const before = receiver.received.length;
			sandbox.emit('call.completed', {});
			await sandbox.settled();
			expect(receiver.received.slice(before)).toEqual([{ status: 503, items: [] }]);
		});
	});

	describe('delivery details', () => {
		test('tell the type, the id, the time and the headers, without secrets', async () => {
			await publish({ deliveryDetails: true });
			const secrets = {
				authorization: 'Bearer s3cret',
				cookie: 'session=s3cret',
				'x-api-key': 's3cret',
				'x-auth-token': 's3cret',
				'x-signature': 's3cret',
				'webhook-signature': 'v1,s3cret',
				'x-forwarded-uri': registeredUrl(),
				referer: registeredUrl(),
			};
			const { items } = await post(registeredUrl(), CALL, { 'x-delivery-id': 'msg_1', ...secrets });
			expect(items).toEqual([
				{
					...CALL,
					delivery: {
						id: 'msg_1',
						eventType: 'call.completed',
						receivedAt: expect.stringMatching(/^\d{4}-/) as string,
						headers: expect.objectContaining({ 'x-delivery-id': 'msg_1' }) as object,
					},
				},
			]);
			expect(JSON.stringify(items)).not.toContain('s3cret');
			expect(JSON.stringify(items)).not.toContain(rightToken());
		});

		test.each<[string, object, Record<string, string>, unknown]>([
			["the header's", CALL, { 'webhook-id': 'msg_1' }, ['msg_1']],
			["the body's", { type: 'call.completed', delivery_id: 'msg_1' }, {}, ['msg_1']],
			["the event's", CALL, {}, ['evt_1']],
			['a number', { ...CALL, id: 7 }, {}, [7]],
			['nested', { event: { type: 'call.completed', id: 'evt_1' } }, {}, ['evt_1']],
			['none', { type: 'call.completed' }, {}, [null]],
			[
				"each event's own, where there are several",
				[CALL, { ...CALL, id: 'evt_2', delivery_id: 'msg_1' }],
				{ 'webhook-id': 'msg_1' },
				['evt_1', 'evt_2'],
			],
		])('have the delivery ID: %s', async (_name, body, headers, ids) => {
			await publish({ deliveryDetails: true });
			const { items } = await post(registeredUrl(), body, headers);
			expect(items?.map(({ delivery }) => (delivery as { id: unknown }).id)).toEqual(ids);
		});

		test('are the same delivery ID for each try of a delivery', async () => {
			await publish({ deliveryDetails: true });
			const { deliveries } = sandbox.emit('call.completed', {});
			await sandbox.settled();
			expect(receiver.received.at(-1)?.items).toMatchObject([{ delivery: { id: deliveries[0] } }]);
		});
	});

	describe('bodies', () => {
		test.each<[string, string, unknown[]]>([
			['an object', '{"a": {"b": [1, "ü"]}}', [{ a: { b: [1, 'ü'] } }]],
			[
				'an array',
				'[{"type": "call.completed"}, {"type": "call.started"}, 3]',
				[{ type: 'call.completed' }, { body: 3 }],
			],
			['an empty array', '[]', []],
			['a number', '42', [{ body: 42 }]],
			['a text', '"text"', [{ body: 'text' }]],
			['null', 'null', [{}]],
			['nothing', '', [{}]],
		])('%s', async (_name, body, items) => {
			await publish();
			expect(await post(registeredUrl(), body)).toMatchObject({ status: 200, items });
		});

		test.each([
			'application/cloudevents+json',
			'application/vnd.api+json; charset=utf-8',
			'text/json',
			'text/plain',
		])('JSON as %s', async (type) => {
			await publish();
			const items = [{ type: 'call.completed', name: 'Zoë' }];
			const [body] = items;
			expect(await post(registeredUrl(), body, { 'content-type': type })).toMatchObject({
				status: 200,
				items,
			});
		});

		test.each<[string, string | false]>([
			['no type at all', false],
			['just bytes', 'application/octet-stream'],
		])('JSON as %s', async (_name, type) => {
			await publish();
			const { status, items } = await post(registeredUrl(), CALL, { 'content-type': type });
			expect({ status, items }).toEqual({ status: 200, items: [CALL] });
		});

		test('what n8n leaves packed', async () => {
			await publish();
			const headers = {
				'content-type': 'application/cloudevents+json',
				'content-encoding': 'gzip',
			};
			const packed = gzipSync(JSON.stringify(CALL));
			expect(await post(registeredUrl(), packed, headers)).toMatchObject({
				status: 200,
				items: [CALL],
			});
		});

		test('one that n8n leaves unread is verified as it was sent', async () => {
			await publish(
				{ verification: 'hmac', signaturePrefix: 'sha256=' },
				{ signature: 'hmac-hex' },
			);
			const body = JSON.stringify(CALL, undefined, '\t');
			const sign = (text: string) => ({
				'content-type': 'application/cloudevents+json',
				'x-signature': `sha256=${createHmac('sha256', sandbox.signingSecret).update(text).digest('hex')}`,
			});
			expect(await post(registeredUrl(), body, sign(body))).toMatchObject({
				status: 200,
				items: [CALL],
			});
			expect(await post(registeredUrl(), body, sign(`${body} `))).toMatchObject({ status: 401 });
		});

		test('one that is too large is refused as such, not as a stranger’s', async () => {
			await publish();
			const body = { type: 'call.completed', transcript: 'x'.repeat(17_000_000) };
			const headers = { 'content-type': 'application/cloudevents+json' };
			expect(await post(registeredUrl(), body, headers)).toMatchObject({ status: 413 });
		});

		test("a stranger's is not even read", async () => {
			await publish();
			const headers = { 'content-type': 'application/cloudevents+json' };
			const body = 'x'.repeat(17_000_000);
			const { status } = await post(trigger.webhookUrl(), body, headers);
			// At version 1 n8n itself reads it first.
			expect(status).toBe(typeVersion === 1 ? 413 : 401);
		});

		test('keys like those of a prototype', async () => {
			await publish();
			const body =
				'{"type":"call.completed","__proto__":{"admin":true},"constructor":{"prototype":{}}}';
			const { status, items } = await post(registeredUrl(), body);
			expect(status).toBe(200);
			expect(JSON.stringify(items)).toBe(`[${body}]`);
			expect(({} as { admin?: boolean }).admin).toBeUndefined();
		});

		test('a large one', async () => {
			await publish();
			const body = { type: 'call.completed', transcript: 'x'.repeat(5_000_000) };
			expect(await post(registeredUrl(), body)).toMatchObject({ status: 200, items: [body] });
		});
	});

	test('the answer to the service holds nothing of the workflow', async () => {
		await publish();
		sandbox.emit('call.completed', { call_id: 'C1' });
		sandbox.emit('call.completed', {});
		await sandbox.settled();
		const log = sandbox.deliveriesOf(sandbox.endpoints()[0]!.id);
		expect(log).toHaveLength(2);
		for (const { response_status, response_body } of log) {
			expect(response_status).toBe(200);
			expect(response_body).toMatch(/^(|"")$/);
		}
	});

	test('the service is asked once for a look-up, even if it fails', async () => {
		await publish();
		trigger.staticData = {};
		const before = lookUps();
		sandbox.fault = () => ({ kind: 'status', status: 500 });

		expect((await post(withToken(OTHER_TOKEN))).status).toBe(503);
		expect(lookUps() - before).toBe(1);
	});
});
