import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { parse } from 'flatted';
import type { INode, INodeParameters, IRunExecutionData } from 'n8n-workflow';
import type { Dialect } from '../../sandbox/dialects';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import type { N8n } from '../../sandbox/stack/n8n';
import { type Proxy, startProxy } from '../../sandbox/stack/proxy';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { readDatabase } from '../support/database';
import { chain, nodeOf, triggerNode } from '../support/triggerNode';

export interface WorkflowOptions {
	dialect?: Partial<Dialect>;
	/** The trigger's parameters but its options; `call.completed` is selected by default. */
	parameters?: INodeParameters;
	/** The trigger's options, e.g. `acknowledge`. */
	options?: INodeParameters;
	/** The credential's signing secret. */
	signingSecret?: string;
	/** Whether the proxy refuses deliveries while n8n starts; true by default. */
	gate?: boolean;
	/** The numbers of the events whose first request to the CRM fails. */
	refusedAtFirst?: Set<number>;
	/** The response time of the CRM; 0 by default. */
	crmDelayMs?: number;
}

/**
 * A published workflow in the stack's n8n, which writes each `call.completed` to a CRM. The service and
 * the CRM belong to this workflow alone.
 */
export interface TestWorkflow {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly workflowId: string;
	/** The numbers of the events that the CRM accepted, in the order of the requests. */
	readonly records: number[];
	/** The log of the service. */
	readonly logLines: string[];
	/** The trigger, then the node that calls the CRM. */
	readonly nodes: [INode, INode];
	/** Saves and publishes the workflow with other event types, or with another note at the CRM's node. */
	republish(changes: { events?: string[]; note?: string }): Promise<void>;
	/**
	 * Adds a second trigger with other event types and publishes, then removes the first trigger and
	 * publishes again.
	 *
	 * @param processed resolves once no delivery waits for the first trigger
	 */
	replaceTrigger(processed: () => Promise<void>): Promise<void>;
	unpublish(): Promise<void>;
	/** Waits until no delivery and no execution is pending. */
	settled(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts a service and a CRM, and publishes a workflow between them in the stack's n8n. */
export async function publishTestWorkflow(
	stack: Stack,
	settings: WorkflowOptions = {},
): Promise<TestWorkflow> {
	const { n8n, certificate } = stack;
	await using starting = new AsyncDisposableStack();
	const logLines: string[] = [];
	const sandbox = await startSandbox({
		log: (line) => logLines.push(line),
		dialect: settings.dialect,
		ca: certificate.ca,
	});
	starting.defer(() => sandbox.stop());
	const records: number[] = [];
	const refused = new Set<number>();
	const crm = fastify({ forceCloseConnections: true });
	crm.post<{ Body: { number: number } }>('/', async ({ body: { number } }, reply) => {
		await sleep(settings.crmDelayMs ?? 0);
		if (settings.refusedAtFirst?.has(number) && !refused.has(number)) {
			refused.add(number);
			return await reply.code(500).send({ message: 'The first request fails' });
		}
		records.push(number);
		return { number };
	});
	const crmUrl = await crm.listen({ host: '127.0.0.1', port: 0 });
	starting.defer(() => crm.close());

	const credentialId = await n8n.api.createCredential('Service', 'voiceAgentApi', {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		webhookSigningSecret: settings.signingSecret ?? '',
	});
	const options = settings.options ?? {};
	let trigger = triggerNode(credentialId, {
		events: ['call.completed'],
		...settings.parameters,
		options,
	});
	const crmNode = nodeOf('CRM', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: crmUrl,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json.data) }}',
		},
	});
	const startedBy = (...triggers: INode[]) => ({
		nodes: [...triggers, crmNode],
		connections: Object.fromEntries(
			triggers.flatMap(({ name }) => Object.entries(chain(name, crmNode.name))),
		),
	});
	const { id: workflowId } = await n8n.api.createWorkflow({
		name: 'Calls to a CRM',
		...startedBy(trigger),
		settings: { executionOrder: 'v1' },
	});
	starting.defer(async () => {
		if (n8n.pid) await n8n.api.unpublish(workflowId);
	});
	await n8n.api.publish(workflowId);
	if (settings.gate === false) {
		const proxy = await bypassGate(stack, sandbox);
		starting.defer(() => proxy.stop());
	}

	const started = starting.move();
	const workflow: TestWorkflow = {
		n8n,
		sandbox,
		workflowId,
		records,
		logLines,
		nodes: [trigger, crmNode],
		async republish({ events = trigger.parameters.events, note }) {
			const parameters = { ...trigger.parameters, events };
			const nodes = [
				{ ...trigger, parameters },
				{ ...crmNode, notes: note },
			];
			await n8n.api.updateWorkflow(workflowId, { nodes });
			await n8n.api.publish(workflowId);
		},
		async replaceTrigger(processed) {
			const events = ['call.completed', 'call.failed'];
			const next = triggerNode(credentialId, { events, options });
			Object.assign(next, { id: next.webhookId, name: `Trigger ${next.webhookId}` });
			await n8n.api.updateWorkflow(workflowId, startedBy(trigger, next));
			await n8n.api.publish(workflowId);
			await processed();
			await n8n.api.updateWorkflow(workflowId, startedBy(next));
			await n8n.api.publish(workflowId);
			trigger = next;
		},
		unpublish: () => n8n.api.unpublish(workflowId),
		async settled() {
			await sandbox.settled();
			await until('the executions to end', 120, () => !isRunning(workflow));
		},
		stop: () => started.disposeAsync(),
	};
	return workflow;
}

/** Moves the service's endpoints to a second proxy, which forwards all requests at any time. */
async function bypassGate({ n8n, certificate }: Stack, sandbox: Sandbox): Promise<Proxy> {
	const proxy = await startProxy({ target: n8n.url, certificate, gate: false });
	for (const { id, url } of sandbox.endpoints()) {
		const { pathname, search } = new URL(url);
		sandbox.moveEndpoint(id, proxy.url + pathname + search);
	}
	return proxy;
}

/**
 * @param mode `webhook` for deliveries, `trigger` for events that were caught up; both by default
 * @returns the number of successful executions of each event, by the event's number
 */
export function countExecutions(
	{ n8n, workflowId }: TestWorkflow,
	mode: 'webhook' | 'trigger' | '%' = '%',
): Map<number, number> {
	const rows = readDatabase(n8n, (database) =>
		database
			.prepare(
				`SELECT data FROM execution_entity JOIN execution_data ON executionId = id
				 WHERE execution_entity.workflowId = ? AND status = 'success' AND mode LIKE ?`,
			)
			.all(workflowId, mode),
	);
	const counts = new Map<number, number>();
	for (const { data } of rows) {
		const { resultData } = parse(String(data)) as IRunExecutionData;
		const { number } = resultData.runData.CRM?.[0]?.data?.main?.[0]?.[0]?.json as {
			number: number;
		};
		counts.set(number, (counts.get(number) ?? 0) + 1);
	}
	return counts;
}

function isRunning({ n8n, workflowId }: TestWorkflow): boolean {
	const row = readDatabase(n8n, (database) =>
		database
			.prepare(
				`SELECT count(*) AS running FROM execution_entity
				 WHERE workflowId = ? AND status IN ('new', 'running')`,
			)
			.get(workflowId),
	);
	return Number(row?.running) > 0;
}
