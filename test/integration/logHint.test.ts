import type { INodeParameters } from 'n8n-workflow';

import { tokenOf } from '../support/service/callbackTokens';
import { NodeInWorkflow } from '../support/n8n/core';
import { begin, post, receiver, sandbox, useReceiver } from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();

const FILTER = { onlyCalls: { filter: { direction: 'inbound' } } };

/** Starts a service with a log of events, and makes a trigger. */
async function start(options: INodeParameters = FILTER): Promise<NodeInWorkflow> {
	await begin({ loggedEvent: 'payload' });
	return await create(options);
}

async function create(options: INodeParameters = {}): Promise<NodeInWorkflow> {
	return await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: { testEvent: 'real', ...options } },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
		webhookBase: receiver.base,
	});
}

/** Logs calls at an endpoint: a call with two events, and events that start no workflow. */
async function logCalls(id: string): Promise<void> {
	const call = (call_id: string, direction: string, customer: string) => {
		return { call_id, direction, [direction === 'inbound' ? 'from' : 'to']: customer };
	};
	for (const [at, direction] of ['inbound', 'outbound', 'inbound'].entries()) {
		await sandbox.deliver(id, 'call.completed', call(`a${at}`, direction, '+14155550100'));
		await sandbox.deliver(id, 'call.completed', call(`b${at}`, direction, 'anonymous'));
	}
	await sandbox.deliver(id, 'call.completed', call('a2', 'inbound', '+14155550100'));
	await sandbox.deliver(id, 'call.started', call('c', 'inbound', ''));
}

/** Executes the step. @returns the hints, and the requests for the test event */
async function executeStep(trigger: NodeInWorkflow) {
	await trigger.publish(true);
	let hints: string[] = [];
	const url = sandbox.endpoints().find((one) => one.url.includes('webhook-test'))!.url;
	expect(tokenOf(url)).toBeDefined();
	receiver.open(
		{
			webhookUrl: (test) => trigger.webhookUrl(test),
			receive: async (...request) => {
				const result = await trigger.receive(...request);
				hints = ((result.workflowData?.[0]?.[0]?.hints ?? '') as string)
					.split('\n')
					.filter(Boolean);
				return result;
			},
		},
		'manual',
	);
	const before = sandbox.requests.length;
	const { status } = await post(url, {
		type: 'call.completed',
		data: { call_id: 't', direction: 'inbound', from: '+14155550100' },
	});
	expect(status).toBe(200);
	const requests = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
	await trigger.call('delete', true);
	return { hints, requests };
}

test.each(['of the published trigger', 'of another webhook'])(
	'the hint counts the last calls in the log %s, by one request',
	async (which) => {
		const trigger = await start();
		const isOther = which === 'of another webhook';
		const ofOtherEvents = { url: receiver.base, events: ['call.failed'] };
		const unfit = isOther ? sandbox.addEndpoint(ofOtherEvents) : undefined;
		const published = isOther ? await create() : trigger;
		await published.publish();
		receiver.open(published);
		const { id } = sandbox.endpoints().find((one) => one.id !== unfit)!;
		const before = sandbox.requests.length;
		await logCalls(id);
		// Deliveries to a published workflow cost no request.
		expect(sandbox.requests).toHaveLength(before);
		const { hints, requests } = await executeStep(trigger);
		expect(hints).toContain(
			'Of the last 6 calls, 4 meet Only Calls That Match; 3 have no Customer Phone.',
		);
		expect(requests).toEqual([`GET /webhooks/${id}/deliveries`]);
	},
);

test('the hint leaves out a filter that is not set', async () => {
	const trigger = await start({});
	await trigger.publish();
	receiver.open(trigger);
	await logCalls(sandbox.endpoints()[0]!.id);
	const { hints } = await executeStep(trigger);
	expect(hints).toEqual(['Of the last 6 calls, 3 have no Customer Phone.']);
});

test('the hint needs two calls, and speaks of one of them in the singular', async () => {
	const trigger = await start();
	await trigger.publish();
	receiver.open(trigger);
	const [{ id } = { id: '' }] = sandbox.endpoints();
	const hintsAfter = async (call: object) => {
		receiver.open(trigger);
		await sandbox.deliver(id, 'call.completed', call);
		return (await executeStep(trigger)).hints;
	};
	expect(await hintsAfter({ call_id: '1', direction: 'outbound', to: 'anonymous' })).toEqual([]);
	const known = { call_id: '2', direction: 'inbound', from: '+14155550100' };
	const hint = '1 meets Only Calls That Match; 1 has no Customer Phone.';
	expect(await hintsAfter(known)).toEqual([`Of the last 2 calls, ${hint}`]);
	const third = { call_id: '3', direction: 'outbound', to: '+14155550100' };
	expect(await hintsAfter(third)).toEqual([`Of the last 3 calls, ${hint}`]);
});

test('a log that begins with the oldest calls gives no hint of the last ones', async () => {
	const trigger = await start({});
	await trigger.publish();
	receiver.open(trigger);
	const [{ id } = { id: '' }] = sandbox.endpoints();
	await logCalls(id);
	const data = { direction: 'inbound', to: '+14155550100' };
	const body = sandbox.deliveriesOf(id).map((attempt) => ({ ...attempt, payload: { data } }));
	sandbox.fault = ({ path }) =>
		path.endsWith('/deliveries')
			? { kind: 'status', status: 200, body: body.reverse() }
			: undefined;
	expect((await executeStep(trigger)).hints).toEqual([]);
});

test('a log that is empty or fails gives no hint, and fails no step', async () => {
	const trigger = await start({});
	await trigger.publish();
	expect((await executeStep(trigger)).hints).toEqual([]);
	sandbox.fault = ({ path }) =>
		path.endsWith('/deliveries') ? { kind: 'status', status: 500 } : undefined;
	const { hints, requests } = await executeStep(trigger);
	expect([hints, requests.length]).toEqual([[], 1]);
});
