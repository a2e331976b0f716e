import axios from 'axios';

import { sandbox, useFailures } from '../support/service/failures';

useFailures();

const options = { validateStatus: () => true };

test('the page of the stand-in gives no session to a page under another host name', async () => {
	const headers = { host: 'rebound.example.com' };
	const session = `${sandbox.pageUrl}sandbox/session`;
	expect((await axios.post(session, undefined, { ...options, headers })).status).toBe(403);
});

test.each([
	['POST', 'events'],
	['POST', 'deliveries/msg_1/again'],
])('the page needs a session for %s %s', async (method, route) => {
	const url = `${sandbox.pageUrl}sandbox/${route}`;
	expect((await axios({ ...options, method, url })).status).toBe(401);
});
