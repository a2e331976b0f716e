import fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from './n8nCore';

export const URL_OF = {
	wh_1: 'https://n8n.example.com/webhook/1/webhook',
	wh_2: 'https://crm.example.com/hooks',
	wh_3: 'https://n8n.example.com/webhook-test/1/webhook',
};
type WebhookId = keyof typeof URL_OF;

/** The service of a test. */
export let service: {
	/** The delivery logs. A request for a missing log fails. */
	logs: Partial<Record<WebhookId, IDataObject[]>>;
	webhooks: WebhookId[];
	/** The list of webhooks is answered after this promise. */
	pause?: Promise<void>;
	catalogRequests: number;
};

let baseUrl: string;

/** Starts the server of a test file, and stops the clock for each test. */
export function usePolling(): void {
	let server: FastifyInstance;

	beforeAll(async () => {
		server = fastify({ forceCloseConnections: true });
		server.get('/v1/webhooks/event-types', () => {
			service.catalogRequests++;
			return { data: ['call.completed', 'call.started'] };
		});
		server.get('/v1/webhooks', async () => {
			await service.pause;
			return {
				data: service.webhooks.map((id) => ({ id, url: `${URL_OF[id]}?voice_agent_token=***` })),
			};
		});
		server.get<{ Params: { id: WebhookId }; Querystring: { page?: string } }>(
			'/v1/webhooks/:id/deliveries',
			async ({ params: { id }, query: { page = '1' } }, reply) => {
				const log = service.logs[id];
				if (!log) return await reply.code(400).send({ message: 'log is lost' });
				const end = Number(page) * 100;
				return { data: log.slice(end - 100, end), has_more: log.length > end, page: Number(page) };
			},
		);
		baseUrl = `${await server.listen({ host: '127.0.0.1', port: 0 })}/v1`;
	});
	afterAll(async () => await server.close());
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'performance'],
		});
		service = {
			logs: { wh_1: [], wh_2: [], wh_3: [] },
			webhooks: ['wh_1', 'wh_2', 'wh_3'],
			catalogRequests: 0,
		};
	});
	afterEach(() => jest.useRealTimers());
}

/** Moves the clock forward. */
export const pass = (minutes: number) => jest.setSystemTime(Date.now() + minutes * 60_000);

/** The event of a completed call. */
export const call = (id: string, more: IDataObject = {}) => ({
	id: `evt_${id}`,
	type: 'call.completed',
	data: { call_id: id, direction: 'inbound', from: '+14155550100', to: '+493055501', ...more },
});

/** Logs an attempt that failed now. */
export function logAttempt(id: string, more: IDataObject = {}, webhook: WebhookId = 'wh_1'): void {
	service.logs[webhook]!.unshift({
		id: `att_${id}_${service.logs[webhook]!.length}`,
		event_id: `evt_${id}`,
		event_type: 'call.completed',
		status: 'failed',
		response_status: 503,
		attempted_at: new Date().toISOString(),
		payload: call(id),
		...more,
	});
}

/** Creates an unpublished node that polls the first webhook. */
export async function createNode(parameters: INodeParameters = {}): Promise<NodeInWorkflow> {
	return await NodeInWorkflow.create('voiceAgentMissedEventsTrigger', {
		parameters: { webhookIds: [URL_OF.wh_1], events: ['call.completed'], ...parameters },
		credential: { baseUrl, apiKey: 'svc_live_0123456789' },
	});
}

type Poll = ReturnType<NodeInWorkflow['activatePoller']>;

/** Publishes a node that reports events of any age, with its first poll. */
export async function startPolling(parameters: INodeParameters = {}): Promise<Poll> {
	const node = await createNode({ options: { minAgeMinutes: 0 }, ...parameters });
	const poll = node.activatePoller();
	await poll();
	return poll;
}

/** The calls of the executions that a poll starts, by their outputs. */
export const polled = async (poll: Poll) =>
	(await poll()).map(([events = [], without = []]) => [
		...events.map(({ json }) => (json.data as IDataObject).call_id),
		...without.map(({ json }) => (json.deliveryDetails as IDataObject).id),
	]);
