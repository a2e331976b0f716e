import { type Sandbox, startSandbox } from '../../sandbox/service';
import { chain, nodeOf, triggerNode } from '../support/triggerNode';
import type { Cluster } from './cluster';

/** n8n acknowledges a delivery when the execution is queued, or when the execution has finished. */
export type Acknowledge = 'received' | 'finished';

/** A published workflow, with a service and a CRM that belong to this workflow alone. */
export interface TestWorkflow {
	readonly sandbox: Sandbox;
	readonly workflowId: string;
	/** @returns the number of writes of each call, by the call's ID */
	countWrites(): Promise<Map<string, number>>;
	/** Saves and publishes the workflow, with other event types if the trigger is to change. */
	republish(change: 'changed' | 'unchanged'): Promise<void>;
	unpublish(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Publishes a workflow that upserts calls into a table of PostgreSQL. The table counts the writes of
 * each call.
 *
 * @param name the CRM's database, in lower case, which must not exist yet
 */
export async function publishTestWorkflow(
	{ main: { api }, postgresql, ca }: Cluster,
	name: string,
	acknowledge: Acknowledge,
): Promise<TestWorkflow> {
	await using starting = new AsyncDisposableStack();
	const { user, port, password } = postgresql;
	await postgresql.query('postgres', `CREATE DATABASE ${name}`);
	await postgresql.query(
		name,
		`CREATE TABLE calls (call_id text PRIMARY KEY, summary text NOT NULL, writes int DEFAULT 1);
		 CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS
		 'BEGIN NEW.writes := OLD.writes + 1; RETURN NEW; END';
		 CREATE TRIGGER count_write BEFORE UPDATE ON calls
		 FOR EACH ROW EXECUTE FUNCTION count_write()`,
	);
	// The service retries a delivery for about two minutes.
	const sandbox = await startSandbox({
		dialect: { retrySchedule: 'backoff' },
		retryScale: 0.25,
		ca,
	});
	starting.defer(() => sandbox.stop());

	const credentialId = await api.createCredential(name, 'voiceAgentApi', {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
	});
	const trigger = triggerNode(credentialId, {
		events: ['call.completed'],
		options: { acknowledge },
	});
	const crm = nodeOf('CRM', 'n8n-nodes-base.postgres', {
		typeVersion: 2.6,
		parameters: {
			operation: 'upsert',
			schema: { __rl: true, mode: 'name', value: 'public' },
			table: { __rl: true, mode: 'name', value: 'calls' },
			columns: {
				mappingMode: 'defineBelow',
				matchingColumns: ['call_id'],
				value: { call_id: '={{ $json.data.call_id }}', summary: '={{ $json.data.summary }}' },
				schema: [],
			},
		},
		credentials: {
			postgres: {
				id: await api.createCredential(name, 'postgres', {
					host: '127.0.0.1',
					port,
					database: name,
					user,
					password,
					ssl: 'disable',
					maxConnections: 5,
				}),
				name,
			},
		},
	});
	const { id: workflowId } = await api.createWorkflow({
		name,
		nodes: [trigger, crm],
		connections: chain('Trigger', 'CRM'),
		settings: { executionOrder: 'v1' },
	});
	await api.publish(workflowId);

	let events = ['call.completed'];
	const started = starting.move();
	return {
		sandbox,
		workflowId,
		async countWrites() {
			const rows = await postgresql.query(name, 'SELECT call_id, writes FROM calls');
			return new Map(rows.map(([callId = '', writes]) => [callId, Number(writes)]));
		},
		async republish(change) {
			if (change === 'changed') {
				events = events.length > 1 ? ['call.completed'] : ['call.completed', 'call.failed'];
			}
			const nodes = [
				{ ...trigger, parameters: { ...trigger.parameters, events } },
				{ ...crm, notes: crypto.randomUUID() },
			];
			await api.updateWorkflow(workflowId, { nodes });
			await api.publish(workflowId);
		},
		unpublish: () => api.unpublish(workflowId),
		stop: () => started.disposeAsync(),
	};
}
