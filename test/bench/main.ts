/*
 * Measures the connector beside what a user would use instead: `npm run bench`.
 *   -- --quick        fewer rounds, in less than two minutes once n8n is installed
 *   -- NAME …         only these sections, by the names in docs/benchmarks.md
 *   -- --json FILE    where the figures go; .tmp/bench.json by default
 *   -- --write        also into docs/benchmarks.md and its picture
 */
import '../support/noProxy';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../sandbox/stack/processes';
import { step } from '../../sandbox/stack/progress';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { measureDeliveries } from './deliveries';
import { measureJudging } from './judging';
import { measureLoading } from './loading';
import { plot } from './plot';
import {
	type Circumstances,
	documentOf,
	laidOut,
	markdown,
	replaceMarked,
	rowsOf,
	type Section,
	toJson,
} from './report';

const root = join(__dirname, '..', '..');
const documentFile = join(root, 'docs', 'benchmarks.md');
const plotFile = join(root, 'docs', 'benchmarks.svg');

const { values: asked, positionals: names } = parseArgs({
	allowPositionals: true,
	options: {
		quick: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		json: { type: 'string', default: join(root, '.tmp', 'bench.json') },
	},
});
const quick = asked.quick;

/** A part of the bench; several sections can come of one. */
interface Part {
	title: string;
	sections: string[];
	/** @param n8n starts one with the connector and the floor, or gives the one that was started */
	measure: (n8n: () => Promise<Stack>) => Promise<Section[]>;
}

const parts: Part[] = [
	{
		title: 'Deliveries to triggers',
		sections: ['accepted', 'not-run'],
		measure: async (n8n) =>
			await measureDeliveries(
				await n8n(),
				quick
					? { rounds: 2, requests: 40, record: false }
					: { rounds: 9, requests: 100, record: true },
			),
	},
	{
		title: 'Judging one delivery',
		sections: ['judging'],
		measure: async () => [await measureJudging(quick ? 3 : 9, quick ? 30 : 200)],
	},
	{
		title: 'Loading the package',
		sections: ['loading'],
		measure: async () => [await measureLoading(quick ? 3 : 15)],
	},
];

async function main(): Promise<void> {
	await using running = new AsyncDisposableStack();
	let stack: Promise<Stack> | undefined;
	const start = async () => {
		const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
		running.defer(() => rm(folder, { recursive: true, force: true }));
		const options = { cwd: join(__dirname, 'floor'), env: process.env };
		const logFile = join(folder, 'pack.log');
		await run('npm', ['pack', '--pack-destination', folder], { ...options, logFile });
		// Deliveries go to n8n itself, so that no proxy is measured; n8n's own nodes refuse `localhost`.
		const started = await startStack({
			env: { WEBHOOK_URL: 'https://n8n.example.com/' },
			morePackages: [join(folder, 'n8n-nodes-bench-floor-1.0.0.tgz')],
		});
		running.defer(() => started.stop());
		return started;
	};
	const circumstances = describe();
	const chosen = parts.filter(
		({ sections }) => names.length === 0 || sections.some((name) => names.includes(name)),
	);
	const sections: Section[] = [];
	for (const { title, measure } of chosen) {
		const measured = await step(title, () => measure(() => (stack ??= start())));
		for (const section of measured) {
			sections.push(section);
			console.log(`\n${section.title}\n\n${documentOf(section)}\n`);
		}
	}
	circumstances['load at the end'] = loadNow();

	await mkdir(dirname(asked.json), { recursive: true });
	await writeFile(asked.json, toJson(circumstances, sections));
	if (asked.write) await write(circumstances, sections);
	const missed = sections.flatMap(rowsOf).filter((row) => row.at(-1) === '**no**');
	console.log(`bench: ${missed.length} goal(s) not reached; the figures are in ${asked.json}`);
}

const loadNow = () =>
	loadavg()
		.map((load) => load.toFixed(1))
		.join(', ');

function describe(): Circumstances {
	return {
		date: new Date().toISOString().slice(0, 10),
		processors: String(cpus().length),
		'Node.js': process.version,
		kind: quick ? 'quick' : 'full',
		'load at the start': loadNow(),
	};
}

async function write(circumstances: Circumstances, sections: Section[]): Promise<void> {
	let text = await readFile(documentFile, 'utf8');
	text = replaceMarked(text, 'run', markdown([['', ''], ...Object.entries(circumstances)]));
	for (const section of sections) text = replaceMarked(text, section.name, documentOf(section));
	await writeFile(documentFile, await laidOut(documentFile, text));
	await writeFile(plotFile, plot(sections.flatMap(({ comparisons }) => comparisons)));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
