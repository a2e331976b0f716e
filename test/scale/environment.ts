import type { PostgreSql, Redis } from './servers';

/** The servers and the key that all processes of n8n's queue mode share. */
export interface Shared {
	postgresql: Pick<PostgreSql, 'port' | 'user' | 'password'>;
	redis: Pick<Redis, 'port' | 'password'>;
	/** `N8N_ENCRYPTION_KEY`. */
	encryptionKey: string;
}

/** The name of n8n's database. */
export const database = 'n8n';

/** The environment of each process in queue mode. A unit test compares it with `examples/queue-mode`. */
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
		// n8n 3.0 does so in any case.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// Only webhook processors receive deliveries.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	};
}
