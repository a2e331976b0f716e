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

/** The time to load, beside each peer. */
const loadGoals: Record<string, Goal> = { "n8n's GitHub pair": atMost(1), Firecrawl: atMost(1.3) };

/** Nodes and credentials, as n8n loads them. */
interface Loaded {
	folder: string;
	/** What n8n requires of it. */
	files: string[];
	/** What of it is packed. */
	packed: string[];
}

/**
 * Measures what it takes to load nodes and credentials in a fresh process that has n8n-workflow
 * loaded already, as n8n has, and how large their files are.
 */
export async function measureLoading(rounds: number): Promise<Section> {
	const n8n = join(await installN8n('2.41'), 'node_modules');
	const base = join(n8n, 'n8n-nodes-base');
	// A copy, since what is required from the checkout finds the checkout's own n8n-workflow.
	await using ending = new AsyncDisposableStack();
	const copy = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	ending.defer(() => rm(copy, { recursive: true }));
	for (const path of ['package.json', 'README.md', 'LICENSE.md', 'dist']) {
		await cp(join(root, path), join(copy, path), { recursive: true });
	}
	const peers: Record<string, Loaded> = {
		ours: await packageAt(copy, 'dist'),
		"n8n's GitHub pair": {
			folder: base,
			files: [
				'dist/nodes/Github/Github.node.js',
				'dist/nodes/Github/GithubTrigger.node.js',
				'dist/credentials/GithubApi.credentials.js',
			],
			packed: [
				...(await filesIn(base, 'dist/nodes/Github')),
				'dist/credentials/GithubApi.credentials.js',
			],
		},
	};
	const firecrawl = await fetchFirecrawl();
	if (firecrawl) peers['Firecrawl'] = await packageAt(firecrawl, 'dist');

	const timers = Object.fromEntries(
		Object.entries(peers).map(([name, loaded]) => [name, () => requireMs(loaded, n8n)] as const),
	);
	const { ours = [], ...others } = await inTurns(rounds, timers);
	const sizes = new Map(
		await Promise.all(
			Object.entries(peers).map(async ([name, loaded]) => [name, await kBOf(loaded)] as const),
		),
	);
	const own = sizes.get('ours');
	const comparisons = Object.entries(others).flatMap(([beside, other]): Comparison[] => {
		const size = sizes.get(beside);
		return [
			{ what: 'require', beside, unit: 'ms', ours, other, goal: loadGoals[beside] },
			{
				...{ what: 'packed', beside, unit: 'kB', goal: beside === 'Firecrawl' ? below : undefined },
				...{ ours: [own?.packed ?? NaN], other: [size?.packed ?? NaN] },
			},
			{
				...{ what: 'unpacked', beside, unit: 'kB', goal: below },
				...{ ours: [own?.unpacked ?? NaN], other: [size?.unpacked ?? NaN] },
			},
		];
	});
	return { name: 'loading', title: 'Loading the package', comparisons };
}

/** What a package's own manifest says of it. */
async function packageAt(folder: string, files: string): Promise<Loaded> {
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const { nodes, credentials } = manifest.n8n;
	const texts = ['package.json', 'README.md', 'LICENSE.md'].filter((file) =>
		existsSync(join(folder, file)),
	);
	return {
		folder,
		files: [...nodes, ...credentials],
		packed: [...texts, ...(await filesIn(folder, files))],
	};
}

/** The files below a folder, as they are published. */
async function filesIn(base: string, folder: string): Promise<string[]> {
	const entries = await readdir(join(base, folder), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(base, join(entry.parentPath, entry.name)))
		.toSorted();
}

/** @returns how many ms a fresh process takes to load the files */
function requireMs({ folder, files }: Loaded, n8n: string): number {
	const script = `
		require('n8n-workflow');
		const started = performance.now();
		for (const file of process.argv.slice(1)) require(file);
		console.log(performance.now() - started);`;
	const paths = files.map((file) => join(folder, file));
	// What n8n brings is found there, and not in our own folder.
	const env = { PATH: process.env.PATH, NODE_PATH: n8n };
	const options = { env, cwd: tmpdir(), encoding: 'utf8' } as const;
	const { stdout, stderr } = spawnSync(node, ['-e', script, ...paths], options);
	const ms = Number(stdout);
	if (stdout === '' || Number.isNaN(ms)) throw new Error(`${folder} can't be loaded: ${stderr}`);
	return ms;
}

/** Sizes as an archive of these files has them, and the files themselves (kB). */
async function kBOf({ folder, packed }: Loaded): Promise<{ packed: number; unpacked: number }> {
	const { stdout } = spawnSync('tar', ['-C', folder, '-czf', '-', ...packed]);
	const sizes = await Promise.all(
		packed.map(async (file) => (await stat(join(folder, file))).size),
	);
	return {
		packed: stdout.length / 1000,
		unpacked: sizes.reduce((sum, size) => sum + size, 0) / 1000,
	};
}

/** Gets the other package once, into the cache folder; says so where the registry lacks it. */
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
		console.log(`✖ ${FIRECRAWL} is left out, for it can't be had here: ${stderr.trim()}`);
		await rm(partial, { recursive: true, force: true });
		return undefined;
	}
	await rename(partial, folder);
	return join(folder, 'package');
}
