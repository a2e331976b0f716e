import fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from '../support/n8nCore';

const URL_OF = {
	wh_1: 'https://n8n.example.com/webhook/1/webhook',
	wh_2: 'https://crm.example.com/hooks',
	wh_3: 'https://n8n.example.com/webhook-test/1/webhook',
};
type WebhookId = keyof typeof URL_OF;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The delivery logs of the service. A request for a missing log fails. */
let logs: Partial<Record<WebhookId, IDataObject[]>>;
let webhooks: WebhookId[];
/** The list of webhooks is answered after this promise. */
let pause: Promise<void> | undefined;
let catalogRequests: number;
let service: FastifyInstance;
let baseUrl: string;

beforeAll(async () => {
	service = fastify({ forceCloseConnections: true });
	service.get('/v1/webhooks/event-types', () => {
		catalogRequests++;
		return { data: ['call.completed', 'call.started'] };
	});
	service.get('/v1/webhooks', async () => {
		await pause;
		return { data: webhooks.map((id) => ({ id, url: `${URL_OF[id]}?voice_agent_token=***` })) };
	});
	service.get<{ Params: { id: WebhookId }; Querystring: { page?: string } }>(
		'/v1/webhooks/:id/deliveries',
		async ({ params: { id }, query: { page = '1' } }, reply) => {
			const log = logs[id];
			if (!log) return await reply.code(400).send({ message: 'log is lost' });
			const end = Number(page) * 100;
			return { data: log.slice(end - 100, end), has_more: log.length > end, page: Number(page) };
		},
	);
	baseUrl = `${await service.listen({ host: '127.0.0.1', port: 0 })}/v1`;
});
afterAll(async () => await service.close());
beforeEach(() => {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'performance'],
	});
	logs = { wh_1: [], wh_2: [], wh_3: [] };
	webhooks = ['wh_1', 'wh_2', 'wh_3'];
	pause = undefined;
	catalogRequests = 0;
});
afterEach(() => jest.useRealTimers());

const pass = (minutes: number) => jest.setSystemTime(Date.now() + minutes * MINUTE_MS);
const call = (id: string, more: IDataObject = {}) => ({
	id: `evt_${id}`,
	type: 'call.completed',
	data: { call_id: id, direction: 'inbound', from: '+14155550100', to: '+493055501', ...more },
});
/** Logs an attempt that failed now. */
function logAttempt(id: string, more: IDataObject = {}, webhook: WebhookId = 'wh_1'): void {
	logs[webhook]!.unshift({
		id: `att_${id}_${logs[webhook]!.length}`,
		event_id: `evt_${id}`,
		event_type: 'call.completed',
		status: 'failed',
		response_status: 503,
		attempted_at: new Date().toISOString(),
		payload: call(id),
		...more,
	});
}

async function createNode(parameters: INodeParameters = {}): Promise<NodeInWorkflow> {
	return await NodeInWorkflow.create('voiceAgentMissedEventsTrigger', {
		parameters: { webhookIds: [URL_OF.wh_1], events: ['call.completed'], ...parameters },
		credential: { baseUrl, apiKey: 'svc_live_0123456789' },
	});
}

type Poll = ReturnType<NodeInWorkflow['activatePoller']>;
/** Publishes a node that reports events of any age, with its first poll. */
async function startPolling(parameters: INodeParameters = {}): Promise<Poll> {
	const node = await createNode({ options: { minAgeMinutes: 0 }, ...parameters });
	const poll = node.activatePoller();
	await poll();
	return poll;
}
/** The calls of the executions that a poll starts, by their outputs. */
const polled = async (poll: Poll) =>
	(await poll()).map(([events = [], without = []]) => [
		...events.map(({ json }) => (json.data as IDataObject).call_id),
		...without.map(({ json }) => (json.deliveryDetails as IDataObject).id),
	]);

test('a missed event starts the workflow once, in the shape of the other trigger', async () => {
	const poll = (await createNode()).activatePoller();
	expect(await poll()).toEqual([]);
	logAttempt('a');
	pass(14);
	expect(await poll()).toEqual([]);
	logAttempt('a', { response_status: 500 });
	const lastAttemptAt = new Date().toISOString();
	pass(15);
	const [[events, without] = []] = await poll();
	expect(without).toEqual([]);
	expect(events).toEqual([
		{
			json: {
				...call('a'),
				callDetails: expect.objectContaining({ id: 'a', person: 'found' }) as object,
				delivery: {
					id: 'evt_a',
					eventType: 'call.completed',
					receivedAt: null,
					headers: {},
					missed: { reason: 'failed', attempts: 2, lastAttemptAt },
				},
			},
		},
	]);
	expect(await poll()).toEqual([]);
});

test('each event starts an execution of its own, the oldest first', async () => {
	const poll = await startPolling();
	for (const id of ['a', 'b', 'c']) {
		pass(1);
		logAttempt(id);
	}
	expect(await polled(poll)).toEqual([['a'], ['b'], ['c']]);
});

test('a delivered, unselected or filtered event starts nothing', async () => {
	const options = { minAgeMinutes: 0, onlyCalls: { filter: { direction: 'outbound' } } };
	const poll = await startPolling({ options });
	logAttempt('a');
	logAttempt('a', { status: 'delivered', response_status: 200 });
	logAttempt('b', { event_type: 'call.started', payload: { ...call('b'), type: 'call.started' } });
	// The log states the type; in the event, `type` is another field.
	const outbound = call('e', { direction: 'outbound' });
	logAttempt('e', { event_type: 'call.started', payload: { ...outbound, type: 'phone' } });
	logAttempt('c');
	logAttempt('d', { event_type: 'call.started', payload: null });
	expect(await polled(poll)).toEqual([]);
	// Nothing else is due, so the catalog is not requested again.
	const before = catalogRequests;
	expect(await polled(poll)).toEqual([]);
	expect(catalogRequests).toBe(before);
});

test('an event that n8n answered while it was starting is missed', async () => {
	const poll = await startPolling();
	logAttempt('a', {
		status: 'delivered',
		response_status: 200,
		response_body: 'n8n is starting up. Please wait',
	});
	const [[[item] = []] = []] = await poll();
	expect(item?.json.delivery).toMatchObject({ missed: { reason: 'starting' } });
});

test('a missed delivery whose event the log lacks comes out of the second output', async () => {
	const poll = await startPolling();
	logAttempt('a', { payload: null });
	const [[events, [item] = []] = []] = await poll();
	expect(events).toEqual([]);
	expect(item?.json.deliveryDetails).toMatchObject({
		webhookUrl: `${URL_OF.wh_1}?***`,
		eventType: 'call.completed',
		status: 503,
	});
	expect(await poll()).toEqual([]);
});

test('no output holds a secret that the log repeats', async () => {
	const poll = await startPolling();
	const url = `${URL_OF.wh_1}?voice_agent_token=${'a-token-of-43-chars'.padEnd(43, '_')}`;
	logAttempt('a', { payload: null, error: `POST ${url}: connect ECONNREFUSED` });
	logAttempt('b', { payload: call('b', { callback: url, sentWith: 'svc_live_0123456789' }) });
	const text = JSON.stringify(await poll());
	expect(text).toContain('sentWith');
	expect(text).not.toMatch(/a-token|svc_live_0123/);
});

test('an event is reported once, also if the log drops its payload later', async () => {
	const poll = await startPolling();
	logAttempt('a', { event_id: undefined });
	expect(await polled(poll)).toEqual([['a']]);
	logs.wh_1![0]!.payload = null;
	expect(await polled(poll)).toEqual([]);
});

test('an event is reported once, also if more are missed than the static data can hold', async () => {
	const poll = await startPolling();
	for (let count = 0; count < 6_000; count++) {
		pass(1);
		logAttempt(`${count}`, count % 1_000 ? { event_type: 'call.started', payload: null } : {});
	}
	expect(await poll()).toHaveLength(6);
	logAttempt('new');
	expect(await polled(poll)).toEqual([['new']]);
});

describe('the time from which on events are reported', () => {
	test('is the publish', async () => {
		logAttempt('a');
		pass(20);
		const poll = (await createNode()).activatePoller();
		expect(await polled(poll)).toEqual([]);
	});

	test('is before the publish with Look Back', async () => {
		logAttempt('a');
		pass(60);
		logAttempt('b');
		pass(20);
		const poll = (await createNode({ options: { lookBackHours: 1 } })).activatePoller();
		expect(await polled(poll)).toEqual([['b']]);
	});

	test('stays over a restart, and reported events are not reported again', async () => {
		const node = await createNode();
		const poll = node.activatePoller();
		await poll();
		logAttempt('a');
		pass(16);
		expect(await polled(poll)).toEqual([['a']]);
		logAttempt('b');
		pass(48 * 60);
		expect(await polled(node.activatePoller('init'))).toEqual([['b']]);
	});

	test.each([
		['the minimum age is long', 'activate', 180, 120],
		['the last poll was long ago', 'update', 0, 300],
	] as const)('reaches further back if %s', async (_why, mode, minAgeMinutes, minutes) => {
		const node = await createNode({ options: { minAgeMinutes } });
		await node.activatePoller()();
		logAttempt('a');
		pass(minutes);
		const poll = node.activatePoller(mode);
		const early = await polled(poll);
		pass(60);
		expect([...early, ...(await polled(poll))]).toEqual([['a']]);
	});

	test('leaves out the time in which the workflow was not published', async () => {
		const node = await createNode();
		await node.activatePoller()();
		pass(24 * 60);
		logAttempt('a');
		pass(76);
		expect(await polled(node.activatePoller('activate'))).toEqual([]);
	});
});

test('at most 50 executions start in one poll, the others in the next', async () => {
	const poll = await startPolling();
	for (let count = 0; count < 60; count++) logAttempt(`${count}`);
	expect(await poll()).toHaveLength(50);
	expect(await poll()).toHaveLength(10);
	expect(await poll()).toHaveLength(0);
});

test('a log of 10,000 records is read within the budget of a poll', async () => {
	const poll = await startPolling();
	for (let count = 0; count < 10_000; count++) {
		logAttempt(`${count}`, count % 1_000 ? { status: 'delivered', response_status: 200 } : {});
	}
	const start = performance.now();
	expect(await poll()).toHaveLength(10);
	const seconds = (performance.now() - start) / 1000;
	console.log(`10,000 records of a delivery log are read in ${seconds.toFixed(1)} s`);
	expect(seconds).toBeLessThan(45);
}, 60_000);

test('polls never overlap', async () => {
	const poll = await startPolling();
	logAttempt('a');
	let resume = () => {};
	pause = new Promise((resolve) => (resume = resolve));
	const first = poll();
	expect(await poll()).toEqual([]);
	resume();
	expect(await first).toHaveLength(1);
});

describe('the webhooks', () => {
	test('are found by their URL, whatever their ID', async () => {
		const node = await createNode();
		expect(await node.loadOptions('getWebhooks')).toEqual([
			{ name: `${URL_OF.wh_1} (every event)`, value: URL_OF.wh_1 },
			{ name: `${URL_OF.wh_2} (every event)`, value: URL_OF.wh_2 },
		]);
	});

	test('are all of this n8n, without test listeners', async () => {
		const poll = await startPolling({ webhooks: 'thisN8n' });
		logAttempt('a', {}, 'wh_1');
		logAttempt('b', {}, 'wh_2');
		logAttempt('c', {}, 'wh_3');
		expect(await polled(poll)).toEqual([['a']]);
	});

	test('fail a later poll if there are none, and none during a publish, which creates them', async () => {
		webhooks = ['wh_2'];
		const poll = (await createNode()).activatePoller();
		expect(await poll()).toEqual([]);
		pass(1);
		expect(await poll()).toEqual([]);
		pass(1);
		await expect(poll()).rejects.toThrow('The service has none of the chosen webhooks. Choose');
	});

	test('fail a later poll if the parameters can not be evaluated', async () => {
		const countryCode = '={{ $("Other").item.json.code }}';
		const poll = (await createNode({ options: { countryCode } })).activatePoller();
		expect(await poll()).toEqual([]);
		pass(2);
		await expect(poll()).rejects.toThrow();
	});

	test('with a log that can not be read fail the poll after the others were reported', async () => {
		const poll = await startPolling({ webhookIds: [URL_OF.wh_1, URL_OF.wh_2] });
		pass(2);
		logs.wh_1 = undefined;
		logAttempt('b', {}, 'wh_2');
		const started = poll();
		await expect(started).rejects.toThrow(/webhook wh_1 could not be read: .*log is lost/);
		logs.wh_1 = [];
		expect(await polled(poll)).toEqual([]);
	});
});

describe('Fetch test event', () => {
	const fetched = async (parameters: INodeParameters = {}) => {
		const node = await createNode(parameters);
		node.staticData = { since: 1, reported: ['wh_1 evt_a'] };
		const result = await polled(node.activatePoller('manual', 'manual'));
		expect(node.staticData).toEqual({ since: 1, reported: ['wh_1 evt_a'] });
		return result;
	};

	test('shows the newest missed event', async () => {
		logAttempt('a');
		pass(1);
		logAttempt('b', { status: 'delivered', response_status: 200 });
		expect(await fetched()).toEqual([['a']]);
	});

	test('shows a delivered event if none was missed', async () => {
		logAttempt('b', { status: 'delivered', response_status: 200 });
		expect(await fetched()).toEqual([['b']]);
	});

	test('fails if the log is empty', async () => {
		await expect(fetched()).rejects.toThrow('The delivery log holds none of the chosen events');
	});
});

test('events of weeks ago are not reported', async () => {
	logAttempt('a', { attempted_at: new Date(Date.now() - 500 * HOUR_MS).toISOString() });
	const poll = (await createNode()).activatePoller();
	expect(await polled(poll)).toEqual([]);
});
