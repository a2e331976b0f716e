import type { AxiosResponse } from 'axios';

import { axes } from '../../sandbox/axes';
import { namedDialects, parseDialect } from '../../sandbox/dialects';
import { sampleData } from '../../sandbox/service/events';
import {
	api,
	begin,
	created,
	hook,
	onlyDelivery,
	receiver,
	sandbox,
	speak,
	useSandbox,
	unknownId,
} from '../support/sandboxScene';

useSandbox();

describe('dialects', () => {
	it.each([
		['data', { data: ['call.started'] }],
		['array', ['call.started']],
		['items', { items: ['call.started'] }],
		['results', { results: ['call.started'] }],
		['resource', { eventTypes: ['call.started'] }],
		['nested', { data: { eventTypes: ['call.started'] } }],
		[
			'odd',
			{
				request_id: expect.stringMatching(/^req_/) as string,
				took_ms: 3,
				quota: [997, 1000],
				notes: [],
				bundle: { count: 1, rows: ['call.started'] },
			},
		],
		['edges', { viewer: { id: 'ws_1', edges: ['call.started'] } }],
		['map', { data: ['call.started'] }],
	] as const)('listEnvelope=%s', async (listEnvelope, body) => {
		await begin({
			dialect: { listEnvelope, catalogEntry: 'string' },
			catalog: [{ type: 'call.started', description: '' }],
		});
		expect((await api.get('/webhooks/event-types')).data).toEqual(body);
	});

	it('listEnvelope=map has records by their ids', async () => {
		await speak({ listEnvelope: 'map' });
		expect((await api.get('/webhooks')).data).toEqual({ data: {} });
		const id = sandbox.addEndpoint({ url: hook });
		expect((await api.get('/webhooks')).data).toEqual({ data: { [id]: { id, url: hook } } });
	});

	it.each([
		['bare', (record: object) => record],
		['data', (record: object) => ({ data: record })],
		['resource', (record: object) => ({ webhook: record })],
		['nested', (record: object) => ({ data: { webhook: record } })],
		['request', (data: object) => ({ id: expect.stringMatching(/^req_/) as string, data })],
		['odd', (outcome: object) => ({ origin: { id: 'ws_1' }, notes: [], outcome })],
		['split', (webhook: object) => ({ webhook })],
	] as const)('recordEnvelope=%s', async (recordEnvelope, wrap) => {
		await speak({ recordEnvelope });
		const { data } = await api.post<object>('/webhooks', { url: hook });
		expect(data).toEqual(wrap({ id: sandbox.endpoints()[0]?.id, url: hook }));
	});

	it('recordEnvelope=split shows a key, and a secret, beside their records', async () => {
		await speak({ recordEnvelope: 'split', signature: 'svix' });
		expect((await api.post<object>('/workspace/api-keys', { name: 'CRM' })).data).toMatchObject({
			apiKey: { name: 'CRM' },
			key: expect.stringMatching(/^svc_live_/) as string,
		});
		expect((await api.post<object>('/webhooks', { url: hook })).data).toMatchObject({
			webhook: { url: hook },
			signing_key: expect.stringMatching(/^whsec_/) as string,
		});
	});

	it.each([
		['attributes', (id: string) => ({ id, kind: 'webhook', attributes: { url: hook } })],
		['related', (id: string) => ({ owner: { id: 'ws_1', name: 'Workspace' }, id, url: hook })],
	] as const)('recordShape=%s', async (recordShape, record) => {
		await speak({ recordShape, listEnvelope: 'edges' });
		const creation = await api.post<{ id: string }>('/webhooks', { url: hook });
		const { id } = creation.data;
		expect(creation.data).toEqual(record(id));
		expect((await api.get('/webhooks')).data).toEqual({
			viewer: { id: 'ws_1', edges: [{ node: record(id) }] },
		});
	});

	it.each([
		['enveloped', 200, { items: [] }],
		['null', 200, { items: null }],
		['no content', 204, ''],
	] as const)('emptyList=%s', async (emptyList, status, data) => {
		await speak({ emptyList, listEnvelope: 'items' });
		expect(await api.get('/webhooks')).toMatchObject({ status, data });
	});

	it.each([
		['string', 'call.started'],
		['name', { name: 'call.started', description: 'A call' }],
		['type', { type: 'call.started', description: 'A call' }],
		['event', { event: 'call.started', description: 'A call' }],
		['id', { id: 'call.started', description: 'A call' }],
		[
			'slug',
			{
				id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
				name: 'call started',
				slug: 'call.started',
				description: 'A call',
			},
		],
	] as const)('catalogEntry=%s', async (catalogEntry, entry) => {
		await begin({
			dialect: { catalogEntry },
			catalog: [{ type: 'call.started', description: 'A call' }],
		});
		expect((await api.get('/webhooks/event-types')).data).toEqual({ data: [entry] });
	});

	it.each([
		['groups', { call: ['call.started', 'call.completed'], chat: ['chat.started'] }],
		['map', { 'call.started': 'A', 'call.completed': 'B', 'chat.started': 'C' }],
		['wildcards', ['call.started', 'call.completed', 'chat.started', 'call.*', 'chat.*', '*']],
	] as const)('catalogEntry=%s', async (catalogEntry, data) => {
		const catalog = [
			{ type: 'call.started', description: 'A' },
			{ type: 'call.completed', description: 'B' },
			{ type: 'chat.started', description: 'C' },
		];
		await begin({ dialect: { catalogEntry }, catalog });
		expect((await api.get('/webhooks/event-types')).data).toEqual({ data });
	});

	it('catalogEntry=wildcards can be subscribed to', async () => {
		await speak({ catalogEntry: 'wildcards' });
		for (const events of [['*'], ['call.*'], ['chat.*']]) {
			expect((await api.post('/webhooks', { url: `${hook}/${events[0]}`, events })).status).toBe(
				201,
			);
		}
		expect((await api.post('/webhooks', { url: hook, events: ['fax.*'] })).status).toBe(422);
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(receiver.delivered.map(({ path }) => path).sort()).toEqual(['/hook/*', '/hook/call.*']);
	});

	const ways = axes.paging.filter((paging) => !['none', 'silent'].includes(paging));
	it.each(ways)('paging=%s', async (paging) => {
		await speak({ paging });
		for (const path of ['1', '2', '3', '4', '5']) sandbox.addEndpoint({ url: `${hook}/${path}` });
		const urls: string[] = [];
		let next: string | undefined = '/webhooks';
		for (let pages = 0; next && pages < 9; pages++) {
			const page: AxiosResponse<Page> = await api.get<Page>(next);
			urls.push(...page.data.data.map(({ url }) => url.slice(-1)));
			next = nextPage(page);
		}
		expect(urls).toEqual(['1', '2', '3', '4', '5']);
	});

	it('paging=silent, and bare arrays have a Link at most', async () => {
		await speak({ paging: 'silent' });
		for (const path of ['1', '2', '3']) sandbox.addEndpoint({ url: `${hook}/${path}` });
		const { data } = await api.get<{ data: object[]; has_more: boolean }>('/webhooks');
		expect([data.data.length, data.has_more]).toEqual([2, true]);
		await sandbox.stop();
		await speak({ paging: 'cursor', listEnvelope: 'array' });
		const { headers } = await api.get('/webhooks/event-types');
		expect(headers.link).toMatch(/^<http.+>; rel="next"$/);
	});

	it.each([
		['error.message', (message: string) => ({ error: { code: 'not_found', message } })],
		['message', (message: string) => ({ message })],
		['error', (message: string) => ({ error: message })],
		['detail', (message: string) => ({ detail: message })],
		['title', (message: string) => ({ type: 'about:blank', title: message, status: 404 })],
		['errors', (message: string) => ({ errors: [{ message }] })],
		['html', (message: string) => expect.stringContaining(`<p>${message}</p>`) as string],
		['empty', () => ''],
	] as const)('errorBody=%s', async (errorBody, body) => {
		await speak({ errorBody });
		const { status, data } = await api.delete<unknown>(`/webhooks/${unknownId}`);
		expect(status).toBe(404);
		expect(data).toEqual(body(`There is no webhook endpoint ${unknownId}`));
	});

	it.each(['GET', 'POST'])('errorBody, also where %s is no operation', async (method) => {
		await speak({ errorBody: 'detail' });
		const { status, data } = await api.request<unknown>({ method, url: '/calls' });
		expect([status, data]).toEqual([404, { detail: 'No such operation' }]);
		expect(sandbox.requests.at(-1)).toMatchObject({ method, path: '/calls', status: 404 });
	});

	it.each([
		['conventional', [201, 204, 204]],
		['ok', [200, 200, 200]],
		['accepted', [200, 202, 202]],
	] as const)('successCode=%s', async (successCode, statusesOfSuccess) => {
		await speak({ successCode });
		const creation = await api.post<{ id: string }>('/webhooks', { url: hook });
		const test = await api.post(`/webhooks/${creation.data.id}/test`);
		const removal = await api.delete(`/webhooks/${creation.data.id}`);
		expect([creation, test, removal].map(({ status }) => status)).toEqual(statusesOfSuccess);
		await sandbox.settled();
	});

	it.each([
		['event', { event: 'call.started' }],
		['event_type', { event_type: 'call.started' }],
		['eventType', { eventType: 'call.started' }],
		['event.type', { event: { type: 'call.started' } }],
		['topic', { topic: 'call.started' }],
		['name', { type: 'event', name: 'call.started' }],
		['cloudevents', { specversion: '1.0', type: 'com.example.call.started' }],
		['array', [{ type: 'call.started' }]],
		['event.name', { event: { name: 'call.started' } }],
		['data.type', { type: 'webhook_event', data: { type: 'call.started' } }],
		['events', { events: [{ type: 'call.started' }] }],
		['header', { data: {} }],
		['vendor header', { type: 'inbound_call' }],
		['ce-type', { call_id: expect.any(String) as string }],
	] as const)('eventEnvelope=%s', async (eventEnvelope, body) => {
		await speak({ eventEnvelope });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.started');
		await sandbox.settled();
		expect(JSON.parse(onlyDelivery().body)).toMatchObject(body);
		expect(onlyDelivery().headers['content-type']).toBe(
			eventEnvelope === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
		);
		const inHeader = {
			header: 'x-event-type',
			'vendor header': 'x-acme-event',
			'ce-type': 'ce-type',
		};
		for (const [form, header] of Object.entries(inHeader)) {
			expect(onlyDelivery().headers[header]).toBe(
				eventEnvelope === form ? 'call.started' : undefined,
			);
		}
	});

	it.each([
		['upper', 'CALL_STARTED'],
		['versioned', 'v1.call.started'],
		['version last', 'call.started.v1'],
		['urn', 'urn:acme:call.started'],
	] as const)('eventSpelling=%s', async (eventSpelling, type) => {
		await speak({ eventSpelling });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.started');
		await sandbox.settled();
		expect(JSON.parse(onlyDelivery().body)).toMatchObject({ type });
	});

	it.each([
		['snake', { call_id: 'c1', from: '+14155550123', customer: {}, duration_seconds: 184 }],
		['camel', { call: { id: 'c1', durationMs: 184_000 }, customer: {}, agent: {} }],
		['from-to', { id: 'c1', direction: 'inbound', from: '+14155550123', duration: 184 }],
		['form', { CallSid: 'c1', From: '+14155550123', CallDuration: '184' }],
	] as const)('payload=%s', async (payload, data) => {
		await speak({ payload });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed', { ...sampleData('call.completed'), call_id: 'c1' });
		await sandbox.settled();
		expect(JSON.parse(onlyDelivery().body)).toMatchObject({ data });
	});

	it.each([
		['asSent', 'https://CRM.example.com/a%2fb?token=x%2fy'],
		['masked', 'https://CRM.example.com/a%2fb?***'],
		['x-masked', 'https://CRM.example.com/a%2fb?token=xxxxx'],
		['dropped', 'https://CRM.example.com/a%2fb'],
		['normalised', 'https://crm.example.com:443/a%2Fb?token=x%2Fy'],
	] as const)('listedUrl=%s', async (listedUrl, url) => {
		await speak({ listedUrl });
		sandbox.addEndpoint({ url: 'https://CRM.example.com/a%2fb?token=x%2fy' });
		expect((await api.get('/webhooks')).data).toMatchObject({ data: [{ url }] });
	});

	it.each([
		['chosen', undefined, ['call.started']],
		['empty', [], ['call.started']],
		['star', ['*'], ['call.started']],
		['catalog', ['call.started', 'call.completed'], ['call.started']],
		['upper', undefined, ['CALL_STARTED']],
		['hidden', undefined, undefined],
	] as const)('listedEvents=%s', async (listedEvents, ofAll, ofOne) => {
		await begin({
			dialect: { listedEvents },
			catalog: ['call.started', 'call.completed'].map((type) => ({ type, description: '' })),
		});
		sandbox.addEndpoint({ url: hook });
		sandbox.addEndpoint({ url: hook, events: ['call.started'] });
		const { data } = await api.get<{ data: Array<{ events?: string[] }> }>('/webhooks');
		expect(data.data.map(({ events }) => events)).toEqual([ofAll, ofOne]);
	});

	it.each([
		['subscribed', 'call.completed'],
		['ping', 'ping'],
		['untyped', undefined],
	] as const)('sampleType=%s', async (sampleType, type) => {
		await speak({ sampleType });
		await api.post(`/webhooks/${sandbox.addEndpoint({ url: hook })}/test`);
		expect((JSON.parse(onlyDelivery().body) as { type?: string }).type).toBe(type);
	});

	it('challenge=post: only a URL that answers it is registered', async () => {
		await speak({ challenge: 'post' });
		expect((await api.post('/webhooks', { url: hook })).status).toBe(422);
		expect(JSON.parse(onlyDelivery().body)).toEqual({ challenge: expect.any(String) as string });
		expect(sandbox.endpoints()).toEqual([]);
		receiver.answerTo = (body) => body;
		expect((await api.post('/webhooks', { url: hook })).status).toBe(201);
		expect(sandbox.endpoints()).toHaveLength(1);
	});

	it.each([
		['taken again', 201, 201, 3],
		['409 with query', 409, 201, 2],
		['409', 409, 409, 1],
		['422', 422, 422, 1],
		['old record', 201, 201, 1],
	] as const)('sameUrl=%s', async (sameUrl, sameStatus, otherStatus, stored) => {
		await speak({ sameUrl });
		const { id } = await created({ url: `${hook}?token=a` });
		const same = await api.post<object>('/webhooks', { url: `${hook}?token=a` });
		const other = await api.post<object>('/webhooks', { url: `${hook}?token=b` });
		expect([same.status, other.status]).toEqual([sameStatus, otherStatus]);
		expect(sandbox.endpoints()).toHaveLength(stored);
		if (sameUrl === 'old record') expect(other.data).toEqual({ id, url: `${hook}?token=a` });
	});

	it('are read from words', async () => {
		await begin();
		expect(parseDialect('')).toEqual(namedDialects.assumed);
		expect(parseDialect('terse, paging=none')).toEqual({ ...namedDialects.terse, paging: 'none' });
		expect(() => parseDialect('fancy')).toThrow(/no dialect 'fancy'.*assumed, wrapped, terse/);
		expect(() => parseDialect('colour=red')).toThrow(/no axis of dialects 'colour'/);
		expect(() => parseDialect('paging=red')).toThrow(/'paging' can't be 'red'; it can be none/);
	});
});

interface Page {
	data: Array<{ id: string; url: string }>;
	next_cursor?: string | null;
	nextMarker?: string | null;
	next?: string | null;
	page?: number;
	total_pages?: number;
	number?: number;
	last?: boolean;
	offset?: number;
	limit?: number;
	total?: number;
	has_more?: boolean;
}

function nextPage({ data, headers, config }: AxiosResponse<Page>): string | undefined {
	const link = /<(.+)>; rel="next"/.exec(String(headers.link))?.[1];
	if (link) return link;
	if (data.next) return data.next;
	if (data.next_cursor) return `/webhooks?cursor=${data.next_cursor}`;
	if (data.nextMarker) return `/webhooks?marker=${data.nextMarker}`;
	if (data.has_more) return `/webhooks?starting_after=${data.data.at(-1)?.id}`;
	if (data.last === false) return `/webhooks?page=${(data.number ?? 0) + 1}`;
	const range = /-(\d+)\/(\d+)$/.exec(String(headers['content-range']))?.map(Number);
	if (range?.[1] && range[1] + 1 < range[2]!) return `/webhooks?offset=${range[1] + 1}`;
	const asked = Number(/page=(\d+)/.exec(config.url ?? '')?.[1] ?? 1);
	if (asked * 2 < Number(headers['x-total-count'])) return `/webhooks?page=${asked + 1}`;
	const { page = 1, total_pages: pages = 1, offset = 0, limit = 0, total = 0 } = data;
	if (offset + limit < total) return `/webhooks?offset=${offset + limit}`;
	return page < pages ? `/webhooks?page=${page + 1}` : undefined;
}
