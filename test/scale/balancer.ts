import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import axios from 'axios';
import fastify from 'fastify';
import type { Certificate } from '../../sandbox/stack/certificates';
import { isFulfilled } from '../../sandbox/stack/until';

/** A load balancer for webhook processors. */
export interface Balancer {
	/** `https://localhost:PORT` */
	readonly url: string;
	/** The addresses of the webhook processors: `http://127.0.0.1:PORT` each. */
	readonly targets: Set<string>;
	stop(): Promise<void>;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** The address of the processor that gets the request. */
		target: string;
	}
}

/**
 * Starts an HTTPS load balancer. It distributes webhook requests by turns to the processors whose
 * `/healthz/readiness` answers 200. While no processor is ready, the answer is 503.
 */
export async function startBalancer({
	key,
	cert,
}: Pick<Certificate, 'key' | 'cert'>): Promise<Balancer> {
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	const targets = new Set<string>();
	let requests = 0;
	app.decorateRequest('target', '');
	app.addHook('onRequest', async (request, reply) => {
		const first = requests++ % targets.size;
		for (const target of [...[...targets].slice(first), ...[...targets].slice(0, first)]) {
			if (!(await isReady(target))) continue;
			request.target = target;
			return;
		}
		await reply.code(503).header('retry-after', '1').send({ message: 'n8n is not ready' });
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
		// An answer may take as long as the execution.
		undici: { headersTimeout: 0, bodyTimeout: 0 },
		retryMethods: [],
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `https://localhost:${(app.server.address() as AddressInfo).port}`,
		targets,
		stop: () => app.close(),
	};
}

async function isReady(target: string): Promise<boolean> {
	const options = { timeout: 5000, proxy: false } as const;
	return await isFulfilled(axios.get(`${target}/healthz/readiness`, options));
}
