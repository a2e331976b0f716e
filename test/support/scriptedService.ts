import fastify from 'fastify';

/** An endpoint of a scripted service. */
export interface KeptEndpoint {
	id: string;
	url: string;
	events?: string[];
}

/** A response in place of the usual response; the default of `status` is 200. */
export interface Reply {
	status?: number;
	body?: unknown;
}

/** Functions that replace responses of the service; undefined keeps the usual response. */
export interface Script {
	list?: (
		endpoints: KeptEndpoint[],
		query: Record<string, string>,
	) => Reply | undefined | Promise<Reply | undefined>;
	/** Is called before an endpoint is created; a response prevents the creation. */
	refuse?: (wanted: Omit<KeptEndpoint, 'id'>) => Reply | undefined | Promise<Reply | undefined>;
	/** Is called after an endpoint was created. */
	created?: (endpoint: KeptEndpoint) => Reply | undefined | Promise<Reply | undefined>;
	/** Is called before an endpoint is removed; a response prevents the removal. */
	remove?: (id: string) => Reply | undefined;
	catalog?: () => Reply | undefined;
}

/** The webhook operations of a service, with scripted responses that no dialect has. */
export interface ScriptedService {
	baseUrl: string;
	endpoints: KeptEndpoint[];
	script: Script;
	/** The requests, such as `GET /webhooks`. */
	requests: string[];
	stop(): Promise<void>;
}

export async function startScriptedService(): Promise<ScriptedService> {
	const app = fastify({ forceCloseConnections: true });
	let made = 0;
	const service: ScriptedService = {
		baseUrl: '',
		endpoints: [],
		script: {},
		requests: [],
		stop: async () => await app.close(),
	};
	app.addHook('onRequest', ({ method, url }, _reply, done) => {
		service.requests.push(`${method} ${url.replace(/^\/v1|\?.*$/g, '')}`);
		done();
	});
	const catalog = { data: ['call.started', 'call.completed', 'chat.completed'] };
	app.get('/v1/webhooks/event-types', async (_request, reply) => {
		const { status = 200, body } = service.script.catalog?.() ?? { body: catalog };
		return await reply.code(status).send(body);
	});
	app.get<{ Querystring: Record<string, string> }>('/v1/webhooks', async ({ query }, reply) => {
		const { status = 200, body } = (await service.script.list?.(service.endpoints, query)) ?? {
			body: { data: service.endpoints },
		};
		return await reply.code(status).send(body);
	});
	app.post<{ Body: Omit<KeptEndpoint, 'id'> }>('/v1/webhooks', async ({ body: wanted }, reply) => {
		const refused = await service.script.refuse?.(wanted);
		if (refused) return await reply.code(refused.status ?? 200).send(refused.body);
		const endpoint = { id: `wh_${++made}`, ...wanted };
		service.endpoints.push(endpoint);
		const { status = 201, body } = (await service.script.created?.(endpoint)) ?? { body: endpoint };
		return await reply.code(status).send(body);
	});
	app.delete<{ Params: { id: string } }>('/v1/webhooks/:id', async ({ params: { id } }, reply) => {
		const refused = service.script.remove?.(id);
		if (refused) return await reply.code(refused.status ?? 200).send(refused.body);
		const left = service.endpoints.filter((endpoint) => endpoint.id !== id);
		const status = left.length < service.endpoints.length ? 204 : 404;
		service.endpoints = left;
		return await reply.code(status).send(status === 404 ? { message: 'Not found' } : undefined);
	});
	service.baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
	return service;
}
