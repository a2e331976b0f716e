import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installN8n } from '../../sandbox/stack/install-n8n';
import { run } from '../../sandbox/stack/processes';
import { atMost, type Comparison, inTurns, mapped } from './measure';
import type { Section } from './report';

const root = join(__dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', 'node');

interface Package {
	/** The folder that has only the published files. */
	folder: string;
	/** The paths of the nodes and credentials, which n8n loads. */
	entryFiles: string[];
}

/**
 * Measures the time to load nodes and credentials in a new process that has loaded n8n-workflow
 * before, as n8n has, and the size of the published files.
 */
export async function measureLoading(rounds: number): Promise<Section> {
	const n8n = join(await installN8n('2.41'), 'node_modules');
	await using ending = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	ending.defer(() => rm(folder, { recursive: true }));
	const ours = await copyOurs(folder);
	const peers: Record<string, Package> = {
		"n8n's GitHub pair": githubIn(join(n8n, 'n8n-nodes-base', 'dist')),
		Firecrawl: await downloadFirecrawl(folder),
	};
	const timers = mapped({ ours, ...peers }, (each) => () => requireMs(each, n8n));
	const times: Record<string, number[]> = await inTurns(rounds, timers);
	const sizes = await kilobytesOf(ours);
	const comparisons: Comparison[] = [];
	for (const [baseline, peer] of Object.entries(peers)) {
		const peerSizes = await kilobytesOf(peer);
		const isPair = baseline !== 'Firecrawl';
		comparisons.push({
			...{ name: 'require', baseline, unit: 'ms', goal: atMost(isPair ? 1 : 1.3) },
			...{ ours: times.ours ?? [], baselineValues: times[baseline] ?? [] },
		});
		// The pair is a part of a package, so it has no packed size.
		for (const name of isPair ? (['unpacked'] as const) : (['packed', 'unpacked'] as const)) {
			comparisons.push({
				...{ name, baseline, unit: 'kB', goal: atMost(1) },
				...{ ours: [sizes[name]], baselineValues: [peerSizes[name]] },
			});
		}
	}
	return { name: 'loading', comparisons };
}

/** Copies the built package, because files in the checkout would load the checkout's n8n-workflow. */
async function copyOurs(folder: string): Promise<Package> {
	const copy = join(folder, 'ours');
	for (const path of ['package.json', 'README.md', 'LICENSE.md', 'dist']) {
		await cp(join(root, path), join(copy, path), { recursive: true });
	}
	return await packageAt(copy);
}

async function downloadFirecrawl(folder: string): Promise<Package> {
	const script = 'npm pack --silent --prefer-offline "$0" && tar -xzf *.tgz';
	const options = { cwd: folder, env: process.env, logFile: join(folder, 'npm.log') };
	await run('sh', ['-c', script, '@mendable/n8n-nodes-firecrawl@2.1.2'], options);
	return await packageAt(join(folder, 'package'));
}

const githubIn = (dist: string): Package => ({
	folder: join(dist, 'nodes', 'Github'),
	entryFiles: [
		join(dist, 'nodes', 'Github', 'Github.node.js'),
		join(dist, 'nodes', 'Github', 'GithubTrigger.node.js'),
		join(dist, 'credentials', 'GithubApi.credentials.js'),
	],
});

async function packageAt(folder: string): Promise<Package> {
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const { nodes, credentials } = manifest.n8n;
	return { folder, entryFiles: [...nodes, ...credentials].map((file) => join(folder, file)) };
}

/** @returns the time in which a new process loads the entry files (ms) */
function requireMs({ folder, entryFiles }: Package, n8n: string): number {
	const script = `
		require('n8n-workflow');
		const started = performance.now();
		for (const file of process.argv.slice(1)) require(file);
		console.log(performance.now() - started);`;
	// Dependencies come from n8n, not from the checkout.
	const env = { PATH: process.env.PATH, NODE_PATH: n8n };
	const options = { env, cwd: tmpdir(), encoding: 'utf8' } as const;
	const { stdout, stderr } = spawnSync(node, ['-e', script, ...entryFiles], options);
	const ms = Number(stdout);
	if (stdout === '' || Number.isNaN(ms)) throw new Error(`${folder} can't be loaded: ${stderr}`);
	return ms;
}

/** @returns the size of the published files as an archive and without compression (kB) */
async function kilobytesOf({ folder }: Package) {
	const { stdout } = spawnSync('tar', ['-C', folder, '-czf', '-', '.'], { maxBuffer: 1e8 });
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const sizes = await Promise.all(
		entries
			.filter((entry) => entry.isFile())
			.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
	);
	return {
		packed: stdout.length / 1000,
		unpacked: sizes.reduce((sum, size) => sum + size, 0) / 1000,
	};
}
