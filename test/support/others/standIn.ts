import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyReply, type HTTPMethods } from 'fastify';
import { makeCertificate } from '../../../sandbox/stack/certificates';

/** A request that a stand-in received. */
export interface ReceivedRequest {
	host: string;
	method: string;
	/** Without the query. */
	path: string;
	/** The values of the route's `:name` segments, decoded. */
	params: Record<string, string>;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON or form; undefined without a content type. */
	body: unknown;
}

/** Returns the JSON of the response; `reply.code(…)` sets a status other than 200. */
export type Answer = (request: ReceivedRequest, reply: FastifyReply) => object;

/** Responses by `METHOD /path`, with Fastify's path patterns: `GET /crm/v3/objects/contacts/:id`. */
export type Routes = Record<string, Answer>;

/** Stand-ins for HTTPS hosts of the internet. */
export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/**
 * Starts stand-ins for services of the internet, so that n8n's own nodes can be tested without an
 * account and without a request that leaves this machine:
 *
 * ```ts
 * const standIn = await startStandIn({
 * 	'slack.com': { 'POST /api/chat.postMessage': ({ body }) => ({ ok: true, message: body }) },
 * });
 * const stack = await startStack(standIn);
 * // … publish the workflow, make the call, wait for the execution …
 * expect(standIn.take()).toMatchObject([{ path: '/api/chat.postMessage', body: { … } }]);
 * await stack.stop();
 * await standIn.stop();
 * ```
 *
 * A request to another host or without a route is refused, and makes `take` and `stop` throw.
 *
 * The environment names an HTTP proxy, which connects every tunnel to one server. The server has a
 * certificate for the hosts, of an authority that only this n8n trusts.
 *
 * @param hosts the routes of each host
 */
export async function startStandIn(hosts: Record<string, Routes>) {
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
		return await reply.code(501).send({ message: 'The stand-in has no route for this request' });
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

	const failIfUnexpected = () => {
		const requests = unexpected.splice(0);
		if (requests.length > 0) throw new Error(`No stand-in for ${requests.join(', ')}`);
	};
	return {
		/** With these, {@link startStack} makes n8n use the stand-ins. */
		env: { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: 'localhost,127.0.0.1' },
		authority: ca,
		/**
		 * @returns the requests since the last call, in their order
		 * @throws an Error that names the requests without a route
		 */
		take() {
			const requests = received.splice(0);
			failIfUnexpected();
			return requests;
		},
		/**
		 * Answers 503 to the next matching request, instead of its route.
		 *
		 * @param request matches `METHOD https://host/path`
		 */
		refuseNext(request: RegExp) {
			refused = request;
		},
		/** @throws as `take` does, after the stop */
		async stop() {
			for (const tunnel of tunnels) tunnel.destroy();
			proxy.close();
			await app.close();
			failIfUnexpected();
		},
	};
}
