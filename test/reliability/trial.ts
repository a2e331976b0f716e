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

/** How a trial is to be; everything has a default. */
export interface TrialOptions {
	dialect?: Partial<Dialect>;
	/** The trigger's options, e.g. `acknowledge`. */
	options?: INodeParameters;
	/** The credential's signing secret. */
	signingSecret?: string;
	/** Whether the proxy keeps deliveries from an n8n that starts; true by default. */
	gate?: boolean;
	/** The event numbers that the CRM refuses when they come for the first time. */
	refusedAtFirst?: Set<number>;
	/** How long the CRM takes for each. */
	crmDelayMs?: number;
}

/**
 * A service of its own, and a workflow in the stack's n8n that is published for its
 * `call.completed` and writes each event to a CRM of its own.
 */
export interface Trial {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly workflowId: string;
	/** The event numbers that the CRM took, in the order in which they came. */
	readonly records: number[];
	/** What the service has logged. */
	readonly logLines: string[];
	/** The trigger, then the node that calls the CRM. */
	readonly nodes: [INode, INode];
	/** Saves and publishes the workflow with other parameters of its trigger, or another note. */
	republish(changes: { events?: string[]; note?: string }): Promise<void>;
	/**
	 * Publishes another trigger with other events beside the first one, and then without that.
	 *
	 * @param caughtUp resolves once nothing waits for the first one any more
	 */
	replaceTrigger(caughtUp: () => Promise<void>): Promise<void>;
	unpublish(): Promise<void>;
	/** Waits until no delivery and no execution is under way or to come. */
	settled(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts a trial; what it takes beside the stack, it starts and stops itself. */
export async function startTrial(stack: Stack, asked: TrialOptions = {}): Promise<Trial> {
	const { n8n, certificate } = stack;
	await using starting = new AsyncDisposableStack();
	const logLines: string[] = [];
	const sandbox = await startSandbox({
		log: (line) => logLines.push(line),
		dialect: asked.dialect,
		ca: certificate.ca,
	});
	starting.defer(() => sandbox.stop());
	const records: number[] = [];
	const refused = new Set<number>();
	const crm = fastify({ forceCloseConnections: true });
	crm.post<{ Body: { number: number } }>('/', async ({ body: { number } }, reply) => {
		await sleep(asked.crmDelayMs ?? 0);
		if (asked.refusedAtFirst?.has(number) && !refused.has(number)) {
			refused.add(number);
			return await reply.code(500).send({ message: 'Not this time' });
		}
		records.push(number);
		return { number };
	});
	const crmUrl = await crm.listen({ host: '127.0.0.1', port: 0 });
	starting.defer(() => crm.close());

	const credentialId = await n8n.api.createCredential('Service', 'voiceAgentApi', {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		webhookSigningSecret: asked.signingSecret ?? '',
	});
	const options = asked.options ?? {};
	let trigger = triggerNode(credentialId, { events: ['call.completed'], options });
	const write = nodeOf('CRM', 'n8n-nodes-base.httpRequest', {
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
		nodes: [...triggers, write],
		connections: Object.fromEntries(
			triggers.flatMap(({ name }) => Object.entries(chain(name, write.name))),
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
	if (asked.gate === false) {
		const proxy = await passTheGate(stack, sandbox);
		starting.defer(() => proxy.stop());
	}

	const started = starting.move();
	const trial: Trial = {
		n8n,
		sandbox,
		workflowId,
		records,
		logLines,
		nodes: [trigger, write],
		async republish({ events = trigger.parameters.events, note }) {
			const parameters = { ...trigger.parameters, events };
			const nodes = [
				{ ...trigger, parameters },
				{ ...write, notes: note },
			];
			await n8n.api.updateWorkflow(workflowId, { nodes });
			await n8n.api.publish(workflowId);
		},
		async replaceTrigger(caughtUp) {
			const events = ['call.completed', 'call.failed'];
			const next = triggerNode(credentialId, { events, options });
			Object.assign(next, { id: next.webhookId, name: `Trigger ${next.webhookId}` });
			await n8n.api.updateWorkflow(workflowId, startedBy(trigger, next));
			await n8n.api.publish(workflowId);
			await caughtUp();
			await n8n.api.updateWorkflow(workflowId, startedBy(next));
			await n8n.api.publish(workflowId);
			trigger = next;
		},
		async unpublish() {
			await n8n.api.unpublish(workflowId);
		},
		async settled() {
			await sandbox.settled();
			await until('the executions to end', 120, () => !isRunning(trial));
		},
		stop: () => started.disposeAsync(),
	};
	return trial;
}

/** Has the service deliver to another proxy, which lets everything through at any time. */
async function passTheGate({ n8n, certificate }: Stack, sandbox: Sandbox): Promise<Proxy> {
	const proxy = await startProxy({ target: n8n.url, certificate, gate: false });
	for (const { id, url, events } of sandbox.endpoints()) {
		const { pathname, search } = new URL(url);
		sandbox.addEndpoint({ url: proxy.url + pathname + search, events });
		sandbox.removeEndpoint(id);
	}
	return proxy;
}

/** How often each event number ran to a successful end. */
export function countRuns({ n8n, workflowId }: Trial): Map<number, number> {
	const rows = readDatabase(n8n, (database) =>
		database
			.prepare(
				`SELECT data FROM execution_entity JOIN execution_data ON executionId = id
				 WHERE execution_entity.workflowId = ? AND status = 'success'`,
			)
			.all(workflowId),
	);
	const runs = new Map<number, number>();
	for (const { data } of rows) {
		const { resultData } = parse(String(data)) as IRunExecutionData;
		const { number } = resultData.runData.CRM?.[0]?.data?.main?.[0]?.[0]?.json as {
			number: number;
		};
		runs.set(number, (runs.get(number) ?? 0) + 1);
	}
	return runs;
}

function isRunning({ n8n, workflowId }: Trial): boolean {
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
