import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'node:querystring';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyReply, type HTTPMethods } from 'fastify';
import { makeCertificate } from '../../sandbox/stack/certificates';

/** A request as a stand-in got it. */
export interface ReceivedRequest {
	host: string;
	method: string;
	/** Without the query. */
	path: string;
	/** What the route's `:name` segments were, decoded. */
	params: Record<string, string>;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** Read as JSON or a form, as its content type says; undefined without one. */
	body: unknown;
}

/** Gives the JSON to answer with; `reply.code(…)` is for other statuses than 200. */
export type Answer = (request: ReceivedRequest, reply: FastifyReply) => object;

/** By `METHOD /path`, with Fastify's path patterns: `GET /crm/v3/objects/contacts/:id`. */
export type Routes = Record<string, Answer>;

/** HTTPS hosts of the internet, as far as n8n may see. */
export interface StandIn {
	/** What makes an n8n send its requests here; for {@link startStack}. */
	readonly env: NodeJS.ProcessEnv;
	/**
	 * The requests since the last call, in their order.
	 *
	 * @throws an Error that names those, if any, which no route was there for
	 */
	take(): ReceivedRequest[];
	/**
	 * Answers 503 to the next request that fits, before its route.
	 *
	 * @param request is looked for in `METHOD https://host/path`
	 */
	refuseNext(request: RegExp): void;
	/** @throws as {@link take} does, once it has stopped */
	stop(): Promise<void>;
}

/**
 * Starts what n8n takes for services of the internet, so that a workflow's own nodes can be tested
 * without an account and without a request that leaves this machine:
 *
 * ```ts
 * const standIn = await startStandIn({
 * 	'slack.com': { 'POST /api/chat.postMessage': ({ body }) => ({ ok: true, message: body }) },
 * });
 * const stack = await startStack({ env: standIn.env });
 * // … publish the workflow, make the call, wait for the execution …
 * expect(standIn.take()).toMatchObject([{ path: '/api/chat.postMessage', body: { … } }]);
 * await stack.stop();
 * await standIn.stop();
 * ```
 *
 * A route keeps its state itself, in variables around it. Whatever goes to another host or has no
 * route is refused, and makes {@link StandIn.take} and {@link StandIn.stop} throw.
 *
 * It is the HTTP proxy that n8n's environment names. It leads every tunnel to one server of its own,
 * which has a certificate for just these hosts, of an authority that only that n8n trusts.
 *
 * @param hosts their routes, by the hosts' names
 */
export async function startStandIn(hosts: Record<string, Routes>): Promise<StandIn> {
	const received: ReceivedRequest[] = [];
	const unexpected: string[] = [];
	let refused: RegExp | undefined;
	const { key, cert, ca } = await makeCertificate(Object.keys(hosts));
	const app = fastify({ https: { key, cert } });
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, parse(body as string)),
	);
	app.setNotFoundHandler(async ({ host, method, url }, reply) => {
		unexpected.push(`${method} https://${host}${url}`);
		return await reply.code(501).send({ message: 'The stand-in has no such route' });
	});
	for (const [host, routes] of Object.entries(hosts)) {
		for (const [route, answer] of Object.entries(routes)) {
			const [method, url] = route.split(' ') as [HTTPMethods, string];
			app.route<{ Params: ReceivedRequest['params']; Querystring: ReceivedRequest['query'] }>({
				method,
				url,
				constraints: { host },
				handler: (request, reply) => {
					const { params, query, headers, body } = request;
					const path = request.url.split('?')[0] as string;
					const taken = { host, method, path, params, query, headers, body };
					received.push(taken);
					if (refused?.test(`${method} https://${host}${path}`)) {
						refused = undefined;
						return reply.code(503).send({});
					}
					return reply.send(answer(taken, reply));
				},
			});
		}
	}
	await app.ready();

	const tunnels: Duplex[] = [];
	const proxy = createServer(({ method, url }, response) => {
		unexpected.push(`${method} ${url}`);
		response.writeHead(502).end();
	});
	proxy.on('connect', ({ url = '' }, socket) => {
		const [host = '', port] = url.split(':');
		if (host in hosts && port === '443') {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			tunnels.push(socket);
			app.server.emit('connection', socket);
		} else {
			unexpected.push(`CONNECT ${url}`);
			socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		}
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

	const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
	const caFile = join(folder, 'ca.pem');
	await writeFile(caFile, ca);

	const failIfUnexpected = () => {
		const requests = unexpected.splice(0);
		if (requests.length > 0) throw new Error(`No stand-in for ${requests.join(', ')}`);
	};
	return {
		env: {
			HTTP_PROXY: url,
			HTTPS_PROXY: url,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: caFile,
		},
		take() {
			const requests = received.splice(0);
			failIfUnexpected();
			return requests;
		},
		refuseNext(request) {
			refused = request;
		},
		async stop() {
			for (const tunnel of tunnels) tunnel.destroy();
			proxy.close();
			await app.close();
			await rm(folder, { recursive: true });
			failIfUnexpected();
		},
	};
}
