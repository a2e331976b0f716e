import type { IDataObject, INodeParameters, NodeOperationError } from 'n8n-workflow';

import { NodeInWorkflow } from '../support/n8n/core';
import { startScriptedService, type ScriptedService } from '../support/service/scriptedService';

const TOKEN = 'AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK';
const WORKFLOW = 'voice_agent_workflow=aB3dE6gH9jK2mN5p';
const URL_OF = {
	wh_1: `https://n8n.example.com/webhook/1/webhook?voice_agent_token=${TOKEN}&${WORKFLOW}`,
	wh_2: 'https://crm.example.com/hooks',
	// Another n8n, whose address begins like that of this one.
	wh_3: `https://n8n.example.com.old.example/hooks?${WORKFLOW}`,
};
const EVENTS_OF: Record<string, object> = {
	wh_1: { events: ['call.completed'] },
	wh_2: { events: [] },
};

const attempt = (id: string, status: string, more: IDataObject = {}) => ({ id, status, ...more });
const ofDay = (day: number) =>
	attempt(`d${day}`, 'delivered', { created_at: `2026-01-0${day}T00:00Z` });
/** n8n's answer of success while it was starting. */
const starting = { response_status: 200, response_body: 'n8n is starting up. Please wait' };

let service: ScriptedService;
beforeEach(async () => {
	service = await startScriptedService();
	service.endpoints = Object.entries(URL_OF).map(([id, url]) => ({ id, url, ...EVENTS_OF[id] }));
	service.logs = {
		wh_1: [
			attempt('a1', 'failed'),
			attempt('a2', 'delivered'),
			attempt('a3', 'delivered', starting),
		],
		wh_2: [attempt('b1', 'delivered'), attempt('b2', 'zorb')],
		wh_3: [attempt('c1', 'failed'), attempt('c2', 'failed'), attempt('c3', 'failed')],
	};
});
afterEach(async () => await service.stop());

async function run(
	parameters: INodeParameters,
	settings: NodeInWorkflow['settings'] = {},
): Promise<IDataObject[]> {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: { resource: 'webhook', operation: 'getDeliveries', returnAll: true, ...parameters },
		credential: { baseUrl: service.baseUrl, apiKey: 'svc_live_0123456789' },
	});
	node.settings = settings;
	const items = await node.execute();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	return items.map(({ json }) => json);
}
const ids = (items: IDataObject[]) =>
	items.map(({ deliveryDetails, error }) => error ?? (deliveryDetails as IDataObject).id);
const one = { allWebhooks: false, webhookId: { mode: 'id', value: 'wh_1' } };
const all = { allWebhooks: true };
const onlyFailed = { options: { onlyFailed: true } };

// Promise: The deliveries of the log stay as they were sent, with their details first.
test('each record is as it was sent, with its details first, and call details in its event', async () => {
	const from = '+14155550123';
	const event = { type: 'call.completed', url: URL_OF.wh_1, direction: 'inbound', from };
	service.logs.wh_1 = [attempt('a1', 'failed', { payload: JSON.stringify(event) })];
	const [record] = await run({ ...one, options: { simplify: false } });
	expect(Object.keys(record ?? {})).toEqual(['deliveryDetails', 'id', 'status', 'payload']);
	expect(record).toMatchObject({
		id: 'a1',
		status: 'failed',
		deliveryDetails: {
			id: 'a1',
			succeeded: false,
			event: { callDetails: { customer: { phone: from } }, type: 'call.completed' },
		},
	});
	expect(JSON.stringify(record)).not.toContain(TOKEN);
});

test('details get a name of their own beside a field of that name', async () => {
	service.logs.wh_1 = [attempt('a1', 'failed', { deliveryDetails: 'its own' })];
	const [record] = await run({ ...one, options: { simplify: false } });
	expect(record).toMatchObject({ deliveryDetails: 'its own', deliveryDetails_1: { id: 'a1' } });
});

test.each<[string, INodeParameters, string]>([
	['Only Failed', { ...one, ...onlyFailed }, 'a1 a3'],
	['Only Failed, also of unknown result', { ...all, ...onlyFailed }, 'a1 a3 b2 c1 c2 c3'],
	['Limit and Only Failed', { ...one, ...onlyFailed, returnAll: false, limit: 2 }, 'a1 a3'],
])('the deliveries are chosen by %s', async (_by, parameters, chosen) => {
	expect(ids(await run(parameters))).toEqual(chosen.split(' '));
});

test.each([
	['one after another', [1, 2, 3, 4, 5], 'd5 d4'],
	['by event, each with its resend', [1, 3, 2, 4, 6, 8, 7, 9], 'd9 d7'],
])(
	'a limit takes the newest deliveries of a log from the oldest on, %s',
	async (_how, days, newest) => {
		service.logs.wh_1 = days.map(ofDay);
		expect(ids(await run({ ...one, returnAll: false, limit: 2 }))).toEqual(newest.split(' '));
	},
);

test('a limit takes the newest deliveries of all webhooks', async () => {
	service.logs = { wh_1: [ofDay(2), ofDay(1)], wh_2: [ofDay(4)], wh_3: [ofDay(3)] };
	expect(ids(await run({ ...all, returnAll: false, limit: 2 }))).toEqual(['d4', 'd3']);
});

test('Only Failed keeps what another receiver failed with success, also if the list is refused once', async () => {
	service.logs.wh_2 = [attempt('b1', 'failed', { response_status: 200 })];
	const chosen = { allWebhooks: false, webhookId: { mode: 'id', value: 'wh_2' } };
	let lists = 0;
	service.script.list = () => (++lists === 1 ? { status: 429 } : undefined);
	expect(ids(await run({ ...chosen, ...onlyFailed }))).toEqual(['b1']);
});

test('All Webhooks reads every log, and each record has its webhook', async () => {
	const items = await run(all);
	expect(ids(items)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'c3']);
	const details = items.map(({ deliveryDetails }) => deliveryDetails as IDataObject);
	const ofEndpoints = details.map(({ endpointId }) => endpointId as string);
	expect(ofEndpoints.join(' ')).toBe('wh_1 wh_1 wh_1 wh_2 wh_2 wh_3 wh_3 wh_3');
	expect(details[0]?.webhookUrl).toBe('https://n8n.example.com/webhook/1/webhook?***');
	expect(details[3]?.webhookUrl).toBe('https://crm.example.com/hooks');
});

test('an unreadable log fails the item with its webhook, and says how to get the others', async () => {
	delete service.logs.wh_2;
	const error = await run(all).catch((thrown: NodeOperationError) => thrown);
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/deliveries of the webhook https:\/\/crm\.example\.com\/hooks \(ID wh_2\) could not be read: .*status 404/s,
		) as string,
		description: expect.stringContaining('set On Error to Continue') as string,
	});
});

test('All Webhooks leaves out a webhook that the service lists as deleted', async () => {
	Object.assign(service.endpoints[1]!, { status: 'deleted' });
	delete service.logs.wh_2;
	expect(ids(await run(all))).toEqual(['a1', 'a2', 'a3', 'c1', 'c2', 'c3']);
});

test('with On Error on Continue, an error stands beside the deliveries of the others', async () => {
	delete service.logs.wh_1;
	const items = await run(
		{ ...all, ...onlyFailed, returnAll: false, limit: 2 },
		{ onError: 'continueRegularOutput' },
	);
	expect(ids(items)).toEqual(['b2', 'c1', expect.stringContaining('(ID wh_1) could not be read')]);
	expect(Object.keys(items[2] ?? {})).toEqual(['error']);
	expect(JSON.stringify(items)).not.toContain(TOKEN);
});

test('the list of webhooks shows the events of each webhook, and is searchable by them', async () => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		credential: { baseUrl: service.baseUrl, apiKey: 'svc_live_0123456789' },
	});
	const offered = await node.listSearch('searchWebhooks');
	expect(offered.map(({ name }) => name)).toEqual([
		`https://n8n.example.com/webhook/1/webhook?voice_agent_token=***&${WORKFLOW} (call.completed)`,
		'https://crm.example.com/hooks (every event)',
		URL_OF.wh_3,
	]);
	const found = await node.listSearch('searchWebhooks', 'every event');
	expect(found.map(({ value }) => value)).toEqual(['wh_2']);
});
