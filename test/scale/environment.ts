import type { PostgreSql, Server } from './servers';

/** What the processes of a queue mode share. */
export interface Shared {
	postgresql: Pick<PostgreSql, 'port' | 'user' | 'password'>;
	redis: Pick<Server, 'port' | 'password'>;
	/** With which n8n encrypts credentials, and which its sessions' secret comes from. */
	encryptionKey: string;
}

/** The name of n8n's database. */
export const database = 'n8n';

/**
 * The environment that makes processes of n8n one queue mode. `examples/queue-mode/compose.yaml` sets
 * the same variables, which a test compares.
 */
export function queueMode({ postgresql, redis, encryptionKey }: Shared) {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: encryptionKey,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresql.port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: postgresql.user,
		DB_POSTGRESDB_PASSWORD: postgresql.password,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_BULL_REDIS_PASSWORD: redis.password,
		// Webhooks are the webhook processors' alone.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}
