import axios from 'axios';

import { sandbox, useFailures } from '../support/service/failures';

useFailures();

describe('a session of the page', () => {
	const session = () => `${sandbox.pageUrl}sandbox/session`;
	const statusOf = async (headers: Record<string, string>) =>
		(await axios.get(`${sandbox.baseUrl}/webhooks`, { headers, validateStatus: () => true }))
			.status;

	it('reads its own workspace only', async () => {
		const { data } = await axios.post<{ token: string; workspaceId: string }>(session());
		const authorization = `Bearer ${data.token}`;
		expect(await statusOf({ authorization, 'x-workspace-id': data.workspaceId })).toBe(200);
		expect(await statusOf({ authorization })).toBe(401);
		expect(await statusOf({ authorization, 'x-workspace-id': 'another' })).toBe(401);
	});

	it('is refused to a page under another host name', async () => {
		const { status } = await axios.post(session(), undefined, {
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
