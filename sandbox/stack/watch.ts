import {
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	watch,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { CodexData } from 'n8n-workflow';
import { compileOnSave } from './compile';
import type { Stack } from './stack';
import { until } from './until';

/** Environment variables with which n8n reloads a package after each change of its files, and logs errors. */
export const hotReload = { N8N_DEV_RELOAD: 'true', N8N_LOG_FORMAT: 'json' };

/** The codex file that has the time of the build. Its node is the last that n8n loads. */
const stamped = {
	file: join('nodes', 'VoiceAgent', 'VoiceAgentTrigger.node.json'),
	node: { name: 'n8n-nodes-voice-agent.voiceAgentTrigger', version: 1.1 },
};
/** Editors may save a file in several writes. */
const SETTLE_MS = 100;
/** A stamp is repeated, because n8n begins to watch shortly after it is ready. */
const POLLS_PER_STAMP = 50;

export interface WatchOptions extends Pick<Stack, 'n8n' | 'connectorFolder'> {
	/** The folder of `nodes`, `credentials`, `tsconfig.json` and `node_modules`. */
	source: string;
	/** Gets a text for each save. */
	print: (text: string) => void;
	/** Stops watching. */
	signal: AbortSignal;
}

/**
 * Copies each saved source file into the package that n8n has loaded, so that n8n reloads it. If a save
 * does not compile, n8n keeps the last successful build.
 *
 * Each build adds the time to the aliases in a node's codex file, which n8n reads together with the
 * code. n8n runs a build as soon as its API returns the time of that build.
 *
 * @param options `n8n` has to run with {@link hotReload}
 * @returns once n8n has made a first reload
 * @throws an Error if n8n can't load the connector, or does not reload it within a minute
 */
export async function watchConnector({
	n8n,
	connectorFolder,
	source,
	print,
	signal,
}: WatchOptions): Promise<void> {
	const dist = join(connectorFolder, 'dist');

	/** Not asynchronous: n8n reloads once for all that is written at once. */
	function stamp(): void {
		const codex = JSON.parse(readFileSync(join(source, stamped.file), 'utf8')) as CodexData;
		const alias = [...(codex.alias ?? []), new Date().toISOString()];
		writeFileSync(join(dist, stamped.file), JSON.stringify({ ...codex, alias }));
	}

	/** The last stamp that n8n has loaded. Without one, or while n8n can't load the node: ''. */
	async function loadedStamp(): Promise<string> {
		type Described = { codex?: CodexData };
		const query = { nodeInfos: [stamped.node] };
		const described = await n8n.api
			.request<Described[]>('POST', '/node-types', query)
			.catch(() => []);
		return described[0]?.codex?.alias?.at(-1) ?? '';
	}

	async function reload(): Promise<void> {
		const started = new Date().toISOString();
		const { size } = statSync(n8n.logFile);
		let polls = 0;
		const isLoaded = async () => {
			if (polls++ % POLLS_PER_STAMP === 0) stamp();
			const isDone = (await loadedStamp()) >= started;
			const failure = reloadError(n8n.logFile, size);
			if (failure) throw new Error(`n8n has no node until the next save. ${failure}`);
			return isDone;
		};
		await until(`n8n to reload the connector (see ${n8n.logFile})`, 60, isLoaded, signal);
	}

	/** Makes n8n load the saved files of the package, and prints how long it took. */
	async function load(files: string[]): Promise<void> {
		if (files.length === 0) return;
		const names = files.map((file) => relative(source, file)).join(', ');
		try {
			const savedAt = Math.max(...files.map((file) => statSync(file).ctimeMs));
			await reload();
			const seconds = ((Date.now() - savedAt) / 1000).toFixed(1);
			print(`✔ ${names}: in n8n ${seconds} s after the save, by hot reload`);
		} catch (error) {
			if (!signal.aborted) print(`✖ ${names}: ${(error as Error).message}`);
		}
	}

	let isFirst = true;
	const compiler = compileOnSave(source, dist, (files, errors) => {
		if (errors) print(`✖ n8n keeps the last build without an error:\n${errors}`);
		else if (!isFirst) void load(files);
		isFirst = false;
	});
	signal.addEventListener('abort', () => compiler.close());

	const assets = new Set<string>();
	let settling: NodeJS.Timeout | undefined;
	function copyAssets(): void {
		const files = [...assets].filter((file) => existsSync(file));
		assets.clear();
		for (const file of files) copyFileSync(file, join(dist, relative(source, file)));
		void load(files);
	}
	// Not one recursive watch: on Linux, Node.js loses a file that an editor replaces.
	for (const folder of ['nodes', 'credentials'].flatMap((name) => foldersIn(join(source, name)))) {
		watch(folder, { signal }, (_event, name) => {
			if (!name || !/\.(svg|json)$/.test(name)) return;
			assets.add(join(folder, name));
			clearTimeout(settling);
			settling = setTimeout(copyAssets, SETTLE_MS);
		});
	}
	await reload();
}

/**
 * Finds in n8n's log why n8n could not load a package.
 *
 * @param start how many bytes of the log to skip
 * @returns the stack of the error, or undefined
 */
function reloadError(logFile: string, start: number): string | undefined {
	const lines = readFileSync(logFile).subarray(start).toString().split('\n');
	const line = lines.findLast((each) => each.includes('Hot reload failed'));
	type Logged = { metadata?: { error?: { stack?: string } } };
	return line && ((JSON.parse(line) as Logged).metadata?.error?.stack ?? line);
}

/** A folder, and all folders in it. */
function foldersIn(folder: string): string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory());
	return [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))];
}
