import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { readCallDetails } from '../../nodes/VoiceAgent/trigger/callDetails';
import { type Dialect, namedDialects, parseDialect } from '../../sandbox/dialects';
import { sampleData } from '../../sandbox/service/events';
import { type Fault, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/service';
import { type Certificate, makeCertificate } from '../../sandbox/stack/certificates';
import { until } from '../../sandbox/stack/until';

interface Delivered {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

let certificate: Certificate;
let server: Server;
let hook: string;
let delivered: Delivered[];
/** The statuses that the receiver answers with, one after the other; then 200. */
let statuses: number[];
/** What it answers to a body. */
let answerTo: (body: string) => string;
let sandbox: Sandbox;
let api: AxiosInstance;

beforeAll(async () => {
	certificate = await makeCertificate();
	server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
		void text(request).then((body) => {
			delivered.push({ path: request.url ?? '', headers: request.headers, body });
			response.writeHead(statuses.shift() ?? 200).end(answerTo(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	hook = `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
	delivered = [];
	statuses = [];
	answerTo = () => 'answer to POST';
});

afterEach(() => sandbox.stop());

async function begin(options: SandboxOptions = {}) {
	sandbox = await startSandbox({ retryScale: 0.01, ca: certificate.ca, ...options });
	api = client({ 'x-api-key': sandbox.adminKey });
}

const speak = (dialect: Partial<Dialect>) => begin({ dialect, pageSize: 2 });

function client(headers: Record<string, string>): AxiosInstance {
	return axios.create({ baseURL: sandbox.baseUrl, headers, validateStatus: () => true });
}

const created = async (body: object, path = '/webhooks') => {
	const { data } = await api.post<Record<'id' | 'key' | 'secret' | 'signing_key', string>>(
		path,
		body,
	);
	return data;
};

function onlyDelivery(): Delivered {
	const [only, ...others] = delivered;
	if (!only || others.length > 0) throw new Error(`There were ${delivered.length} deliveries`);
	return only;
}

const operations: Array<[method: string, path: string]> = [
	['GET', '/workspace/api-keys'],
	['POST', '/workspace/api-keys'],
	['DELETE', `/workspace/api-keys/${unknownId}`],
	['GET', '/webhooks/event-types'],
	['GET', '/webhooks'],
	['POST', '/webhooks'],
	['POST', `/webhooks/${unknownId}/test`],
	['GET', `/webhooks/${unknownId}/deliveries`],
	['DELETE', `/webhooks/${unknownId}`],
	['GET', '/calls'],
];

describe('authentication', () => {
	beforeEach(() => begin());

	it('takes the same key in either header', async () => {
		const bearer = client({ authorization: `Bearer ${sandbox.adminKey}` });
		expect((await bearer.get('/webhooks')).status).toBe(200);
		expect((await api.get('/webhooks')).status).toBe(200);
	});

	it.each(operations)('%s %s wants a key, and one that may administer', async (method, url) => {
		const plain = client({ 'x-api-key': sandbox.createKey('Plain') });
		const publishable = client({ 'x-service-public-key': 'pk_live_abc' });
		const data = method === 'POST' ? {} : undefined;
		expect((await client({}).request({ method, url, data })).status).toBe(401);
		expect((await plain.request({ method, url, data })).status).toBe(403);
		expect((await publishable.request({ method, url, data })).status).toBe(403);
	});

	it.each(['svc_live_wrong', 'pk_live_abc'])('refuses %s as a key', async (key) => {
		expect((await client({ authorization: `Bearer ${key}` }).get('/webhooks')).status).toBe(401);
		expect((await client({ 'x-api-key': key }).get('/webhooks')).status).toBe(401);
	});

	it("takes a browser's session for its own workspace only", async () => {
		const { data } = await axios.post<{ token: string; workspaceId: string }>(
			`${sandbox.pageUrl}sandbox/session`,
		);
		const authorization = `Bearer ${data.token}`;
		const signedIn = client({ authorization, 'x-workspace-id': data.workspaceId });
		expect((await signedIn.get('/webhooks')).status).toBe(200);
		expect((await client({ authorization }).get('/webhooks')).status).toBe(401);
		const elsewhere = client({ authorization, 'x-workspace-id': unknownId });
		expect((await elsewhere.get('/webhooks')).status).toBe(401);
	});

	it('gives no session to a page under another name', async () => {
		const session = `${sandbox.pageUrl}sandbox/session`;
		const { status } = await axios.post(session, undefined, {
			headers: { host: 'rebound.example.com' },
			validateStatus: () => true,
		});
		expect(status).toBe(403);
	});
});

describe('API keys', () => {
	beforeEach(() => begin());

	it('shows a key once, with the default scopes, and its prefix ever after', async () => {
		const { status, data } = await api.post<Record<string, string>>('/workspace/api-keys', {
			name: 'CRM',
		});
		expect(status).toBe(201);
		expect(data).toEqual({
			id: expect.stringMatching(uuid) as string,
			name: 'CRM',
			key: expect.stringMatching(/^svc_live_/) as string,
			prefix: data.key?.slice(0, data.prefix?.length),
			scopes: ['agents:read', 'calls:write'],
		});
		const list = await api.get<{ data: object[] }>('/workspace/api-keys');
		expect(list.data.data).toContainEqual({
			id: data.id,
			name: 'CRM',
			prefix: data.prefix,
			scopes: data.scopes,
		});
		expect(JSON.stringify(list.data)).not.toContain(data.key);
	});

	it.each([
		['no name', {}],
		['an empty name', { name: '' }],
		['a name that is no text', { name: 5 }],
		['an unknown scope', { name: 'x', scopes: ['calls:delete'] }],
	])('refuses %s', async (_what, body) => {
		expect((await api.post('/workspace/api-keys', body)).status).toBe(400);
	});

	it('takes JSON only', async () => {
		const headers = { 'content-type': 'text/plain' };
		const { status } = await api.post('/workspace/api-keys', '{"name":"x"}', { headers });
		expect(status).toBe(415);
	});

	it('revokes at once', async () => {
		const { id, key } = await created(
			{ name: 'Short-lived', scopes: ['workspace:admin'] },
			'/workspace/api-keys',
		);
		const own = client({ 'x-api-key': key });
		expect((await own.get('/webhooks')).status).toBe(200);
		expect((await api.delete(`/workspace/api-keys/${id}`)).status).toBe(204);
		expect((await own.get('/webhooks')).status).toBe(401);
		expect((await api.delete(`/workspace/api-keys/${id}`)).status).toBe(404);
	});
});

describe('webhook endpoints', () => {
	beforeEach(() => begin());

	it('registers, lists and removes', async () => {
		const { id } = await created({ url: hook, events: ['call.completed'] });
		expect(id).toMatch(uuid);
		const record = { id, url: hook, events: ['call.completed'] };
		expect((await api.get('/webhooks')).data).toEqual({ data: [record] });
		expect(sandbox.endpoints()).toEqual([record]);
		expect((await api.delete(`/webhooks/${id}`)).status).toBe(204);
		expect((await api.get('/webhooks')).data).toEqual({ data: [] });
	});

	it.each([
		['plain HTTP', { url: 'http://crm.example.com/hook' }, 422],
		['what is no URL', { url: 'crm' }, 422],
		['no URL', {}, 400],
		['an event type outside the catalog', { url: 'https://x.example.com', events: ['x.y'] }, 422],
	])('refuses %s', async (_what, body, status) => {
		expect((await api.post('/webhooks', body)).status).toBe(status);
		expect(sandbox.endpoints()).toEqual([]);
	});

	it.each(operations.filter(([, path]) => path.includes(unknownId)))(
		'%s %s: 404',
		async (method, url) => {
			expect((await api.request({ method, url })).status).toBe(404);
		},
	);

	it('has a catalog, which can be another', async () => {
		const { data } = await api.get<{ data: object[] }>('/webhooks/event-types');
		expect(data.data).toContainEqual({
			name: 'call.completed',
			description: expect.any(String) as string,
		});
		await sandbox.stop();
		await begin({ catalog: [{ type: 'visit.ended', description: 'A visit' }] });
		expect((await api.get('/webhooks/event-types')).data).toEqual({
			data: [{ name: 'visit.ended', description: 'A visit' }],
		});
	});
});

describe('deliveries', () => {
	it('go to those who subscribed, with what a CRM needs', async () => {
		await begin();
		await created({ url: `${hook}/all` });
		await created({ url: `${hook}/completed`, events: ['call.completed'] });
		await created({ url: `${hook}/chats`, events: ['chat.started'] });
		const { id, deliveries } = sandbox.emit('call.completed');
		await sandbox.settled();

		expect(delivered.map(({ path }) => path).sort()).toEqual(['/hook/all', '/hook/completed']);
		expect(delivered.map(({ headers }) => headers['x-delivery-id']).sort()).toEqual(
			[...deliveries].sort(),
		);
		const anyText = expect.any(String) as string;
		expect(JSON.parse(delivered[0]?.body ?? '')).toMatchObject({
			id,
			type: 'call.completed',
			created_at: anyText,
			data: {
				call_id: anyText,
				from: anyText,
				agent: { id: anyText, name: anyText },
				duration_seconds: 184,
				outcome: anyText,
				summary: anyText,
				customer: { name: anyText, email: anyText, phone: anyText },
			},
		});
	});

	it('are tried again until a 2xx comes, under one delivery id', async () => {
		await begin();
		const { id } = await created({ url: `${hook}?token=secret` });
		statuses = [500, 401, 302, 204];
		const { deliveries } = sandbox.emit('call.failed', { reason: 'busy' });
		await sandbox.settled();

		expect(delivered.map(({ headers }) => headers['x-delivery-id'])).toEqual(
			Array(4).fill(deliveries[0]),
		);
		const log = await api.get<{ data: object[] }>(`/webhooks/${id}/deliveries`);
		expect(log.data.data).toMatchObject([
			{ attempt: 4, status: 'delivered', response_status: 204, next_attempt_at: null },
			{ attempt: 3, status: 'failed', response_status: 302 },
			{ attempt: 2, status: 'failed', response_status: 401 },
			{ attempt: 1, status: 'failed', response_status: 500, response_body: 'answer to POST' },
		]);
		expect(JSON.stringify(log.data)).not.toContain('secret');
	});

	it('end after ten tries, or one, as the schedule says', async () => {
		await begin({ retryScale: 0 });
		const id = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(sandbox.deliveriesOf(id)).toHaveLength(10);
		expect(sandbox.deliveriesOf(id)[0]?.error).toContain('ECONNREFUSED');
		await sandbox.stop();

		await speak({ retrySchedule: 'once' });
		const once = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(sandbox.deliveriesOf(once)).toHaveLength(1);
	});

	it('end when the endpoint is removed, or the sandbox stops', async () => {
		await begin({ retryScale: 100 });
		const removed = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		const kept = sandbox.addEndpoint({ url: 'https://127.0.0.1:1/' });
		sandbox.emit('call.completed');
		sandbox.removeEndpoint(removed);
		await sandbox.stop();
		await sandbox.settled();
		expect(sandbox.deliveriesOf(removed).length).toBeLessThan(2);
		expect(sandbox.deliveriesOf(kept).length).toBeLessThan(2);
	});

	it('are refused to a certificate that is not trusted', async () => {
		await begin({ ca: undefined, dialect: { retrySchedule: 'once' } });
		const id = sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(delivered).toEqual([]);
		expect(sandbox.deliveriesOf(id)[0]?.error).toContain('certificate');
	});

	it('of a sample are made once', async () => {
		await begin();
		statuses = [500];
		const { id } = await created({ url: hook, events: ['chat.started'] });
		expect((await api.post(`/webhooks/${id}/test`)).status).toBe(204);
		expect(sandbox.deliveriesOf(id)).toMatchObject([
			{ event_type: 'chat.started', status: 'failed', next_attempt_at: null },
		]);
	});
});

describe('signatures', () => {
	it('by Standard Webhooks verify with the secret of the creation, and no other', async () => {
		await speak({ signature: 'standard-webhooks' });
		const { secret } = await created({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const seen = headers as Record<string, string>;
		expect(new Webhook(secret).verify(body, seen)).toMatchObject({ type: 'call.completed' });
		expect(() => new Webhook(Buffer.from('other')).verify(body, seen)).toThrow();
		expect(headers['webhook-id']).toBe(headers['x-delivery-id']);
		expect(JSON.stringify((await api.get('/webhooks')).data)).not.toContain(secret);
	});

	it('by the older names of the same headers verify likewise', async () => {
		await speak({ signature: 'svix' });
		const { signing_key } = await created({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const named = Object.entries(headers).map(([name, value]) => [
			name.replace('svix-', 'webhook-'),
			value,
		]);
		const seen = Object.fromEntries(named) as Record<string, string>;
		expect(new Webhook(signing_key).verify(body, seen)).toMatchObject({ type: 'call.completed' });
	});

	it('with a time are of both', async () => {
		await speak({ signature: 'timestamped' });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const [, time, signature] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-signature'])) ?? [];
		const hmac = createHmac('sha256', sandbox.signingSecret).update(`${time}.${body}`);
		expect(signature).toBe(hmac.digest('hex'));
		expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60);
	});

	it.each([
		['hmac-hex', 'hex', 'sha256='],
		['hmac-base64', 'base64', ''],
	] as const)("by %s are the raw body's", async (signature, encoding, prefix) => {
		await speak({ signature });
		sandbox.addEndpoint({ url: hook });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { body, headers } = onlyDelivery();
		const digest = createHmac('sha256', sandbox.signingSecret).update(body).digest(encoding);
		expect(headers['x-signature']).toBe(prefix + digest);
	});
});

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
	] as const)('listEnvelope=%s', async (listEnvelope, body) => {
		await begin({
			dialect: { listEnvelope, catalogEntry: 'string' },
			catalog: [{ type: 'call.started', description: '' }],
		});
		expect((await api.get('/webhooks/event-types')).data).toEqual(body);
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
		expect(delivered.map(({ path }) => path).sort()).toEqual(['/hook/*', '/hook/call.*']);
	});

	it.each([
		'cursor',
		'next',
		'link',
		'page',
		'offset',
		'marker',
		'last',
		'last id',
		'content-range',
		'total-count',
	] as const)('paging=%s', async (paging) => {
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
		answerTo = (body) => body;
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

describe('limits', () => {
	it('of time: a list is behind, by the clock', async () => {
		await begin({ lagMs: 2_000 });
		const seconds = (passed: number) =>
			jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000 + passed * 1000);
		const listed = async () => (await api.get<{ data: object[] }>('/webhooks')).data.data.length;
		seconds(0);
		const { id } = await created({ url: hook });
		expect(await listed()).toBe(0);
		seconds(2);
		expect(await listed()).toBe(1);
		sandbox.removeEndpoint(id);
		expect(await listed()).toBe(1);
		seconds(4);
		expect(await listed()).toBe(0);
		jest.restoreAllMocks();
	});

	it('of number: one more is refused', async () => {
		await begin({ quota: { endpoints: 1, status: 403 } });
		expect((await api.post('/webhooks', { url: hook })).status).toBe(201);
		expect((await api.post('/webhooks', { url: hook })).status).toBe(403);
		sandbox.quota = undefined;
		expect((await api.post('/webhooks', { url: hook })).status).toBe(201);
	});

	it('of patience: an endpoint that is disabled says so, and gets nothing', async () => {
		await begin();
		const { id } = await created({ url: hook });
		sandbox.disableEndpoint(id, { status: 'disabled' });
		expect((await api.get('/webhooks')).data).toEqual({
			data: [{ id, url: hook, status: 'disabled' }],
		});
		expect(sandbox.emit('call.completed').deliveries).toEqual([]);
	});
});

describe('faults', () => {
	beforeEach(() => begin());

	const createUnder = (fault: Fault) => {
		sandbox.fault = ({ method, path }) =>
			method === 'POST' && path === '/webhooks' ? fault : undefined;
		return api.post('/webhooks', { url: hook }, { timeout: 200, responseType: 'text' });
	};

	it.each([
		[{ kind: 'drop-before' }, 'ECONNRESET', 0],
		[{ kind: 'drop-after' }, 'ECONNRESET', 1],
		[{ kind: 'hang-before' }, 'ECONNABORTED', 0],
		[{ kind: 'hang-after' }, 'ECONNABORTED', 1],
	] as const)('%j', async (fault, code, stored) => {
		await expect(createUnder(fault)).rejects.toMatchObject({ code });
		expect(sandbox.endpoints()).toHaveLength(stored);
		expect(sandbox.requests.at(-1)).toMatchObject({ path: '/webhooks', fault: fault.kind });
	});

	it.each([
		[
			{ kind: 'status', status: 503, headers: { 'retry-after': '1' }, body: { a: 1 } },
			503,
			'{"a":1}',
			0,
		],
		[{ kind: 'empty' }, 200, '', 0],
		[{ kind: 'html' }, 200, expect.stringContaining('<h1>') as string, 0],
		[{ kind: 'cut' }, 201, expect.stringMatching(/^\{"id":"[^}]*$/) as string, 1],
		[{ kind: 'answer', body: { id: 'req_1' } }, 201, '{"id":"req_1"}', 1],
		[{ kind: 'slow', ms: 50 }, 201, expect.stringMatching(/\}$/) as string, 1],
	] as const)('%j', async (fault, status, data, stored) => {
		const answer = await createUnder(fault);
		expect(answer).toMatchObject({ status, data });
		expect(sandbox.endpoints()).toHaveLength(stored);
	});

	it('leave a record of each request, without its key', async () => {
		await api.get('/webhooks?cursor=a');
		expect(sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/webhooks', query: { cursor: 'a' }, status: 200 },
		]);
		expect(JSON.stringify(sandbox.requests)).not.toContain(sandbox.adminKey);
		expect(sandbox.requests[0]?.headers['x-api-key']).toBe('(hidden)');
	});

	it('do not hold up a stop', async () => {
		sandbox.fault = () => ({ kind: 'hang-after' });
		const hanging = api.get('/webhooks');
		await expect(Promise.race([hanging, sandbox.stop().then(() => hanging)])).rejects.toThrow();
	});
});

describe('the page', () => {
	const subscribe = () => sandbox.addEndpoint({ url: `${hook}?token=secret` });

	it('comes with its parts', async () => {
		await begin();
		for (const part of ['', 'page.js', 'server.js', 'page.css', 'icon.svg']) {
			expect((await axios.get(sandbox.pageUrl + part)).status).toBe(200);
		}
	});

	it('is shown nothing without a session', async () => {
		await begin();
		const routes = { states: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${sandbox.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});

	it('shows what was delivered, without callback secrets and signatures', async () => {
		await begin({ dialect: { signature: 'standard-webhooks' } });
		const endpoint = subscribe();
		const { id } = sandbox.emit('call.completed');
		await sandbox.settled();
		const { headers, body } = onlyDelivery();
		const { endpoints, attempts } = await shownOnPage();
		expect(endpoints).toMatchObject([{ id: endpoint, url: `${hook}?***` }]);
		expect(attempts).toMatchObject([
			{
				event_id: id,
				response_status: 200,
				response_body: 'answer to POST',
				headers: {
					'content-type': 'application/json',
					'webhook-id': headers['webhook-id'],
					'webhook-signature': '(hidden)',
				},
				body,
			},
		]);
		expect(JSON.stringify(await shownOnPage())).not.toMatch(/token=secret|v1,/);
	});

	it('leaves the delivery log as it is', async () => {
		await begin();
		const id = subscribe();
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { data } = await api.get<{ data: object[] }>(`/webhooks/${id}/deliveries`);
		expect(data.data).toHaveLength(1);
		expect(data.data[0]).not.toHaveProperty('headers');
		expect(data.data[0]).not.toHaveProperty('body');
	});

	it.each([
		['inbound', { direction: 'inbound', from: '+14155550123', to: '+14155550100' }, 'found'],
		['outbound', { direction: 'outbound', from: '+14155550100', to: '+14155550123' }, 'found'],
		['withheld', { direction: 'inbound', from: 'anonymous', to: '+14155550100' }, 'withheld'],
		['web', { direction: 'inbound', channel: 'web' }, 'web'],
	])('simulates a call of the kind %s', async (kind, sides, person) => {
		await begin();
		subscribe();
		const customer = { name: 'Ada', phone: '+14155550123' };
		await askPage('events', { type: 'call.completed', kind, customer });
		await sandbox.settled();
		const body = JSON.parse(onlyDelivery().body) as { data: IDataObject };
		expect(body.data).toMatchObject(sides);
		expect(readCallDetails(body)).toMatchObject({
			person,
			direction: sides.direction,
			customer: { phone: person === 'found' ? customer.phone : null },
		});
	});

	it('finds the person of a web call by an e-mail', async () => {
		await begin();
		subscribe();
		const customer = { email: 'ada@example.com' };
		await askPage('events', { type: 'call.completed', kind: 'web', customer });
		await sandbox.settled();
		const details = readCallDetails(JSON.parse(onlyDelivery().body) as IDataObject);
		expect(details).toMatchObject({ person: 'found', customer });
	});

	it('leaves out what is not known of the customer', async () => {
		await begin();
		subscribe();
		await askPage('events', { type: 'call.completed', customer: { name: 'Ada' } });
		await sandbox.settled();
		const { data } = JSON.parse(onlyDelivery().body) as { data: object };
		expect(data).toMatchObject({ direction: 'inbound', customer: { name: 'Ada' } });
		expect(data).not.toHaveProperty('from');
		expect(data).not.toHaveProperty('customer.email');
	});

	it('has no kinds of calls but these', async () => {
		await begin();
		await expect(askPage('events', { type: 'call.completed', kind: 'fax' })).rejects.toThrow('400');
	});

	it('delivers again: the same event, under the same delivery id', async () => {
		await begin();
		subscribe();
		const [id] = sandbox.emit('call.completed').deliveries;
		await sandbox.settled();
		await askPage(`deliveries/${id}/again`);
		await sandbox.settled();
		const [first, second, ...others] = delivered;
		expect(others).toEqual([]);
		expect(second?.body).toBe(first?.body);
		expect(second?.headers['x-delivery-id']).toBe(id);
		expect((await shownOnPage()).attempts).toMatchObject([
			{ delivery_id: id, attempt: 2, status: 'delivered' },
			{ delivery_id: id, attempt: 1, status: 'delivered' },
		]);
	});

	it('delivers again in place of retries that wait, if that succeeds', async () => {
		await begin({ retryScale: 1000 });
		subscribe();
		statuses = [500];
		const [id] = sandbox.emit('call.completed').deliveries;
		await until('the first attempt to fail', 5, async () => {
			const { attempts } = await shownOnPage();
			return attempts[0]?.status === 'failed';
		});
		await askPage(`deliveries/${id}/again`);
		await sandbox.settled();
		expect(delivered).toHaveLength(2);
	});

	it('does not deliver again what it does not know, or to an endpoint that was removed', async () => {
		await begin();
		const endpoint = subscribe();
		const [id] = sandbox.emit('call.completed').deliveries;
		await sandbox.settled();
		await expect(askPage('deliveries/msg_1/again')).rejects.toThrow('404');
		sandbox.removeEndpoint(endpoint);
		await expect(askPage(`deliveries/${id}/again`)).rejects.toThrow('404');
		expect(delivered).toHaveLength(1);
	});

	it('links to the workflow that hears of calls, where that is known', async () => {
		await begin();
		expect(await shownOnPage()).not.toHaveProperty('editorUrl');
		sandbox.editorUrl = 'http://127.0.0.1:5678/workflow/1';
		expect(await shownOnPage()).toMatchObject({ editorUrl: sandbox.editorUrl });
	});
});

async function signIn(): Promise<Record<string, string>> {
	const { data } = await axios.post<{ token: string; workspaceId: string }>(
		`${sandbox.pageUrl}sandbox/session`,
	);
	return { authorization: `Bearer ${data.token}`, 'x-workspace-id': data.workspaceId };
}

/** The state that a page which is opened now is shown first. */
async function shownOnPage() {
	const leaving = new AbortController();
	const response = await fetch(`${sandbox.pageUrl}sandbox/states`, {
		headers: await signIn(),
		signal: leaving.signal,
	});
	const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
	const decoder = new TextDecoder();
	let state = '';
	while (!state.endsWith('\n\n')) {
		state += decoder.decode((await reader?.read())?.value, { stream: true });
	}
	leaving.abort();
	return JSON.parse(state.slice('data: '.length)) as {
		endpoints: object[];
		attempts: Array<Record<string, unknown>>;
	};
}

/** Posts what the page posts. */
async function askPage(route: string, body?: object): Promise<void> {
	await axios.post(`${sandbox.pageUrl}sandbox/${route}`, body, { headers: await signIn() });
}

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
