import { type Sandbox, startSandbox } from '../../sandbox/service';
import { chain, nodeOf, triggerNode } from '../support/triggerNode';
import type { Cluster } from './cluster';

/** When n8n acknowledges a delivery: once it has queued the run, or once that has finished. */
export type Acknowledge = 'received' | 'finished';

/** A published trigger with a CRM of its own behind it, and a service of its own before it. */
export interface Publication {
	readonly sandbox: Sandbox;
	readonly workflowId: string;
	/** How often each call was written into the CRM, by the calls' ids. */
	written(): Promise<Map<string, number>>;
	/** Saves and publishes the workflow: with other events, or with the trigger as it was. */
	republish(change: 'changed' | 'unchanged'): Promise<void>;
	unpublish(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Publishes a workflow that keeps calls in a table of PostgreSQL, with n8n's node for it, by the
 * calls' ids. The table counts the writes of each.
 *
 * @param name of the CRM's database, in small letters; there must be none of that name yet
 */
export async function publish(
	{ main: { api }, postgresql, ca }: Cluster,
	name: string,
	acknowledge: Acknowledge,
): Promise<Publication> {
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
	// The service tries again for two minutes or so.
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
		async written() {
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
