import type { FastifyError, FastifyInstance } from 'fastify';
import { catalogEntry, sendCreated, sendDone, sendError, sendList } from './answers';
import { requireAdmin } from './authenticate';
import { type Endpoint, endpointRecord } from './endpoints';
import { ApiError } from './errors';
import { keyBody, type Scope } from './keys';
import { sendSample, type Workspace } from './workspace';

/** The operations of the contract (section 4), all for administrators of the workspace. */
export function addApi(api: FastifyInstance, workspace: Workspace): void {
	const { dialect, pageSize, catalog, keys, endpoints, deliveries } = workspace;

	api.setErrorHandler<FastifyError>((error, _request, reply) =>
		sendError(reply, dialect, error.statusCode ?? 500, error.message),
	);
	api.setNotFoundHandler((_request, reply) => sendError(reply, dialect, 404, 'No such operation'));
	api.addHook('onRequest', (request, _reply, done) => {
		requireAdmin(workspace, request);
		done();
	});

	api.get('/workspace/api-keys', (request, reply) =>
		sendList(request, reply, dialect, pageSize, 'apiKeys', keys.list()),
	);

	api.post<{ Body: { name: string; scopes?: Scope[] } }>(
		'/workspace/api-keys',
		{ schema: { body: keyBody } },
		({ body }, reply) => sendCreated(reply, dialect, 'apiKey', keys.create(body.name, body.scopes)),
	);

	api.delete<ById>('/workspace/api-keys/:id', ({ params: { id } }, reply) => {
		if (!keys.revoke(id)) throw new ApiError(404, `There is no API key ${id}`);
		return sendDone(reply, dialect);
	});

	api.get('/webhooks/event-types', (request, reply) => {
		const entries = catalog.map((entry) => catalogEntry(entry, dialect.catalogEntry));
		return sendList(request, reply, dialect, pageSize, 'eventTypes', entries);
	});

	api.get('/webhooks', (request, reply) => {
		const records = endpoints.list().map((endpoint) => endpointRecord(endpoint, dialect, catalog));
		return sendList(request, reply, dialect, pageSize, 'webhooks', records);
	});

	api.post<{ Body: { url: string; events?: string[] } }>(
		'/webhooks',
		{ schema: { body: endpointBody } },
		({ body }, reply) => {
			if (!URL.canParse(body.url) || new URL(body.url).protocol !== 'https:') {
				throw new ApiError(422, 'The url must be an HTTPS URL');
			}
			const unknown = body.events?.filter((event) => !catalog.some(({ type }) => type === event));
			if (unknown?.length) throw new ApiError(422, `No such event type: ${unknown.join(', ')}`);
			const endpoint = endpoints.add(body);
			const secret = dialect.signature === 'standard-webhooks' ? endpoint.secret : undefined;
			const record = { ...endpointRecord(endpoint, dialect, catalog), secret };
			return sendCreated(reply, dialect, 'webhook', record);
		},
	);

	api.post<ById>('/webhooks/:id/test', async ({ params: { id } }, reply) => {
		const sent = sendSample(workspace, existingEndpoint(id));
		if (dialect.successCode !== 'accepted') await sent;
		return sendDone(reply, dialect);
	});

	api.get<ById>('/webhooks/:id/deliveries', (request, reply) => {
		const { id } = existingEndpoint(request.params.id);
		const attempts = deliveries.attemptsAt(id);
		return sendList(request, reply, dialect, pageSize, 'deliveries', attempts);
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

// An empty list of events is refused, so that nobody takes it for "all": that is no `events`.
const endpointBody = {
	type: 'object',
	required: ['url'],
	properties: {
		url: { type: 'string' },
		events: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } },
	},
};
