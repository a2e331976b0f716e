import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

/** A started program, with all processes that it started itself. */
export interface ProcessGroup {
	readonly pid: number;
	/** Resolves when the program itself has ended: with its exit code, or null after a signal. */
	readonly ended: Promise<number | null>;
	/** Sends a signal to the program alone. */
	readonly signal: (name: NodeJS.Signals) => void;
	/** Ends the program and all processes that it started, at once. */
	readonly kill: () => void;
}

export interface StartOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** The file to which the program's output is appended. */
	logFile: string;
}

/**
 * Starts a program as the leader of its own process group, so that a Ctrl-C reaches it only through this
 * process. It ends with this process at the latest, however this process ends.
 *
 * @throws an Error if the program can't be started
 */
export async function startProcess(
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
