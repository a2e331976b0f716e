import { until } from '../../sandbox/stack/until';
import type { Received } from '../support/receiver';
import {
	begin,
	CALL,
	post,
	publish,
	receiver,
	REFUSED,
	registeredUrl,
	rightToken,
	sandbox,
	trigger,
	useReceiver,
	withToken,
} from '../support/receiveSetup';

// The waits between the node's tries to reach the service pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/noWaits'));

const OTHER_TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

const lookUps = () =>
	sandbox.requests.filter(({ method, path }) => `${method} ${path}` === 'GET /webhooks').length;

useReceiver();

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
		expect(await post(withToken(OTHER_TOKEN))).toEqual({ status: 401, answer: REFUSED, items: [] });
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
		).toMatchObject({ status: 401, items: [] });
		await first.stop();
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

	test('what the service no longer has starts nothing after the next create', async () => {
		await publish();
		const old = registeredUrl();
		rotate();
		sandbox.removeEndpoint(sandbox.endpoints()[0]!.id);
		await trigger.call('delete');
		await trigger.publish();
		expect(await post(old)).toMatchObject({ status: 401, items: [] });
	});

	test('what an old workspace still sends starts nothing after the next create', async () => {
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

		test('and n8n has stored an older hash: the service is asked', async () => {
			await publish();
			rotate();
			trigger.staticData = { ...trigger.staticData, tokenHashes: ['older'] };
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
		});

		test('and a list of many pages does not say how to go on: it is to come again', async () => {
			await publishAndLose();
			sandbox.fault = ({ path }) =>
				path.startsWith('/webhooks')
					? { kind: 'answer', body: { data: [], has_more: true } }
					: undefined;
			expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
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
		// 503 for those who come between two look-ups: nothing proves yet that they are strangers.
		expect(statuses).toEqual(new Set([401, 503]));
		expect(asked).toBeGreaterThanOrEqual(1);
		expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
		expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
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

test('the service is asked once for a look-up, even if it fails', async () => {
	await publish();
	trigger.staticData = {};
	const before = lookUps();
	sandbox.fault = () => ({ kind: 'status', status: 500 });

	expect((await post(withToken(OTHER_TOKEN))).status).toBe(503);
	expect(lookUps() - before).toBe(1);
});
