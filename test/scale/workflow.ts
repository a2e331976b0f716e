import { type CrmWorkflow, publishCrmWorkflow } from '../reliability/workflow';
import { nodeOf } from '../support/n8n/triggerNode';
import type { Cluster } from './cluster';

/** n8n acknowledges a delivery when the execution is queued, or when the execution has finished. */
export type Acknowledge = 'received' | 'finished';

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
): Promise<CrmWorkflow> {
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
	const database = { host: '127.0.0.1', port, database: name, user, password };
	const connecting = { ...database, ssl: 'disable', maxConnections: 5 };
	const node = nodeOf('CRM', 'n8n-nodes-base.postgres', {
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
		credentials: await api.newCredentials('postgres', connecting),
	});
	const crm = {
		node,
		async countWrites() {
			const rows = await postgresql.query(name, 'SELECT call_id, writes FROM calls');
			return new Map(rows.map(([callId = '', writes]) => [callId, Number(writes)]));
		},
		// It ends with PostgreSQL.
		[Symbol.asyncDispose]: () => Promise.resolve(),
	};
	// The service retries a delivery for about two minutes.
	const service = { dialect: { retrySchedule: 'backoff' }, retryScale: 0.25, ca } as const;
	return await publishCrmWorkflow(api, crm, service, { options: { acknowledge } });
}
