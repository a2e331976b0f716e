import fastify from 'fastify';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Dialect } from '../../sandbox/dialects';
import { startSandbox } from '../../sandbox/service';
import type { Stack } from '../../sandbox/stack/stack';
import { chain, nodeOf, triggerNode } from '../support/n8n/triggerNode';
import { publishTrigger } from './publishedTrigger';

export interface WorkflowOptions {
	dialect?: Partial<Dialect>;
	/** The trigger's parameters; `call.completed` is selected by default. */
	parameters?: INodeParameters;
	/** Whether the first request of a call to the CRM fails. */
	isRefusedAtFirst?: (callId: string) => boolean;
}

/** A published workflow in the stack's n8n, with a service and a CRM that belong to it alone. */
export type TestWorkflow = Awaited<ReturnType<typeof publishTestWorkflow>>;

/** Starts a service and a CRM, and publishes a workflow between them in the stack's n8n. */
export async function publishTestWorkflow(stack: Stack, settings: WorkflowOptions = {}) {
	const { n8n, certificate } = stack;
	await using starting = new AsyncDisposableStack();
	const { dialect } = settings;
	const { ca } = certificate;
	const sandbox = starting.use(await startSandbox({ dialect, ca }));
	const crm = await startCrm(settings);
	starting.defer(() => crm.stop());

	const workflow = await publishTrigger(n8n.api, sandbox, {
		parameters: settings.parameters,
		next: [crm.node],
	});
	starting.defer(async () => {
		if (n8n.pid) await workflow.unpublish();
	});
	const started = starting.move();
	return {
		...workflow,
		/** The trigger, then the node that calls the CRM. */
		nodes: workflow.nodes as [INode, INode],
		/** The number of writes of each call so far. */
		writes: crm.writes as ReadonlyMap<string, number>,
		n8n,
		countWrites: () => Promise.resolve(crm.writes),
		[Symbol.asyncDispose]: () => started.disposeAsync(),
	};
}

/**
 * Starts a server that counts the writes of each call.
 *
 * @param duringWrite is awaited before the answer to a request
 * @returns the server, with a node that writes a call
 */
export async function startCrm(
	{ isRefusedAtFirst }: WorkflowOptions = {},
	duringWrite?: () => Promise<void>,
) {
	const writes = new Map<string, number>();
	const refused = new Set<string>();
	const app = fastify({ forceCloseConnections: true });
	app.post<{ Body: { call_id: string } }>('/', async ({ body, socket }, reply) => {
		const { call_id: callId } = body;
		await duringWrite?.();
		if (isRefusedAtFirst?.(callId) && !refused.has(callId)) {
			refused.add(callId);
			return await reply.code(500).send({ message: 'The first request fails' });
		}
		// A killed n8n has closed the connection, and its execution did not end.
		if (!socket.destroyed) writes.set(callId, (writes.get(callId) ?? 0) + 1);
		return { callId };
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	const node = nodeOf('CRM', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: {
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json' },
			jsonBody: '={{ JSON.stringify($json.data) }}',
		},
	});
	return { node, writes, stop: () => app.close() };
}

/**
 * Adds a second trigger with other event types and publishes, then removes the first trigger and publishes
 * again. This avoids the gap of a changed trigger.
 *
 * @param delivered resolves once no event waits for a delivery to the first trigger
 */
export async function replaceTrigger(
	{ api, workflowId, nodes }: TestWorkflow,
	delivered: () => Promise<void>,
): Promise<void> {
	const [first, crm] = nodes;
	const parameters = { ...first.parameters, events: ['call.completed', 'call.failed'] };
	const second = triggerNode('', parameters, { credentials: first.credentials });
	Object.assign(second, { id: second.webhookId, name: `Trigger ${second.webhookId}` });
	for (const triggers of [[first, second], [second]]) {
		await api.updateWorkflow(workflowId, {
			nodes: [...triggers, crm],
			connections: Object.assign({}, ...triggers.map(({ name }) => chain(name, crm.name))) as never,
		});
		await api.publish(workflowId);
		await delivered();
	}
	nodes[0] = second;
}
