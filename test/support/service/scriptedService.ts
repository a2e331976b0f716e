import fastify, { type FastifyReply } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

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

type Scripted = Reply | undefined | Promise<Reply | undefined>;

/** Functions that replace responses of the service; undefined keeps the usual response. */
export interface Script {
	list?: (endpoints: KeptEndpoint[], query: Record<string, string>) => Scripted;
	/** Is called before an endpoint is created; a response prevents the creation. */
	refuse?: (wanted: Omit<KeptEndpoint, 'id'>) => Scripted;
	/** Is called after an endpoint was created. */
	created?: (endpoint: KeptEndpoint) => Scripted;
	/** Is called before an endpoint is removed; a response prevents the removal. */
	remove?: (id: string) => Reply | undefined;
	catalog?: () => Reply | undefined;
	log?: (id: string, page: number) => Reply | undefined;
}

/** The webhook operations of a service, with scripted responses that no dialect has. */
export interface ScriptedService {
	baseUrl: string;
	endpoints: KeptEndpoint[];
	script: Script;
	/** The requests, such as `GET /webhooks`. */
	requests: string[];
	/** The delivery logs by endpoint, the newest attempt first. A removed endpoint keeps none. */
	logs: Record<string, IDataObject[]>;
	/** The number of records on a page of a log. */
	logPage: number;
	/** Each log is answered after this promise. */
	pause?: Promise<void>;
	/** Added to the number of each endpoint's ID, which is then a JSON number. */
	firstId?: bigint;
	/** The status of all answers in place of the usual one. */
	status?: number;
	stop(): Promise<void>;
}

const send = async (reply: FastifyReply, { status = 200, body }: Reply) =>
	await reply.code(status).send(body);

export async function startScriptedService(): Promise<ScriptedService> {
	const app = fastify({ forceCloseConnections: true });
	let made = 0;
	const service: ScriptedService = {
		baseUrl: '',
		endpoints: [],
		script: {},
		requests: [],
		logs: {},
		logPage: 100,
		stop: async () => await app.close(),
	};
	app.addHook('onRequest', async ({ method, url }, reply) => {
		// Of the test's clock.
		void reply.header('date', new Date().toUTCString());
		service.requests.push(`${method} ${url.replace(/^\/v1|\?.*$/g, '')}`);
		if (service.status) return await reply.code(service.status).send({ message: 'silent' });
	});
	app.addHook('onSend', async (_request, _reply, body) =>
		service.firstId && typeof body === 'string'
			? body.replace(/"id":"(\d{16,})"/g, '"id":$1')
			: body,
	);
	const catalog = { data: ['call.started', 'call.completed', 'chat.completed'] };
	app.get('/v1/webhooks/event-types', async (_request, reply) => {
		return await send(reply, service.script.catalog?.() ?? { body: catalog });
	});
	app.get<{ Querystring: Record<string, string> }>('/v1/webhooks', async ({ query }, reply) => {
		const { endpoints, script } = service;
		const scripted = await script.list?.(endpoints, query);
		return await send(reply, scripted ?? { body: { data: service.endpoints } });
	});
	app.post<{ Body: Omit<KeptEndpoint, 'id'> }>('/v1/webhooks', async ({ body: wanted }, reply) => {
		const refused = await service.script.refuse?.(wanted);
		if (refused) return await send(reply, refused);
		const number = ++made;
		const id = service.firstId ? String(service.firstId + BigInt(number)) : `wh_${number}`;
		const endpoint = { id, ...wanted };
		service.endpoints.push(endpoint);
		service.logs[endpoint.id] = [];
		const scripted = await service.script.created?.(endpoint);
		return await send(reply, { status: 201, ...(scripted ?? { body: endpoint }) });
	});
	app.delete<{ Params: { id: string } }>('/v1/webhooks/:id', async ({ params: { id } }, reply) => {
		const refused = service.script.remove?.(id);
		if (refused) return await send(reply, refused);
		const left = service.endpoints.filter((endpoint) => endpoint.id !== id);
		const status = left.length < service.endpoints.length ? 204 : 404;
		service.endpoints = left;
		return await reply.code(status).send(status === 404 ? { message: 'Not found' } : undefined);
	});
	app.get<{ Params: { id: string }; Querystring: { page?: string } }>(
		'/v1/webhooks/:id/deliveries',
		async ({ params: { id }, query: { page = '1' } }, reply) => {
			await service.pause;
			const scripted = service.script.log?.(id, Number(page));
			if (scripted) return await send(reply, scripted);
			const log = service.logs[id];
			const isKept = service.endpoints.some((endpoint) => String(endpoint.id) === id);
			if (!log || !isKept) return await reply.code(404).send({ message: 'Not found' });
			const end = Number(page) * service.logPage;
			const data = log.slice(end - service.logPage, end);
			return { data, has_more: log.length > end, page: Number(page) };
		},
	);
	service.baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
	return service;
}
