import fastify from 'fastify';
import type { INode, INodeParameters } from 'n8n-workflow';
import { type SandboxOptions, startSandbox } from '../../sandbox/service';
import type { N8nApi } from '../../sandbox/stack/n8n-api';
import { chain, nodeOf, triggerNode } from '../support/n8n/triggerNode';
import { publishTrigger } from './publishedTrigger';

/** A CRM that belongs to one workflow alone. */
interface Crm extends AsyncDisposable {
	/** The node that writes a call. */
	node: INode;
	/** @returns the number of writes of each call, by the call's ID */
	countWrites: () => Promise<ReadonlyMap<string, number>>;
}

/** A published workflow that writes each `call.completed` to a CRM, with a service of its own. */
export type CrmWorkflow = Awaited<ReturnType<typeof publishCrmWorkflow>>;

/**
 * Starts a service, and publishes a workflow between it and a CRM. Both are stopped with it.
 *
 * @param parameters of the trigger; `call.completed` is selected by default
 */
export async function publishCrmWorkflow(
	api: N8nApi,
	crm: Crm,
	service: SandboxOptions,
	parameters?: INodeParameters,
) {
	await using starting = new AsyncDisposableStack();
	const { countWrites, node } = starting.use(crm);
	const sandbox = starting.use(await startSandbox(service));
	const workflow = await publishTrigger(api, sandbox, { parameters, next: [node] });
	const started = starting.move();
	return { ...workflow, countWrites, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/**
 * Starts a CRM as a server that counts the writes of each call.
 *
 * @param isRefusedAtFirst whether the first request of a call fails
 * @param duringWrite is awaited before the answer to a request
 */
export async function startCrm(
	isRefusedAtFirst?: (callId: string) => boolean,
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
	return {
		...{ node, writes },
		countWrites: () => Promise.resolve(writes),
		[Symbol.asyncDispose]: () => app.close(),
	};
}

/**
 * Adds a second trigger with other event types and publishes, then removes the first trigger and publishes
 * again. This avoids the gap of a changed trigger.
 *
 * @param delivered resolves once no event waits for a delivery to the first trigger
 */
export async function replaceTrigger(
	{ api, workflowId, nodes }: CrmWorkflow,
	delivered: () => Promise<void>,
): Promise<void> {
	const [first, crm] = nodes as [INode, INode];
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
