import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import httpProxy from '@fastify/http-proxy';
import axios from 'axios';
import fastify from 'fastify';
import type { Certificate } from '../../sandbox/stack/certificates';

/** A load balancer before webhook processors. */
export interface Balancer {
	/** `https://localhost:PORT` */
	readonly url: string;
	/** The processors that it asks whether they are ready: `http://127.0.0.1:PORT` each. */
	readonly targets: Set<string>;
	/** How many of them are ready, as far as it knows. */
	ready(): number;
	stop(): Promise<void>;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** The processor that gets the request. */
		target: string;
	}
}

/** How often it asks each processor, as load balancers usually do. */
const ASK_MS = 1000;

/**
 * Starts an HTTPS load balancer that gives webhook requests in turn to the processors whose
 * `/healthz/readiness` answers 200, and refuses them with 503 while there is none.
 */
export async function startBalancer({
	key,
	cert,
}: Pick<Certificate, 'key' | 'cert'>): Promise<Balancer> {
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	const targets = new Set<string>();
	let ready: string[] = [];
	let turn = 0;
	app.decorateRequest('target', '');
	app.addHook('onRequest', async (request, reply) => {
		const target = ready[turn++ % ready.length];
		if (target) request.target = target;
		else await reply.code(503).header('retry-after', '1').send({ message: 'n8n is not ready' });
	});
	await app.register(httpProxy, {
		upstream: '',
		prefix: '/webhook',
		rewritePrefix: '/webhook',
		replyOptions: {
			getUpstream: ({ target }) => target,
			rewriteRequestHeaders: ({ headers }, upstream) => ({
				...upstream,
				'x-forwarded-host': headers.host,
				'x-forwarded-proto': 'https',
			}),
		},
		// An answer may take as long as a workflow runs.
		undici: { headersTimeout: 0, bodyTimeout: 0 },
		retryMethods: [],
	});

	const stopping = new AbortController();
	const { signal } = stopping;
	const asking = (async () => {
		while (!signal.aborted) {
			const asked = [...targets];
			const answers = await Promise.all(asked.map((target) => isReady(target, signal)));
			ready = asked.filter((_, place) => answers[place]);
			await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
		}
	})();
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `https://localhost:${(app.server.address() as AddressInfo).port}`,
		targets,
		ready: () => ready.length,
		async stop() {
			stopping.abort();
			await asking;
			await app.close();
		},
	};
}

async function isReady(target: string, signal: AbortSignal): Promise<boolean> {
	try {
		const options = { timeout: ASK_MS, proxy: false, signal } as const;
		return (await axios.get(`${target}/healthz/readiness`, options)).status === 200;
	} catch {
		return false;
	}
}
