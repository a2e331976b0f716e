import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { requireAdmin } from './authenticate';
import { maskQuery } from './endpoints';
import { ApiError } from './errors';
import type { Attempt, Deliveries } from './deliveries';
import { type CallDetails, callKinds, sampleData } from './events';
import { sessionSeconds } from './sessions';
import { emitEvent, type Workspace } from './workspace';

const attemptsShown = 50;
const PAGE_POLICY = "default-src 'self'; frame-ancestors 'none'";
const loopbackNames = ['127.0.0.1', 'localhost'];

/**
 * The page for people at `/`, and the routes that only it uses. It signs in as the contract demands of
 * browsers.
 */
export function addPage(app: FastifyInstance, workspace: Workspace): void {
	void app.register(fastifyStatic, {
		root: join(__dirname, '../page'),
		// Its wildcard would answer every unknown GET, also those of the API.
		wildcard: false,
		setHeaders: (response) => void response.setHeader('content-security-policy', PAGE_POLICY),
	});

	// Without this check of the host's name, any web page could sign in by DNS rebinding.
	app.post('/sandbox/session', ({ hostname }) => {
		if (!loopbackNames.includes(hostname)) throw new ApiError(403, 'Only for this computer');
		const { id, sessions } = workspace;
		return { token: sessions.issue(), workspaceId: id, expiresInSeconds: sessionSeconds };
	});

	void app.register((page, _options, done) => {
		page.addHook('onRequest', (request, _reply, next) => {
			requireAdmin(workspace, request);
			next();
		});

		page.get('/sandbox/state', () => pageState(workspace));

		page.post<{ Body: CallDetails & { type: string } }>(
			'/sandbox/events',
			{ schema: { body: eventBody } },
			({ body: { type, ...details } }) => emitEvent(workspace, type, sampleData(type, details)),
		);

		page.post<{ Params: { id: string } }>('/sandbox/deliveries/:id/again', ({ params }, reply) => {
			if (!workspace.deliveries.sendAgain(params.id)) {
				throw new ApiError(404, 'It can no longer be delivered: its endpoint was removed');
			}
			return reply.code(204).send();
		});
		done();
	});
}

/** The data of the page, without signatures and without the queries of URLs, which hold callback tokens. */
function pageState({ catalog, endpoints, deliveries, editorUrl }: Workspace) {
	return {
		catalog,
		endpoints: endpoints.list().map(({ id, url, events }) => ({ id, url: maskQuery(url), events })),
		attempts: deliveries.recent(attemptsShown).map((attempt) => shownAttempt(deliveries, attempt)),
		editorUrl,
	};
}

function shownAttempt(deliveries: Deliveries, attempt: Attempt) {
	const { headers = {}, body } = deliveries.requestOf(attempt) ?? {};
	const shown = Object.entries(headers).map(([name, value]) => [
		name,
		name.endsWith('signature') ? '(hidden)' : value,
	]);
	return { ...attempt, headers: Object.fromEntries(shown) as Record<string, string>, body };
}

const eventBody = {
	type: 'object',
	required: ['type'],
	additionalProperties: false,
	properties: {
		type: { type: 'string' },
		kind: { enum: callKinds },
		customer: { type: 'object', additionalProperties: { type: 'string' } },
		outcome: { type: 'string' },
		summary: { type: 'string' },
		duration_seconds: { type: 'integer', minimum: 0 },
	},
};
