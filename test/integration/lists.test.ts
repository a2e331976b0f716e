import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, serve, useFailures } from '../support/service/failures';
import { NodeInWorkflow } from '../support/n8n/core';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

type Query = Record<string, string | undefined>;
/** Gives the JSON to answer a request with. */
type Service = (query: Query, response: ServerResponse, path: string) => unknown;

useFailures();

let requested: string[];
beforeEach(() => {
	requested = [];
});

/** Runs the action node at a service that answers every request in one way. */
async function run(
	service: Service,
	parameters: INodeParameters,
	type: 'voiceAgent' | 'voiceAgentTool' = 'voiceAgent',
) {
	const baseUrl = await serve(({ url = '' }, response) => {
		requested.push(url);
		const [path = '', query] = url.replace('/v1', '').split('?');
		const body = service(Object.fromEntries(new URLSearchParams(query)), response, path);
		response.end(JSON.stringify(body));
	});
	const node = await NodeInWorkflow.create(type, {
		parameters,
		credential: { baseUrl, apiKey: 'svc_live_admin' },
	});
	const output = await node.execute();
	return { items: output.map(({ json }) => json), hints: node.hints };
}

const listWebhooks = { resource: 'webhook', operation: 'getAll', returnAll: true };
const getDeliveries = {
	...listWebhooks,
	operation: 'getDeliveries',
	allWebhooks: false,
	webhookId: byId('wh_1'),
	options: { simplify: false },
};
const endpoints = (count: number) =>
	Array.from({ length: count }, (_none, index) => ({
		id: `wh_${index + 1}`,
		url: `https://a.example/${index + 1}`,
		events: ['call.completed'],
	}));
const ALL = endpoints(25);
const from = (start: number, size = 10) => ALL.slice(start, start + size);

// Promise: A list is read to its end, page by page.
test.each<[string, Service]>([
	[
		'overlapping pages',
		({ page = '1' }) => ({ data: from(Math.max((Number(page) - 1) * 10 - 2, 0)), pages: 3 }),
	],
	[
		'an empty page before the last one, and an empty last page',
		({ cursor = '0' }) => ({
			data: [from(0), [], from(10), from(20), []][Number(cursor)],
			next_cursor: cursor === '4' ? undefined : `${Number(cursor) + 1}`,
		}),
	],
])('a list in pages is read whole with %s', async (_with, service) => {
	const { items, hints } = await run(service, listWebhooks);
	expect(items).toEqual(ALL);
	expect(hints).toEqual([]);
	expect(requested.length).toBeLessThan(20);
});

describe('a list that can not be read whole', () => {
	// Promise: An incomplete list is said to be incomplete.
	test.each<[string, Service]>([
		['reports more pages without a cursor', () => ({ data: from(0, 2), last: false })],
		['returns the first page again', () => ({ data: from(0, 2), next_cursor: 'a' })],
		[
			'has a total above the number of entries',
			({ page }) => ({ data: page ? [] : from(0, 2), total: 25, page: 1 }),
		],
		[
			'has empty pages without an end',
			({ cursor = '0' }) => ({ data: [], next: `${+cursor + 1}` }),
		],
		['never ends', ({ cursor = '0' }) => ({ data: from(0, 2), next: `${Number(cursor) + 1}` })],
	])('has a hint if the service %s', async (_name, service) => {
		const { items, hints } = await run(service, listWebhooks);
		expect(items).toEqual(from(0, items.length));
		expect(hints).toEqual([expect.stringContaining('webhooks is incomplete')]);
		expect(requested.length).toBeLessThan(40);
	});

	test('ends, though each answer states a next page, as soon as a page brings nothing new', async () => {
		const signed = () => `https://a.example/call.mp3?X-Signature=${requested.length}`;
		const records = (at: number) =>
			Array.from({ length: 100 }, (_none, n) => ({ id: `${at + n}`, recording: signed() }));
		const next = () => `/v1/webhooks/wh_1/deliveries?cursor=${requested.length}`;
		// The list of webhooks is read first, which tells whose URL it is.
		const ofLog =
			(answer: Service): Service =>
			(query, response, path) =>
				path === '/webhooks' ? [] : answer(query, response, path);
		const repeated = await run(
			ofLog(() => ({ data: records(0), next: next() })),
			getDeliveries,
		);
		expect(repeated.items).toHaveLength(100);
		expect(requested.length).toBeLessThan(20);
		requested = [];
		const endless = await run(
			ofLog(() => ({ data: records(requested.length * 100).slice(0, 2), next: next() })),
			getDeliveries,
		);
		expect([endless.items.length, requested.length]).toEqual([1_000, 501]);
		expect(endless.hints).toEqual([expect.stringContaining('deliveries is incomplete')]);
	});
});

test('a list of deliveries keeps the attempts of one delivery apart', async () => {
	const data = [1, 2].map((attempt) => ({ id: 'dlv_1', attempt }));
	expect((await run(() => ({ data }), getDeliveries)).items).toMatchObject(data);
});

test.each([[{ result: { id: 'k1', zorp: 'opaque' } }], [{ status: 'ok' }]])(
	'a created API key without a value that begins like a key is an error: %j',
	async (body) => {
		const createKey = { resource: 'apiKey', operation: 'create', name: 'A', scopes: [] };
		await expect(run(() => body, createKey)).rejects.toThrow(
			/an API key was expected\. The service may have carried out the request/,
		);
	},
);

test('a test event whose delivery failed is no error', async () => {
	const webhookId = byId('w1');
	const sendTest = { resource: 'webhook', operation: 'test', webhookId };
	const report = { ok: false, status: 500 };
	const { items } = await run(() => report, sendTest);
	expect(items).toEqual([{ success: false, ...report }]);
});

describe('a created webhook', () => {
	const url = 'https://a.example/hook';
	const create = { resource: 'webhook', operation: 'create', url, events: ['call.completed'] };
	const created: Service = (_query, response, path): IDataObject => {
		if (path !== '/webhooks') response.writeHead(500);
		return { id: 'req_77', secret: 'whsec_c2VjcmV0IG9mIDE2', data: { id: 'wh_1', url } };
	};

	test('is the record with the URL that was sent, though the catalog cannot be read', async () => {
		const { items } = await run(created, create);
		expect(items).toEqual([{ id: 'wh_1', url, signingSecret: 'whsec_c2VjcmV0IG9mIDE2' }]);
	});

	test('is shown to an AI agent by its id, address, events and status alone', async () => {
		const query = '?key=s3cret';
		const record = { id: 'wh_1', url: url + query, status: 'active', secret: 'abc', owner: 'Ann' };
		const service: Service = (_query, _response, path) =>
			path === '/webhooks' ? record : ['call.completed'];
		const asTool = async (answer: Service) =>
			(await run(answer, { ...create, url: url + query }, 'voiceAgentTool')).items;
		const shown = { id: 'wh_1', url: `${url}?***`, events: ['call.completed'], status: 'active' };
		expect(await asTool(service)).toEqual([shown]);
		const idOnly: Service = (...request) =>
			request[2] === '/webhooks' ? { id: 'wh_1', token: 'abc' } : service(...request);
		expect(await asTool(idOnly)).toEqual([{ ...shown, status: null }]);
	});
});
