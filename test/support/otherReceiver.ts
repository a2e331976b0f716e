import { createServer, type Server } from 'node:https';
import { json } from 'node:stream/consumers';

import type { Certificate } from '../../sandbox/stack/certificates';

/** Starts a receiver of webhooks that is no n8n: it answers challenges, and everything else with 404. */
export async function startOtherReceiver({ key, cert }: Certificate): Promise<Server> {
	const server = createServer({ key, cert }, (request, response) => {
		void json(request).then((body) => {
			const isChallenge = typeof body === 'object' && body !== null && 'challenge' in body;
			response.writeHead(isChallenge ? 200 : 404).end(isChallenge ? JSON.stringify(body) : '');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}
