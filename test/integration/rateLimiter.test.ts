import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import fastify, { type FastifyInstance } from 'fastify';

import { rateLimit, type LimiterKind, type RetryAfter } from '../support/limiters';
import { NodeInWorkflow } from '../support/n8nCore';

/** How long the service takes for an answer (ms). */
const DELAY = 50;

let app: FastifyInstance;
beforeEach(() => {
	app = fastify({ forceCloseConnections: true });
});
afterEach(async () => await app.close());

/** Makes a node that reads the service's catalog for each item. */
async function start(): Promise<NodeInWorkflow> {
	app.get('/v1/webhooks/event-types', async () => {
		await wait(DELAY);
		return { data: ['call.completed'] };
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return await NodeInWorkflow.create('voiceAgent', {
		parameters: { resource: 'webhook', operation: 'getEventTypes' },
		credential: {
			baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`,
			apiKey: 'svc_live_1',
		},
	});
}

const itemsOf = (count: number) => Array.from({ length: count }, (_item, index) => ({ index }));
const pairs = (count: number) => itemsOf(count).map(({ index }) => ({ item: index }));

test.each<[LimiterKind, RetryAfter, number]>([
	['fixed window', 'seconds', 1_000],
	['fixed window', 'none', 1_000],
	['sliding window', 'date', 1_000],
	['token bucket', 'zero', 1_000],
	['fixed window', 'seconds', 2_000],
])(
	'all items succeed behind a %s, Retry-After: %s, window of %d ms',
	async (kind, retryAfter, windowMs) => {
		const limiter = rateLimit(kind, { limit: 60, windowMs, retryAfter });
		app.addHook('onRequest', limiter.onRequest);
		const node = await start();
		const begun = performance.now();
		const output = await node.execute(itemsOf(100));

		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(pairs(100));
		expect(limiter.passed).toBe(100);
		// Those that were under way when the first was refused, and a few that looked whether it is over.
		expect(limiter.refused).toBeLessThan(100);
		// The limit's own time is one window, and a busy computer takes some of its own. The bench measures it.
		expect(performance.now() - begun).toBeLessThan(windowMs + 15_000);
	},
);
