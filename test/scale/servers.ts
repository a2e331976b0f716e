import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../sandbox/stack/ports';
import { type ProcessGroup, run, startProcess, tail } from '../../sandbox/stack/processes';
import { until } from '../../sandbox/stack/until';
import { giveAway, type Programs } from './programs';

/** A server of ours on 127.0.0.1, with a data folder of its own. */
export interface Server {
	readonly port: number;
	readonly password: string;
	readonly pid: number | undefined;
	/** Ends it in good order, and starts it again with the same data at the same port. */
	restart(): Promise<void>;
	/** Ends it, and removes its data. */
	stop(): Promise<void>;
}

export interface PostgreSql extends Server {
	readonly user: string;
	/** Runs SQL, and gives the rows: each the list of its columns, as text. */
	query(database: string, sql: string): Promise<string[][]>;
}

const execute = promisify(execFile);

/** Starts a PostgreSQL without a database of ours; it waits for the disk, as it does by default. */
export async function startPostgreSql(programs: Programs): Promise<PostgreSql> {
	const place = await makePlace('postgresql');
	const user = 'n8n';
	const data = join(place.folder, 'data');
	const passwordFile = join(place.folder, 'password');
	await writeFile(passwordFile, place.password);
	const [program = '', ...args] = [
		...place.asUser,
		...[programs.initdb, '-D', data, '-U', user, `--pwfile=${passwordFile}`],
		...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
	];
	await run(program, args, place.options);

	const query = async (database: string, sql: string) => {
		const { stdout } = await execute(
			programs.psql,
			[
				...['--host=127.0.0.1', `--port=${place.port}`, `--username=${user}`],
				...[`--dbname=${database}`, '--no-psqlrc', '--quiet', '--tuples-only', '--no-align'],
				...['--field-separator=\t', '--set=ON_ERROR_STOP=1', `--command=${sql}`],
			],
			{ env: { ...process.env, PGPASSWORD: place.password }, maxBuffer: 2 ** 26 },
		);
		const lines = stdout.split('\n').filter(Boolean);
		return lines.map((line) => line.split('\t'));
	};
	const server = await startServer(place, {
		command: [
			...[programs.postgres, '-D', data, '-c', 'listen_addresses=127.0.0.1'],
			...[
				'-c',
				`port=${place.port}`,
				'-c',
				'unix_socket_directories=',
				'-c',
				'max_connections=200',
			],
		],
		// Its "fast" shutdown, which does not wait for its clients to leave.
		endWith: 'SIGINT',
		ask: () => query('postgres', 'SELECT 1'),
	});
	return Object.assign(server, { user, query });
}

/** Starts an empty Redis that keeps over a restart what it holds. */
export async function startRedis(programs: Programs): Promise<Server> {
	const place = await makePlace('redis');
	const configuration = join(place.folder, 'redis.conf');
	await writeFile(
		configuration,
		[
			'bind 127.0.0.1',
			`port ${place.port}`,
			`dir ${place.folder}`,
			`requirepass ${place.password}`,
			'appendonly yes',
		].join('\n'),
	);
	const args = ['-h', '127.0.0.1', '-p', String(place.port), 'PING'];
	const env = { ...process.env, REDISCLI_AUTH: place.password };
	return await startServer(place, {
		command: [programs['redis-server'], configuration],
		endWith: 'SIGTERM',
		async ask() {
			const { stdout } = await execute(programs['redis-cli'], args, { env });
			if (stdout.trim() !== 'PONG') throw new Error(stdout);
		},
	});
}

/** Where a server is to be. */
interface Place {
	name: string;
	folder: string;
	port: number;
	password: string;
	/** What makes a command run as the user whose folder it is. */
	asUser: string[];
	options: { cwd: string; env: NodeJS.ProcessEnv; logFile: string };
}

async function makePlace(name: string): Promise<Place> {
	const folder = await mkdtemp(join(tmpdir(), `voice-agent-${name}-`));
	const options = {
		cwd: folder,
		env: { PATH: process.env.PATH },
		logFile: join(folder, `${name}.log`),
	};
	const password = randomBytes(24).toString('base64url');
	return {
		name,
		folder,
		port: await freePort(),
		password,
		asUser: await giveAway(folder),
		options,
	};
}

async function startServer(
	{ name, folder, port, password, asUser, options }: Place,
	how: { command: string[]; endWith: NodeJS.Signals; ask: () => Promise<unknown> },
): Promise<Server> {
	const [program = '', ...args] = [...asUser, ...how.command];
	let group: ProcessGroup | undefined;

	async function start(): Promise<void> {
		const starting = await startProcess(program, args, options);
		group = starting;
		let alive = true;
		void starting.ended.then(() => (alive = false));
		const answers = () =>
			how.ask().then(
				() => true,
				() => false,
			);
		await until(`${name} to answer`, 60, async () => !alive || (await answers()));
		if (!alive) throw new Error(`${name} ended while it started:\n${tail(options.logFile)}`);
	}

	async function end(): Promise<void> {
		group?.signal(how.endWith);
		const insist = setTimeout(() => group?.kill(), 20_000);
		await group?.ended;
		clearTimeout(insist);
		group = undefined;
	}

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
		port,
		password,
		get pid() {
			return group?.pid;
		},
		async restart() {
			await end();
			await start();
		},
		stop,
	};
}
