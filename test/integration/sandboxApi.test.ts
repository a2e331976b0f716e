import axios from 'axios';

import { shownState, signIn } from '../support/sandboxPage';
import {
	api,
	begin,
	client,
	hook,
	onlyDelivery,
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

	it('requires a session for the page', async () => {
		const routes = { state: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${sandbox.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});
});

test.each([
	['plain HTTP', { url: 'http://crm.example.com/hook' }, 422],
	['a text that is no URL', { url: 'crm' }, 422],
	['no URL', {}, 400],
	['an event type outside the catalog', { url: 'https://x.example.com', events: ['x.y'] }, 422],
])('a webhook with %s is refused', async (_what, body, status) => {
	await begin();
	expect((await api.post('/webhooks', body)).status).toBe(status);
	expect(sandbox.endpoints()).toEqual([]);
});

test('the page shows deliveries without callback tokens and signatures', async () => {
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
