import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8n } from '../../../sandbox/stack/n8n';

/** Reads the database of a running n8n. */
export function readDatabase<T>(n8n: N8n, read: (database: DatabaseSync) => T): T {
	const file = join(dirname(n8n.logFile), '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
	try {
		return read(database);
	} finally {
		database.close();
	}
}
