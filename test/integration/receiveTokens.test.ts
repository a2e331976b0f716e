import { randomUUID } from 'node:crypto';

import {
	begin,
	CALL,
	post as postBody,
	publish,
	receiver,
	REFUSED,
	registeredUrl,
	rightToken,
	sandbox,
	trigger,
	useReceiver,
	withToken,
} from '../support/n8n/receiveSetup';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

const OTHER_TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

/** The number of requests for the list of endpoints, in which the trigger looks up a token. */
const lookUps = () =>
	sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'GET /webhooks').length;

/** Posts an event of its own each time. */
const post = async (url: string) => await postBody(url, CALL, { 'x-acme-delivery': randomUUID() });

useReceiver();

describe('the callback token', () => {
	// Promise: A request without the right token gets 401 and starts nothing.
	test.each<[string, () => string]>([
		['no token', () => trigger.webhookUrl()],
		['an empty token', () => withToken('')],
		['a masked token', () => withToken('***')],
		['a shortened token', () => withToken(rightToken().slice(1))],
		['the valid token twice', () => withToken(rightToken(), rightToken())],
		['the valid token and another', () => withToken(rightToken(), OTHER_TOKEN)],
		['the valid token as an array', () => registeredUrl().replace('token=', 'token[]=')],
		[
			'the valid token in another parameter',
			() => registeredUrl().replace('voice_agent_token', 'token'),
		],
		['a token of 8,000 characters', () => withToken('a'.repeat(8_000))],
	])('%s gets 401 without a request to the service', async (_name, url) => {
		await publish();
		const before = sandbox.requests.length;
		expect(await post(url())).toEqual({ status: 401, answer: REFUSED, items: [] });
		expect(sandbox.requests).toHaveLength(before);
	});

	test('the valid token starts the workflow, also among other parameters', async () => {
		await publish();
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		expect(await post(`${registeredUrl()}&a=1`)).toMatchObject({ status: 200, items: [CALL] });
	});
});

describe('a registered token', () => {
	/** Gives the credential a new API key, with which no earlier token was made. */
	const rotate = () => {
		trigger.credential = {
			...trigger.credential,
			apiKey: sandbox.createKey('New', ['workspace:admin']),
		};
	};

	// Promise: A token is valid while n8n has stored nothing, or has lost it.
	test.each(['asSent', 'masked', 'dropped'] as const)(
		'is valid without static data, and without a request to the service (list: %s)',
		async (listedUrl) => {
			await publish({}, { listedUrl });
			trigger.staticData = {};
			const before = sandbox.requests.length;
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			// n8n may be about to store the static data of `create`.
			expect(trigger.staticData).toEqual({});
			expect(sandbox.requests).toHaveLength(before);
		},
	);

	// Promise: A rotated API key stops no delivery.
	test('is valid after the API key was rotated, and the credential is not read', async () => {
		await publish();
		rotate();
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		trigger.credential = { ...trigger.credential, apiKey: '' };
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
	});

	test('of the previous endpoint is valid after the next create, for attempts under way', async () => {
		await publish();
		const old = registeredUrl();
		rotate();
		trigger.parameters = { ...trigger.parameters, events: ['call.completed', 'call.started'] };
		await trigger.call('delete');
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status: 200, items: [CALL] });
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
	});

	test('of an endpoint that the service has removed gets 401 after the next create', async () => {
		await publish();
		const old = registeredUrl();
		rotate();
		sandbox.removeEndpoint(sandbox.endpoints()[0]!.id);
		await trigger.call('delete');
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status: 401, items: [] });
	});

	test('of an endpoint in another workspace gets 401 after the next create', async () => {
		await publish();
		const old = registeredUrl();
		const first = sandbox;
		await begin();
		// Another credential, or the same one edited in place.
		trigger.credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status: 401, items: [] });
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		await first.stop();
	});

	describe('after the API key was rotated and the static data lost', () => {
		const publishAndLose = async (...options: Parameters<typeof publish>) => {
			await publish(...options);
			rotate();
			trigger.staticData = {};
		};

		test('is looked up at the service, once', async () => {
			await publishAndLose();
			const before = lookUps();
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(lookUps() - before).toBe(1);
			expect(JSON.stringify(trigger.staticData)).not.toContain(rightToken());
		});

		test('is valid among invented tokens, which use up no look-ups', async () => {
			await publish();
			rotate();
			Object.assign(trigger.staticData, { tokenHashes: ['outdated'] });
			const tokens = Array.from({ length: 40 }, (_, index) => 1000 + index + OTHER_TOKEN.slice(4));
			const answers = await Promise.all(
				tokens.flatMap((token) => [post(withToken(token)), post(registeredUrl())]),
			);
			const real = answers.filter((_, index) => index % 2 === 1);
			expect(real.map(({ status }) => status)).toEqual(real.map(() => 200));
		});

		test('is not valid because someone else has registered it for the same URL', async () => {
			await publish();
			rotate();
			const stored = JSON.stringify(trigger.staticData);
			sandbox.addEndpoint({ url: withToken(OTHER_TOKEN) });
			expect(await post(withToken(OTHER_TOKEN))).toMatchObject({ status: 503, items: [] });
			expect(JSON.stringify(trigger.staticData)).toBe(stored);
		});

		test('gets 503 if the list of the service is incomplete', async () => {
			await publishAndLose();
			sandbox.fault = () => ({ kind: 'answer', body: { data: [], has_more: true } });
			expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
		});

		test('is valid after a request with an unknown token, which gets 401', async () => {
			await publishAndLose();
			const before = lookUps();
			const refused = { status: 401, answer: REFUSED, items: [] };
			expect(await post(withToken(OTHER_TOKEN))).toEqual(refused);
			expect(lookUps() - before).toBe(1);
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test.each(['masked', 'dropped'] as const)(
			'gets 503 if the list hides tokens: %s',
			async (listedUrl) => {
				await publishAndLose({}, { listedUrl });
				expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
				expect(trigger.staticData).toEqual({});
			},
		);

		// Promise: A token that can be neither confirmed nor rejected gets 503.
		test.each([
			['breaks connections', { kind: 'drop-before' }],
			['fails', { kind: 'status', status: 500 }],
			['answers with a web page', { kind: 'html' }],
			['refuses the key', { kind: 'status', status: 401 }],
		] as const)('gets 503 while the service %s', async (_name, fault) => {
			await publishAndLose();
			const before = lookUps();
			sandbox.fault = () => fault;
			const answer = { message: expect.stringContaining('Send it again later') as string };
			expect(await post(registeredUrl())).toEqual({ status: 503, answer, items: [] });
			expect(lookUps() - before).toBe(1);
			expect(trigger.staticData).toEqual({});
		});

		test('is valid in a later attempt of the service, so that no event is lost', async () => {
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

	// Promise: A delivery that can not be judged gets 503, so that the service sends it again.
	test('gets 503 without static data and without a credential', async () => {
		await publish();
		trigger.staticData = {};
		trigger.credential = { ...trigger.credential, apiKey: '' };
		expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
	});
});

// Promise: A process looks tokens up at most once a second.
test('200 requests with unknown tokens are all answered, with at most one look-up a second', async () => {
	await publish();
	const [begun, before] = [Date.now(), lookUps()];
	const tokens = Array.from({ length: 200 }, (_, index) => 1000 + index + OTHER_TOKEN.slice(4));
	const answers = await Promise.all(tokens.map((token) => post(withToken(token))));
	const asked = lookUps() - before;
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
	expect(asked).toBeGreaterThanOrEqual(1);
	expect(asked).toBeLessThanOrEqual(1 + Math.floor((Date.now() - begun) / 1000));
	expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
});
