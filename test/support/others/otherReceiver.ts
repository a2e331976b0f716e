import { createServer, type Server } from 'node:https';
import { json } from 'node:stream/consumers';

import type { Certificate } from '../../../sandbox/stack/certificates';

/** Starts a webhook receiver other than n8n: it answers challenges, and all other requests with 404. */
export async function startOtherReceiver({ key, cert }: Certificate): Promise<Server> {
	const server = createServer({ key, cert }, (request, response) => {
		void json(request).then((body) => {
			const { challenge } = body as { challenge?: string };
			const answer = challenge && JSON.stringify({ challenge });
			response.writeHead(answer ? 200 : 404).end(answer);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}
