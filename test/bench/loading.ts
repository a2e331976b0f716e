import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installN8n } from '../../sandbox/stack/install-n8n';
import { atMost, below, type Comparison, type Goal, inTurns } from './measure';
import type { Section } from './report';

const root = join(__dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', 'node');
const FIRECRAWL = '@mendable/n8n-nodes-firecrawl@2.1.2';

const loadGoals: Record<string, Goal> = { "n8n's GitHub pair": atMost(1), Firecrawl: atMost(1.3) };

/** The paths are relative to the folder. */
interface Package {
	folder: string;
	/** The nodes and credentials, which n8n loads. */
	entryFiles: string[];
	/** The published files. */
	packedFiles: string[];
}

/**
 * Measures the time to load nodes and credentials in a new process that has loaded n8n-workflow
 * before, as n8n has, and the size of the published files.
 */
export async function measureLoading(rounds: number): Promise<Section> {
	const n8n = join(await installN8n('2.41'), 'node_modules');
	const base = join(n8n, 'n8n-nodes-base');
	// Files in the checkout would load the checkout's n8n-workflow.
	await using ending = new AsyncDisposableStack();
	const copy = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	ending.defer(() => rm(copy, { recursive: true }));
	for (const path of ['package.json', 'README.md', 'LICENSE.md', 'dist']) {
		await cp(join(root, path), join(copy, path), { recursive: true });
	}
	const peers: Record<string, Package> = {
		ours: await packageAt(copy),
		"n8n's GitHub pair": {
			folder: base,
			entryFiles: [
				'dist/nodes/Github/Github.node.js',
				'dist/nodes/Github/GithubTrigger.node.js',
				'dist/credentials/GithubApi.credentials.js',
			],
			packedFiles: [
				...(await filesIn(base, 'dist/nodes/Github')),
				'dist/credentials/GithubApi.credentials.js',
			],
		},
	};
	const firecrawl = await fetchFirecrawl();
	if (firecrawl) peers['Firecrawl'] = await packageAt(firecrawl);

	const timers = Object.fromEntries(
		Object.entries(peers).map(([name, peer]) => [name, () => requireMs(peer, n8n)] as const),
	);
	const { ours = [], ...baselines } = await inTurns(rounds, timers);
	const sizes = new Map(
		await Promise.all(
			Object.entries(peers).map(async ([name, peer]) => [name, await kilobytesOf(peer)] as const),
		),
	);
	const comparisons = Object.entries(baselines).flatMap(([baseline, baselineValues]) => {
		const compareSize = (name: 'packed' | 'unpacked', goal?: Goal): Comparison => ({
			...{ name, baseline, unit: 'kB', goal },
			ours: [sizes.get('ours')?.[name] ?? NaN],
			baselineValues: [sizes.get(baseline)?.[name] ?? NaN],
		});
		return [
			{ name: 'require', baseline, unit: 'ms', ours, baselineValues, goal: loadGoals[baseline] },
			compareSize('packed', baseline === 'Firecrawl' ? below : undefined),
			compareSize('unpacked', below),
		];
	});
	return { name: 'loading', title: 'Loading the package', comparisons };
}

/** Reads a package's manifest. The published files are all below `dist`, and the usual texts. */
async function packageAt(folder: string): Promise<Package> {
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const { nodes, credentials } = manifest.n8n;
	const texts = ['package.json', 'README.md', 'LICENSE.md'].filter((file) =>
		existsSync(join(folder, file)),
	);
	return {
		folder,
		entryFiles: [...nodes, ...credentials],
		packedFiles: [...texts, ...(await filesIn(folder, 'dist'))],
	};
}

/** @returns the files below a folder, relative to `base` */
async function filesIn(base: string, folder: string): Promise<string[]> {
	const entries = await readdir(join(base, folder), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(base, join(entry.parentPath, entry.name)))
		.toSorted();
}

/** @returns the time in which a new process loads the entry files (ms) */
function requireMs({ folder, entryFiles }: Package, n8n: string): number {
	const script = `
		require('n8n-workflow');
		const started = performance.now();
		for (const file of process.argv.slice(1)) require(file);
		console.log(performance.now() - started);`;
	const paths = entryFiles.map((file) => join(folder, file));
	// Dependencies come from n8n, not from the checkout.
	const env = { PATH: process.env.PATH, NODE_PATH: n8n };
	const options = { env, cwd: tmpdir(), encoding: 'utf8' } as const;
	const { stdout, stderr } = spawnSync(node, ['-e', script, ...paths], options);
	const ms = Number(stdout);
	if (stdout === '' || Number.isNaN(ms)) throw new Error(`${folder} can't be loaded: ${stderr}`);
	return ms;
}

/** @returns the size of the published files as an archive and without compression (kB) */
async function kilobytesOf({ folder, packedFiles }: Package) {
	const { stdout } = spawnSync('tar', ['-C', folder, '-czf', '-', ...packedFiles]);
	const sizes = await Promise.all(
		packedFiles.map(async (file) => (await stat(join(folder, file))).size),
	);
	return {
		packed: stdout.length / 1000,
		unpacked: sizes.reduce((sum, size) => sum + size, 0) / 1000,
	};
}

/** @returns the package's folder in the cache, or undefined if the package can't be downloaded */
async function fetchFirecrawl(): Promise<string | undefined> {
	const cache = join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-voice-agent',
	);
	const folder = join(cache, `bench-${FIRECRAWL.replaceAll(/\W+/g, '-')}`);
	if (existsSync(folder)) return join(folder, 'package');
	const partial = `${folder}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial, { recursive: true });
	const script = 'npm pack --silent "$0" && tar -xzf *.tgz';
	const { status, stderr } = spawnSync('sh', ['-c', script, FIRECRAWL], {
		cwd: partial,
		encoding: 'utf8',
	});
	if (status !== 0) {
		console.log(
			`✖ ${FIRECRAWL} is not measured, because it can't be downloaded: ${stderr.trim()}`,
		);
		await rm(partial, { recursive: true, force: true });
		return undefined;
	}
	await rename(partial, folder);
	return join(folder, 'package');
}
