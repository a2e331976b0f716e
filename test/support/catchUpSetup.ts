import fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from './n8nCore';
import { N8nLifecycle } from './n8nLifecycle';

/** The service of a test. */
export let service: {
	/** The delivery logs by endpoint, the newest attempt first. A request for a missing log fails with 400. */
	logs: Record<string, IDataObject[]>;
	/** The present endpoints. */
	webhooks: Array<{ id: string; url: string; events?: string[] }>;
	/** The requests since the beginning of the test. */
	requests: string[];
	/** Each log is answered after this promise. */
	pause?: Promise<void>;
	/** The status of all answers in place of the usual one. */
	status?: number;
};

export let baseUrl: string;

/** Starts the server of a test file, and stops the clock for each test. */
export function usePolling(): void {
	let server: FastifyInstance;

	beforeAll(async () => {
		server = fastify({ forceCloseConnections: true });
		server.addHook('onRequest', async ({ method, url }, reply) => {
			service.requests.push(`${method} ${url.replace('/v1', '')}`);
			if (service.status) return await reply.code(service.status).send({ message: 'silent' });
		});
		server.get('/v1/webhooks/event-types', () => ({ data: ['call.completed', 'call.started'] }));
		server.get('/v1/webhooks', () => ({ data: service.webhooks }));
		server.post('/v1/webhooks', ({ body }) => {
			const webhook = { ...(body as { url: string }), id: `wh_${service.requests.length}` };
			service.webhooks.push(webhook);
			service.logs[webhook.id] = [];
			return webhook;
		});
		server.delete<{ Params: { id: string } }>('/v1/webhooks/:id', ({ params }) => {
			service.webhooks = service.webhooks.filter(({ id }) => id !== params.id);
			return {};
		});
		server.get<{ Params: { id: string }; Querystring: { page?: string } }>(
			'/v1/webhooks/:id/deliveries',
			async ({ params: { id }, query: { page = '1' } }, reply) => {
				await service.pause;
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
		service = { logs: {}, webhooks: [], requests: [] };
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

/** The log of the newest endpoint. */
export const logOf = () => service.logs[service.webhooks.at(-1)!.id]!;

/** Logs an attempt that failed now. */
export function logAttempt(id: string, more: IDataObject = {}, log = logOf()): void {
	log.unshift({
		id: `att_${id}_${log.length}`,
		event_id: `evt_${id}`,
		event_type: 'call.completed',
		status: 'failed',
		response_status: 503,
		attempted_at: new Date().toISOString(),
		payload: call(id),
		...more,
	});
}

/** A published trigger, with its polls since its last activation. */
export interface Activated {
	node: NodeInWorkflow;
	lifecycle: N8nLifecycle;
	/** Polls once. @returns the calls of the started executions, and the messages of failed ones */
	poll(): Promise<string[]>;
	/** Polls in each of the next minutes, and returns the same. */
	pollFor(minutes: number): Promise<string[]>;
}

/** Publishes a trigger. */
export async function publish(parameters: INodeParameters = {}): Promise<Activated> {
	const all = { events: ['call.completed'], ...parameters };
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: all,
		credential: { baseUrl, apiKey: 'svc_live_0123456789' },
	});
	const lifecycle = new N8nLifecycle(node);
	await lifecycle.publish(all);
	const poll = async () =>
		(await lifecycle.poll()).map((started) =>
			started instanceof Error
				? started.message
				: started
						.flatMap((items) => items.map(({ json }) => (json.data as { call_id: string }).call_id))
						.join(),
		);
	const pollFor = async (minutes: number) => {
		const started: string[] = [];
		for (let minute = 0; minute < minutes; minute++) {
			pass(1);
			started.push(...(await poll()));
		}
		return started;
	};
	return { node, lifecycle, poll, pollFor };
}

/** Publishes a trigger that reads the log in each poll from now on, for events of any age. */
export async function publishOften(parameters: INodeParameters = {}): Promise<Activated> {
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const trigger = await publish({ pollTimes, minAgeMinutes: 0, ...parameters });
	// The first poll of an endpoint reads nothing.
	await trigger.poll();
	return trigger;
}
