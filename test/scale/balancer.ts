import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';
import type { Certificate } from '../../sandbox/stack/certificates';
import { forwardedBy, isReady, PATIENT } from '../../sandbox/stack/proxy';

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
export async function startBalancer({ key, cert }: Pick<Certificate, 'key' | 'cert'>) {
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	/** The addresses of the webhook processors: `http://127.0.0.1:PORT` each. */
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
			rewriteRequestHeaders: (request, upstream) => ({ ...upstream, ...forwardedBy(request) }),
		},
		...PATIENT,
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `https://localhost:${(app.server.address() as AddressInfo).port}`,
		targets,
		stop: () => app.close(),
	};
}
