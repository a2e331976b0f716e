import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8n } from '../../../sandbox/stack/n8n';

/** Reads the database of a running n8n. */
export function readDatabase<T>(n8n: N8n, read: (database: DatabaseSync) => T): T {
	const database = openDatabase(n8n, true);
	try {
		return read(database);
	} finally {
		database.close();
	}
}

/**
 * Makes n8n repeat a migration at its next start, as after an upgrade. The migration deletes a setting
 * that does not exist.
 *
 * @returns a connection. A lock of this connection delays the start of n8n, for at most a second
 */
export function repeatMigration(n8n: N8n): DatabaseSync {
	const database = openDatabase(n8n, false);
	database.exec(`DELETE FROM migrations WHERE name = 'RemoveSkipOwnerSetup1681134145997'`);
	return database;
}

function openDatabase(n8n: N8n, readOnly: boolean): DatabaseSync {
	const file = join(dirname(n8n.logFile), '.n8n', 'database.sqlite');
	return new DatabaseSync(file, { readOnly, timeout: 30_000 });
}
