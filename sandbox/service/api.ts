import type { FastifyError, FastifyInstance } from 'fastify';
import { sendCreated, sendDone, sendError, shapedRecord } from './answers';
import { requireAdmin } from './authenticate';
import { type Endpoint, endpointFields } from './endpoints';
import { ApiError } from './errors';
import { keyBody, type Scope } from './keys';
import { sendCatalog, sendList } from './lists';
import { register } from './registration';
import { sendSample, type Workspace } from './workspace';

/** The operations of the contract, all for administrators of the workspace. */
export function addApi(api: FastifyInstance, workspace: Workspace): void {
	const { dialect, catalog, keys, endpoints, deliveries } = workspace;

	api.setErrorHandler<FastifyError>((error, _request, reply) =>
		sendError(reply, error.statusCode ?? 500, error.message),
	);
	api.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'No such operation'));
	api.addHook('onRequest', (request, _reply, done) => {
		requireAdmin(workspace, request);
		done();
	});

	api.get('/workspace/api-keys', (request, reply) => {
		const records = keys.list().map((key) => shapedRecord(key, 'apiKey', dialect));
		return sendList(request, reply, workspace, 'apiKeys', records);
	});

	api.post<{ Body: { name: string; scopes?: Scope[] } }>(
		'/workspace/api-keys',
		{ schema: { body: keyBody } },
		({ body }, reply) => {
			const { key, ...record } = keys.create(body.name, body.scopes);
			return sendCreated(reply, dialect, 'apiKey', record, { key });
		},
	);

	api.delete<ById>('/workspace/api-keys/:id', ({ params: { id } }, reply) => {
		if (!keys.revoke(id)) throw new ApiError(404, `There is no API key ${id}`);
		return sendDone(reply, dialect);
	});

	api.get('/webhooks/event-types', (request, reply) => sendCatalog(request, reply, workspace));

	api.get('/webhooks', (request, reply) => {
		const records = endpoints
			.shown()
			.map((endpoint) => endpointFields(endpoint, dialect, catalog))
			.map((fields) => shapedRecord(fields, 'webhook', dialect));
		return sendList(request, reply, workspace, 'webhooks', records);
	});

	api.post<{ Body: { url: string; events?: string[] } }>(
		'/webhooks',
		{ schema: { body: endpointBody } },
		async ({ body }, reply) => {
			const endpoint = await register(workspace, body);
			const once = dialect.signature === 'standard-webhooks' ? { secret: endpoint.secret } : {};
			const record = endpointFields(endpoint, dialect, catalog);
			return sendCreated(reply, dialect, 'webhook', record, once);
		},
	);

	api.post<ById>('/webhooks/:id/test', async ({ params: { id } }, reply) => {
		const sent = sendSample(workspace, existingEndpoint(id));
		if (dialect.successCode !== 'accepted') await sent;
		return sendDone(reply, dialect);
	});

	api.get<ById>('/webhooks/:id/deliveries', (request, reply) => {
		const { id } = existingEndpoint(request.params.id);
		const attempts = deliveries.attemptsAt(id).map((attempt) => {
			const { body } = deliveries.requestOf(attempt) ?? {};
			const isLogged = dialect.loggedEvent === 'payload' && body !== undefined;
			return isLogged ? { ...attempt, payload: JSON.parse(body) as unknown } : attempt;
		});
		return sendList(request, reply, workspace, 'deliveries', attempts);
	});

	api.delete<ById>('/webhooks/:id', ({ params: { id } }, reply) => {
		endpoints.remove(existingEndpoint(id).id);
		return sendDone(reply, dialect);
	});

	function existingEndpoint(id: string): Endpoint {
		const endpoint = endpoints.get(id);
		if (!endpoint) throw new ApiError(404, `There is no webhook endpoint ${id}`);
		return endpoint;
	}
}

interface ById {
	Params: { id: string };
}

// An empty list of events is refused, because it does not select every event type: a missing `events` does.
const endpointBody = {
	type: 'object',
	required: ['url'],
	properties: {
		url: { type: 'string' },
		events: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } },
	},
};
