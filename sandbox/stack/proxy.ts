import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import axios from 'axios';
import fastify, { type FastifyRequest } from 'fastify';
import type { Certificate } from './certificates';
import { isFulfilled, until } from './until';

export interface ProxyOptions {
	/** The address of n8n: `http://127.0.0.1:PORT`. */
	target: string;
	certificate: Pick<Certificate, 'key' | 'cert'>;
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
 */
export async function startProxy({
	target,
	certificate: { key, cert },
}: ProxyOptions): Promise<Proxy> {
	const app = fastify({ https: { key, cert }, forceCloseConnections: true });
	const isTargetReady = shareWhileAsked(() => isReady(target));
	let closed = false;
	const underWay = new Set<FastifyRequest>();
	app.addHook('onRequest', async (request, reply) => {
		if (!/^\/webhook(-test|-waiting)?\//.test(request.url)) return;
		if (!closed && (await isTargetReady()) && !closed) {
			// The service may have given up meanwhile.
			if (reply.raw.destroyed) return;
			underWay.add(request);
			reply.raw.once('close', () => underWay.delete(request));
		} else {
			await reply.code(503).header('retry-after', '1').send({ message: 'n8n is not ready' });
		}
	});
	await app.register(httpProxy, {
		upstream: target,
		websocket: true,
		// n8n compares the editor's origin with these.
		replyOptions: {
			rewriteRequestHeaders: (request, upstream) => ({ ...upstream, ...forwardedBy(request) }),
		},
		wsClientOptions: {
			rewriteRequestHeaders: (upstream: object, request: FastifyRequest) => {
				const { cookie, origin } = request.headers;
				return { ...upstream, cookie, origin, ...forwardedBy(request) };
			},
		},
		...PATIENT,
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

/** An answer may take as long as a workflow runs, and the editor's event stream has no end. */
export const PATIENT = { undici: { headersTimeout: 0, bodyTimeout: 0 }, retryMethods: [] };

/** @returns the headers that tell n8n its public address */
export const forwardedBy = ({ headers }: Pick<FastifyRequest, 'headers'>) => ({
	'x-forwarded-host': headers.host,
	'x-forwarded-proto': 'https',
});

/** @returns whether an n8n takes deliveries in */
export const isReady = (target: string) =>
	isFulfilled(axios.get(`${target}/healthz/readiness`, { timeout: 5000, proxy: false }));

/** Shares one call between all callers during it. */
function shareWhileAsked(ask: () => Promise<boolean>): () => Promise<boolean> {
	let underWay: Promise<boolean> | undefined;
	return () => (underWay ??= ask().finally(() => (underWay = undefined)));
}
