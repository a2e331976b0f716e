import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../sandbox/stack/ports';
import { type ProcessGroup, run, startProcess, tail } from '../../sandbox/stack/processes';
import { isFulfilled, until } from '../../sandbox/stack/until';
import { changeOwner, type Programs } from './programs';

/** A server on 127.0.0.1 with a temporary data folder. */
export type Server = Awaited<ReturnType<typeof startServer>>;
export type PostgreSql = Awaited<ReturnType<typeof startPostgreSql>>;

type Setup = Awaited<ReturnType<typeof prepareServer>>;

const execute = promisify(execFile);

/** Starts PostgreSQL with its default settings for durability, and without databases. */
export async function startPostgreSql(programs: Programs) {
	const setup = await prepareServer('postgresql');
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
		...[programs.postgres, '-D', data, '-c', 'listen_addresses=127.0.0.1'],
		...['-c', `port=${setup.port}`, '-c', 'unix_socket_directories='],
		...['-c', 'max_connections=200'],
	];
	// PostgreSQL's "fast" shutdown disconnects the clients.
	const server = await startServer(setup, command, 'SIGINT', () => query('postgres', 'SELECT 1'));
	return Object.assign(server, { user, query });
}

/** Starts an empty Redis that keeps its data over a restart. */
export async function startRedis(programs: Programs): Promise<Server> {
	const setup = await prepareServer('redis');
	const { port, folder, password } = setup;
	const command = [
		...[programs['redis-server'], '--bind', '127.0.0.1', '--port', String(port)],
		...['--dir', folder, '--requirepass', password, '--appendonly', 'yes'],
	];
	const ping = ['-h', '127.0.0.1', '-p', String(port), 'PING'];
	const env = { ...process.env, REDISCLI_AUTH: password };
	return await startServer(setup, command, 'SIGTERM', async () => {
		const { stdout } = await execute(programs['redis-cli'], ping, { env });
		if (stdout.trim() !== 'PONG') throw new Error(stdout);
	});
}

/** @returns what a server needs to be started */
async function prepareServer(name: string) {
	const folder = await mkdtemp(join(tmpdir(), `voice-agent-${name}-`));
	const logFile = join(folder, `${name}.log`);
	return {
		...{ name, folder, port: await freePort() },
		password: randomBytes(24).toString('base64url'),
		/** The prefix that runs a command as the folder's owner. */
		asUser: await changeOwner(folder),
		options: { cwd: folder, env: { PATH: process.env.PATH }, logFile },
	};
}

/** @param ping fails until the server answers */
async function startServer(
	{ name, folder, port, password, asUser, options }: Setup,
	command: string[],
	stopSignal: NodeJS.Signals,
	ping: () => Promise<unknown>,
) {
	const [program = '', ...args] = [...asUser, ...command];
	let group: ProcessGroup | undefined;

	async function start(): Promise<void> {
		const starting = await startProcess(program, args, options);
		group = starting;
		let isRunning = true;
		void starting.ended.then(() => (isRunning = false));
		await until(`${name} to answer`, 60, async () => !isRunning || (await isFulfilled(ping())));
		if (!isRunning) throw new Error(`${name} ended while it started:\n${tail(options.logFile)}`);
	}

	async function end(): Promise<void> {
		group?.signal(stopSignal);
		const killTimer = setTimeout(() => group?.kill(), 20_000);
		await group?.ended;
		clearTimeout(killTimer);
		group = undefined;
	}

	/** Shuts the server down, and removes its data. */
	async function stop(): Promise<void> {
		await end();
		await rm(folder, { recursive: true, force: true });
	}

	try {
		await start();
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		...{ port, password, stop },
		/** Shuts the server down, and starts it with the same data at the same port. */
		async restart() {
			await end();
			await start();
		},
	};
}
