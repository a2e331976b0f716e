import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../sandbox/stack/ports';
import { run, startServer } from '../../sandbox/stack/processes';
import { isFulfilled } from '../../sandbox/stack/until';
import { changeOwner, type Programs } from './programs';

/** A server on 127.0.0.1. */
export type Redis = Awaited<ReturnType<typeof startRedis>>;
export type PostgreSql = Awaited<ReturnType<typeof startPostgreSql>>;

const execute = promisify(execFile);

/**
 * Starts PostgreSQL with its default settings for durability, and without databases.
 *
 * @param running stops it, and removes its data
 */
export async function startPostgreSql(programs: Programs, running: AsyncDisposableStack) {
	const setup = await prepareServer('postgresql', running);
	const user = 'n8n';
	const data = join(setup.folder, 'data');
	const passwordFile = join(setup.folder, 'password');
	await writeFile(passwordFile, setup.password);
	const [program = '', ...args] = [
		...setup.asUser,
		...[programs.initdb, '-D', data, '-U', user, `--pwfile=${passwordFile}`],
		...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
	];
	await run(program, args, setup.options);

	/** Runs SQL. @returns the rows, each with its columns as text */
	const query = async (database: string, sql: string) => {
		const { stdout } = await execute(
			programs.psql,
			[
				...['--host=127.0.0.1', `--port=${setup.port}`, `--username=${user}`],
				...[`--dbname=${database}`, '--no-psqlrc', '--quiet', '--tuples-only', '--no-align'],
				...['--field-separator=\t', '--set=ON_ERROR_STOP=1', `--command=${sql}`],
			],
			{ env: { ...process.env, PGPASSWORD: setup.password }, maxBuffer: 2 ** 26 },
		);
		const lines = stdout.split('\n').filter(Boolean);
		return lines.map((line) => line.split('\t'));
	};
	const command = [
		...[...setup.asUser, programs.postgres, '-D', data, '-c', 'listen_addresses=127.0.0.1'],
		...['-c', `port=${setup.port}`, '-c', 'unix_socket_directories='],
		...['-c', 'max_connections=200'],
	];
	// PostgreSQL's "fast" shutdown disconnects the clients.
	const isReady = () => isFulfilled(query('postgres', 'SELECT 1'));
	const server = await startServer(command, setup.options, isReady, 'SIGINT');
	running.defer(() => server.stop());
	return Object.assign(server, { port: setup.port, password: setup.password, user, query });
}

/**
 * Starts an empty Redis that keeps its data over a restart.
 *
 * @param running stops it, and removes its data
 */
export async function startRedis(programs: Programs, running: AsyncDisposableStack) {
	const { port, folder, password, asUser, options } = await prepareServer('redis', running);
	const command = [
		...[...asUser, programs['redis-server'], '--bind', '127.0.0.1', '--port', String(port)],
		...['--dir', folder, '--requirepass', password, '--appendonly', 'yes'],
	];
	const ping = ['-h', '127.0.0.1', '-p', String(port), 'PING'];
	const env = { ...process.env, REDISCLI_AUTH: password };
	// Without the password, redis-cli succeeds with an error as output.
	const isReady = () => isFulfilled(execute(programs['redis-cli'], ['-e', ...ping], { env }));
	const server = await startServer(command, options, isReady);
	running.defer(() => server.stop());
	return Object.assign(server, { port, password });
}

/** @returns what a server needs to be started */
async function prepareServer(name: string, running: AsyncDisposableStack) {
	const folder = await mkdtemp(join(tmpdir(), `voice-agent-${name}-`));
	running.defer(() => rm(folder, { recursive: true, force: true }));
	const logFile = join(folder, `${name}.log`);
	return {
		...{ folder, port: await freePort() },
		password: randomBytes(24).toString('base64url'),
		/** The prefix that runs a command as the folder's owner. */
		asUser: await changeOwner(folder),
		options: { cwd: folder, env: { PATH: process.env.PATH }, logFile },
	};
}
