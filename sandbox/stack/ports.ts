import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { isFulfilled } from './until';

/** Below the ports that systems give to connections: one of those may be taken before a slow program listens. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const MOST_TRIES = 100;

/**
 * @returns a free port of 127.0.0.1
 * @throws an Error if a hundred ports are in use
 */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		const port = randomInt(LOWEST, HIGHEST);
		const server = createServer().listen(port, '127.0.0.1');
		if (!(await isFulfilled(once(server, 'listening')))) continue;
		server.close();
		await once(server, 'close');
		return port;
	}
	throw new Error(`No free port was found from ${LOWEST} to ${HIGHEST}`);
}
