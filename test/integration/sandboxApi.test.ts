import axios from 'axios';

import { startSandbox, type Sandbox } from '../../sandbox/service';
import { shownState, signIn } from '../support/service/sandboxPage';
import { publish, sandbox, useReceiver } from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();

describe('a session of the page', () => {
	let local: Sandbox;
	beforeEach(async () => {
		local = await startSandbox();
	});
	afterEach(() => local.stop());
	const statusOf = async (headers: Record<string, string>) =>
		(await axios.get(`${local.baseUrl}/webhooks`, { headers, validateStatus: () => true })).status;

	it('reads its own workspace only', async () => {
		const { authorization = '', ...workspace } = await signIn(local.pageUrl);
		expect(await statusOf({ authorization, ...workspace })).toBe(200);
		expect(await statusOf({ authorization })).toBe(401);
		expect(await statusOf({ authorization, 'x-workspace-id': 'another' })).toBe(401);
	});

	it('is refused to a page under another host name', async () => {
		const session = `${local.pageUrl}sandbox/session`;
		const { status } = await axios.post(session, undefined, {
			headers: { host: 'rebound.example.com' },
			validateStatus: () => true,
		});
		expect(status).toBe(403);
	});

	it('is required by the page', async () => {
		const routes = { state: 'GET', events: 'POST', 'deliveries/msg_1/again': 'POST' };
		for (const [route, method] of Object.entries(routes)) {
			expect((await fetch(`${local.pageUrl}sandbox/${route}`, { method })).status).toBe(401);
		}
	});
});

test('the page shows deliveries without callback tokens and signatures', async () => {
	await publish({ verifySignature: true }, { signature: 'standard-webhooks' });
	const [{ id, url } = { id: '', url: '' }] = sandbox.endpoints();
	sandbox.emit('call.completed');
	await sandbox.settled();
	const state = await shownState(sandbox.pageUrl);
	expect(JSON.parse(state)).toMatchObject({
		endpoints: [{ id, url: url.replace(/\?.*/, '?***') }],
		attempts: [{ response_status: 200, headers: { 'webhook-signature': '(hidden)' } }],
	});
	expect(state).not.toMatch(/voice_agent_token=|v1,/);
});
