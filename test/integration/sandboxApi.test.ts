import axios from 'axios';

import { shownState, signIn } from '../support/sandboxPage';
import {
	api,
	begin,
	client,
	created,
	hook,
	onlyDelivery,
	receiver,
	sandbox,
	useSandbox,
	unknownId,
} from '../support/sandboxSetup';

useSandbox();

describe('authentication', () => {
	beforeEach(() => begin());

	it('requires a key with the scope workspace:admin', async () => {
		const plain = client({ 'x-api-key': sandbox.createKey('Plain') });
		const publishable = client({ 'x-service-public-key': 'pk_live_abc' });
		for (const [from, status] of [
			[client({}), 401],
			[plain, 403],
			[publishable, 403],
		] as const) {
			expect((await from.get('/webhooks')).status).toBe(status);
			expect((await from.get('/calls')).status).toBe(status);
		}
	});

	it("accepts a browser's session for its own workspace only", async () => {
		const { authorization = '', ...workspace } = await signIn(sandbox.pageUrl);
		const signedIn = client({ authorization, ...workspace });
		expect((await signedIn.get('/webhooks')).status).toBe(200);
		expect((await client({ authorization }).get('/webhooks')).status).toBe(401);
		const elsewhere = client({ authorization, 'x-workspace-id': unknownId });
		expect((await elsewhere.get('/webhooks')).status).toBe(401);
	});

	it('refuses a session to a page under another host name', async () => {
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

	it.each([
		['no name', {}],
		['an empty name', { name: '' }],
		['a number as name', { name: 5 }],
		['an unknown scope', { name: 'x', scopes: ['calls:delete'] }],
	])('refuses %s', async (_what, body) => {
		expect((await api.post('/workspace/api-keys', body)).status).toBe(400);
	});

	it('has the default scopes if none are chosen', async () => {
		const { data } = await api.post<object>('/workspace/api-keys', { name: 'CRM' });
		expect(data).toMatchObject({ scopes: ['agents:read', 'calls:write'] });
	});

	it('accepts JSON only', async () => {
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

	it.each([
		['plain HTTP', { url: 'http://crm.example.com/hook' }, 422],
		['a text that is no URL', { url: 'crm' }, 422],
		['no URL', {}, 400],
		['an event type outside the catalog', { url: 'https://x.example.com', events: ['x.y'] }, 422],
	])('refuses %s', async (_what, body, status) => {
		expect((await api.post('/webhooks', body)).status).toBe(status);
		expect(sandbox.endpoints()).toEqual([]);
	});
});

describe('the page', () => {
	it('requires a session', async () => {
		await begin();
		const routes = { state: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${sandbox.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});

	it('shows deliveries without callback tokens and signatures', async () => {
		await begin({ dialect: { signature: 'standard-webhooks' } });
		const id = sandbox.addEndpoint({ url: `${hook}?token=secret` });
		sandbox.emit('call.completed');
		await sandbox.settled();
		const { headers, body } = onlyDelivery();
		const state = await shownState(sandbox.pageUrl);
		expect(JSON.parse(state)).toMatchObject({
			endpoints: [{ id, url: `${hook}?***` }],
			attempts: [
				{
					response_status: 200,
					response_body: 'answer to POST',
					headers: { 'webhook-id': headers['webhook-id'], 'webhook-signature': '(hidden)' },
					body,
				},
			],
		});
		expect(state).not.toMatch(/token=secret|v1,/);
	});
});

test('deliveries are repeated until a 2xx comes, under one delivery id', async () => {
	await begin();
	const { id } = await created({ url: `${hook}?token=secret` });
	receiver.statuses = [500, 401, 302, 204];
	const { deliveries } = sandbox.emit('call.failed', { reason: 'busy' });
	await sandbox.settled();

	expect(receiver.delivered.map(({ headers }) => headers['x-delivery-id'])).toEqual(
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
