import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from './until';

/** A started program, with all processes that it started itself. */
interface ProcessGroup {
	readonly pid: number;
	/** Resolves when the program itself has ended: with its exit code, or null after a signal. */
	readonly ended: Promise<number | null>;
	/** Sends a signal to the program alone. */
	readonly signal: (name: NodeJS.Signals) => void;
	/** Ends the program and all processes that it started, at once. */
	readonly kill: () => void;
}

interface StartOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** The file to which the program's output is appended. */
	logFile: string;
}

/** A program that answers requests. */
export interface Server {
	/** The ID of the running process; undefined while no process runs. */
	readonly pid: number | undefined;
	/** Ends it, by force after 20 s. Its data stay. */
	stop(): Promise<void>;
	/** Ends it and all its processes at once, as a crash does. Its data stay. */
	kill(): Promise<void>;
	/** Stops it if it runs, and starts it with the same data at the same address. */
	restart(): Promise<void>;
}

/**
 * Starts a program as the leader of its own process group, so that a Ctrl-C reaches it only through this
 * process. It ends with this process at the latest, however this process ends.
 *
 * @throws an Error if the program can't be started
 */
async function startProcess(
	command: string,
	args: string[],
	{ cwd, env, logFile }: StartOptions,
): Promise<ProcessGroup> {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
	const pid = child.pid as number;
	const group: ProcessGroup = {
		pid,
		ended,
		signal: (name) => void child.kill(name),
		kill() {
			try {
				process.kill(-pid, 'SIGKILL');
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
			}
		},
	};
	const guard = killAfterUs(pid);
	void ended.then(() => guard.kill('SIGKILL'));
	return group;
}

/**
 * Starts a shell that waits for the end of a pipe from this process, then kills a process group. The
 * system closes the pipe even if this process is killed.
 */
function killAfterUs(groupId: number): ChildProcess {
	const script = 'read line; kill -s KILL -- "-$0"';
	const guard = spawn('sh', ['-c', script, String(groupId)], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	guard.unref();
	return guard;
}

/**
 * Starts a program that answers requests.
 *
 * @param isReady whether it answers them now
 * @param stopSignal asks it to end
 * @throws an Error with the end of its log if it does not come up within three minutes
 */
export async function startServer(
	[command = '', ...args]: string[],
	options: StartOptions,
	isReady: () => Promise<boolean>,
	stopSignal: NodeJS.Signals = 'SIGTERM',
	signal?: AbortSignal,
): Promise<Server> {
	const name = basename(options.logFile, '.log');
	let group: ProcessGroup | undefined;
	let alive = false;

	async function start(): Promise<void> {
		const starting = await startProcess(command, args, options);
		group = starting;
		alive = true;
		void starting.ended.then(() => (alive = false));
		try {
			await until(`${name} to be ready`, 180, () => !alive || isReady(), signal);
			if (!alive) throw new Error(`${name} ended while it started`);
		} catch (error) {
			await kill();
			signal?.throwIfAborted();
			throw new Error(`${String(error)}. Its log ends:\n${tail(options.logFile)}`, {
				cause: error,
			});
		}
	}

	async function kill(): Promise<void> {
		group?.kill();
		await group?.ended;
		group = undefined;
	}

	async function stop(): Promise<void> {
		group?.signal(stopSignal);
		const insist = setTimeout(() => group?.kill(), 20_000);
		await group?.ended;
		clearTimeout(insist);
		await kill();
	}

	await start();
	return {
		get pid() {
			return alive ? group?.pid : undefined;
		},
		stop,
		kill,
		async restart() {
			await stop();
			await start();
		},
	};
}

/**
 * Runs a program to its end.
 *
 * @throws an Error with the end of its output if it fails; the reason of `signal` if that ended it
 */
export async function run(
	command: string,
	args: string[],
	options: StartOptions,
	signal?: AbortSignal,
): Promise<void> {
	signal?.throwIfAborted();
	const group = await startProcess(command, args, options);
	signal?.addEventListener('abort', group.kill);
	const code = await group.ended;
	signal?.removeEventListener('abort', group.kill);
	signal?.throwIfAborted();
	if (code !== 0) {
		throw new Error(`\`${command} ${args.join(' ')}\` failed:\n${tail(options.logFile)}`);
	}
}

/** @returns the last 30 lines of a log */
export function tail(logFile: string): string {
	if (!existsSync(logFile)) return '';
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-30).join('\n');
}
