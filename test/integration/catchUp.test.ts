import type { INodeParameters } from 'n8n-workflow';

import {
	call,
	createNode,
	logAttempt,
	pass,
	polled,
	service,
	startPolling,
	URL_OF,
	usePolling,
} from '../support/missedEventsSetup';

usePolling();

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
	const before = service.catalogRequests;
	expect(await polled(poll)).toEqual([]);
	expect(service.catalogRequests).toBe(before);
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
	service.logs.wh_1![0]!.payload = null;
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
