import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { compileOnSave } from './compile';
import type { Stack } from './stack';

/** Environment variables with which n8n reloads a package after each change of its files, and logs errors. */
export const hotReload = { N8N_DEV_RELOAD: 'true', N8N_LOG_FORMAT: 'json' };

export interface WatchOptions extends Pick<Stack, 'n8n' | 'connectorFolder'> {
	/** The folder of `nodes`, `credentials`, `tsconfig.json` and `node_modules`. */
	source: string;
	/** Gets a text for each save, and for each reload that failed. */
	print: (text: string) => void;
	/** Stops watching. */
	signal: AbortSignal;
}

/**
 * Compiles or copies each saved source file into the package that n8n has loaded, so that n8n reloads
 * the package. If a save does not compile, n8n keeps the last successful build.
 *
 * @param options `n8n` has to run with {@link hotReload}
 */
export function watchConnector({
	n8n,
	connectorFolder,
	source,
	print,
	signal,
}: WatchOptions): void {
	const dist = join(connectorFolder, 'dist');
	const printSaved = (files: string[]) => {
		const names = files.map((file) => relative(source, file)).join(', ');
		print(`✔ ${names}: n8n reloads the nodes`);
	};

	let isFirst = true;
	const compiler = compileOnSave(source, dist, (files, errors) => {
		if (errors) print(`✖ n8n keeps the last build without an error:\n${errors}`);
		else if (!isFirst && files.length > 0) printSaved(files);
		isFirst = false;
	});
	signal.addEventListener('abort', () => compiler.close());

	// Not one recursive watch: on Linux, Node.js loses a file that an editor replaces.
	for (const folder of ['nodes', 'credentials'].flatMap((name) => foldersIn(join(source, name)))) {
		watch(folder, { signal }, (_event, name) => {
			const file = join(folder, name ?? '');
			if (!/\.(svg|json)$/.test(file) || !existsSync(file)) return;
			copyFileSync(file, join(dist, relative(source, file)));
			printSaved([file]);
		});
	}
	watchLog(n8n.logFile, print, signal);
}

/** Prints each failed reload, which n8n logs. */
function watchLog(logFile: string, print: (text: string) => void, signal: AbortSignal): void {
	let { size: read } = statSync(logFile);
	watch(logFile, { signal }, () => {
		const log = readFileSync(logFile);
		const lines = log.subarray(read).toString().split('\n');
		read = log.length;
		for (const line of lines.filter((each) => each.includes('Hot reload failed'))) {
			type Logged = { metadata?: { error?: { stack?: string } } };
			const { metadata } = JSON.parse(line) as Logged;
			print(`✖ n8n has no node until the next save. ${metadata?.error?.stack ?? line}`);
		}
	});
}

/** A folder, and all folders in it. */
function foldersIn(folder: string): string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory());
	return [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))];
}
