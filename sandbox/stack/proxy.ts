import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import axios from 'axios';
import fastify, { type FastifyRequest } from 'fastify';
import type { Certificate } from './certificates';
import { isFulfilled, until } from './until';

declare module 'fastify' {
	interface FastifyRequest {
		/** The address of the process of n8n that gets the request. */
		target: string;
	}
}

export interface Proxy {
	/** `https://localhost:PORT` */
	readonly url: string;
	/**
	 * Closes the gate, even if n8n is ready, and waits until n8n has answered all requests. Call it before
	 * n8n is stopped, because n8n starts executions until it ends, and then aborts them.
	 */
	close(): Promise<void>;
	/** Opens the gate again for the times when n8n is ready. */
	open(): void;
	stop(): Promise<void>;
}

/**
 * Starts an HTTPS proxy in front of n8n, as in production, because the service delivers to HTTPS only.
 * While n8n starts, the gate answers requests to webhooks with 503, so that the service delivers again.
 * n8n itself would answer 200 and lose the event.
 *
 * @param targets the addresses of n8n's processes, `http://127.0.0.1:PORT` each, to which more may be added. Those that
 *   are ready get the requests to webhooks by turns, the first one gets all others
 */
export async function startProxy(
	targets: readonly string[],
	{ key, cert }: Pick<Certificate, 'key' | 'cert'>,
): Promise<Proxy> {
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	const isTargetReady = shareWhileAsked(isReady);
	let closed = false;
	let turns = 0;
	const underWay = new Set<FastifyRequest>();
	const findReady = async () => {
		const first = turns++ % targets.length;
		for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
			if (await isTargetReady(target)) return target;
		}
		return undefined;
	};
	app.decorateRequest('target', '');
	app.addHook('onRequest', async (request, reply) => {
		request.target = targets[0] ?? '';
		if (!/^\/webhook(-test|-waiting)?\//.test(request.url)) return;
		const target = closed ? undefined : await findReady();
		if (target && !closed) {
			request.target = target;
			// The service may have given up meanwhile.
			if (reply.raw.destroyed) return;
			underWay.add(request);
			reply.raw.once('close', () => underWay.delete(request));
		} else {
			await reply.code(503).header('retry-after', '1').send({ message: 'n8n is not ready' });
		}
	});
	await app.register(httpProxy, {
		upstream: '',
		websocket: true,
		replyOptions: {
			getUpstream: ({ target }) => target,
			rewriteRequestHeaders: (request, upstream) => ({ ...upstream, ...forwardedBy(request) }),
		},
		// n8n compares the editor's origin with these.
		wsClientOptions: {
			rewriteRequestHeaders: (upstream: object, request: FastifyRequest) => {
				const { cookie, origin } = request.headers;
				return { ...upstream, cookie, origin, ...forwardedBy(request) };
			},
		},
		// An answer may take as long as a workflow runs, and the editor's event stream has no end.
		undici: { headersTimeout: 0, bodyTimeout: 0 },
		retryMethods: [],
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `https://localhost:${(app.server.address() as AddressInfo).port}`,
		async close() {
			closed = true;
			await until('n8n to answer what had come', 60, () => underWay.size === 0);
		},
		open: () => (closed = false),
		stop: () => app.close(),
	};
}

/** @returns the headers that tell n8n its public address */
const forwardedBy = ({ headers }: Pick<FastifyRequest, 'headers'>) => ({
	'x-forwarded-host': headers.host,
	'x-forwarded-proto': 'https',
});

/** @returns whether an n8n takes deliveries in */
export const isReady = (target: string) =>
	isFulfilled(axios.get(`${target}/healthz/readiness`, { timeout: 5000, proxy: false }));

/** Shares one call of each target between all callers during it. */
function shareWhileAsked(ask: (target: string) => Promise<boolean>) {
	const underWay = new Map<string, Promise<boolean>>();
	return async (target: string) => {
		const asked = underWay.get(target) ?? ask(target).finally(() => underWay.delete(target));
		underWay.set(target, asked);
		return await asked;
	};
}
