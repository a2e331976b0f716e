import axios from 'axios';

import { shownState, signIn } from '../support/service/sandboxPage';
import {
	begin,
	client,
	hook,
	receiver,
	sandbox,
	unknownId,
	useSandbox,
} from '../support/service/sandboxSetup';

useSandbox();

describe('a session of the page', () => {
	beforeEach(() => begin());

	it('reads its own workspace only', async () => {
		const { authorization = '', ...workspace } = await signIn(sandbox.pageUrl);
		const signedIn = client({ authorization, ...workspace });
		expect((await signedIn.get('/webhooks')).status).toBe(200);
		expect((await client({ authorization }).get('/webhooks')).status).toBe(401);
		const elsewhere = client({ authorization, 'x-workspace-id': unknownId });
		expect((await elsewhere.get('/webhooks')).status).toBe(401);
	});

	it('is refused to a page under another host name', async () => {
		const session = `${sandbox.pageUrl}sandbox/session`;
		const { status } = await axios.post(session, undefined, {
			headers: { host: 'rebound.example.com' },
			validateStatus: () => true,
		});
		expect(status).toBe(403);
	});

	it('is required by the page', async () => {
		const routes = { state: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${sandbox.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});
});

test('the page shows deliveries without callback tokens and signatures', async () => {
	await begin({ dialect: { signature: 'standard-webhooks' } });
	const id = sandbox.addEndpoint({ url: `${hook}?token=secret` });
	sandbox.emit('call.completed');
	await sandbox.settled();
	expect(receiver.delivered).toHaveLength(1);
	const { headers, body } = receiver.delivered[0]!;
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
