/*
 * Measures the connector and its alternatives: `npm run bench`.
 *   -- --quick        fewer rounds, below two minutes if n8n is installed
 *   -- NAME …         only these sections, named as in the README here
 *   -- --json FILE    the output file; .tmp/bench.json by default
 *   -- --write        also updates the README here and its picture
 */
import '../support/noProxy';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { run } from '../../sandbox/stack/processes';
import { step } from '../../sandbox/stack/progress';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { measureDeliveries } from './deliveries';
import { measureGap } from './gap';
import { measureItems, measureLimits } from './items';
import { measureJudging } from './judging';
import { measureLoading } from './loading';
import { plot } from './plot';
import { measurePublishing } from './publishing';
import { measureStart } from './starting';
import {
	type Environment,
	markdown,
	replaceMarked,
	rowsOf,
	type Section,
	sectionMarkdown,
	toJson,
} from './report';

const root = join(__dirname, '..', '..');
const documentFile = join(__dirname, 'README.md');
const plotFile = join(__dirname, 'benchmarks.svg');

const {
	values: { quick, write, json },
	positionals: names,
} = parseArgs({
	allowPositionals: true,
	options: {
		quick: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		json: { type: 'string', default: join(root, '.tmp', 'bench.json') },
	},
});

/** A measurement that results in one or more sections. */
interface Part {
	title: string;
	sections: string[];
	/** @param n8n returns the n8n with the connector and the minimal trigger; the first call starts it */
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
					? { acceptedRounds: 3, rounds: 3, recordedRounds: 1, requests: 20 }
					: { acceptedRounds: 150, rounds: 60, recordedRounds: 10, requests: 30 },
			),
	},
	{
		title: 'Many items through one node',
		sections: ['items'],
		measure: async (n8n) => [await measureItems(await n8n(), quick ? 2 : 5)],
	},
	{
		title: 'Judging one delivery',
		sections: ['judging'],
		measure: async () => [await measureJudging(quick ? 3 : 25, quick ? 30 : 200)],
	},
	{
		title: 'Loading the package',
		sections: ['loading'],
		measure: async () => [await measureLoading(quick ? 3 : 15)],
	},
	{
		title: 'Publishing and unpublishing',
		sections: ['publishing'],
		measure: async () => [await measurePublishing(quick ? 2 : 7)],
	},
	{
		title: 'The gap at publishing a changed trigger',
		sections: ['gap'],
		measure: async () => (quick ? [] : [await measureGap(7)]),
	},
	{
		title: 'Many items with a rate limit',
		sections: ['limits'],
		measure: async (n8n) => (quick ? [] : [await measureLimits(await n8n())]),
	},
	{
		title: 'Starts of n8n',
		sections: ['start'],
		measure: async () => (quick ? [] : [await measureStart(200)]),
	},
];

async function main(): Promise<void> {
	await using running = new AsyncDisposableStack();
	let stack: Promise<Stack> | undefined;
	const start = async () => {
		const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
		running.defer(() => rm(folder, { recursive: true, force: true }));
		const options = { cwd: join(__dirname, 'minimal'), env: process.env };
		const logFile = join(folder, 'pack.log');
		await run('npm', ['pack', '--pack-destination', folder], { ...options, logFile });
		// Deliveries bypass the proxy. The GitHub Trigger refuses `localhost` as webhook URL.
		const started = await startStack({
			env: { WEBHOOK_URL: 'https://n8n.example.com/' },
			morePackages: [join(folder, 'n8n-nodes-bench-minimal-1.0.0.tgz')],
		});
		running.defer(() => started.stop());
		return started;
	};
	const environment = describeEnvironment();
	const chosen = parts.filter(
		({ sections }) => names.length === 0 || sections.some((name) => names.includes(name)),
	);
	const sections: Section[] = [];
	for (const { title, measure } of chosen) {
		const measured = await step(title, () => measure(() => (stack ??= start())));
		for (const section of measured) {
			sections.push(section);
			console.log(`\n${section.title}\n\n${sectionMarkdown(section)}\n`);
		}
		// Written after each part, so that an aborted run keeps its results.
		environment['load at the end'] = loadNow();
		await mkdir(dirname(json), { recursive: true });
		await writeFile(json, toJson(environment, sections));
		if (write) await updateDocument(environment, sections);
	}
	const missed = sections.flatMap(rowsOf).filter((row) => row.at(-1) === '**no**');
	console.log(`bench: ${missed.length} goal(s) not reached; results in ${json}`);
}

const loadNow = () =>
	loadavg()
		.map((load) => load.toFixed(1))
		.join(', ');

function describeEnvironment(): Environment {
	return {
		date: new Date().toISOString().slice(0, 10),
		processors: String(cpus().length),
		'Node.js': process.version,
		kind: quick ? 'quick' : 'full',
		'load at the start': loadNow(),
	};
}

async function updateDocument(environment: Environment, sections: Section[]): Promise<void> {
	let text = await readFile(documentFile, 'utf8');
	text = replaceMarked(text, 'run', markdown([['', ''], ...Object.entries(environment)]));
	for (const section of sections)
		text = replaceMarked(text, section.name, sectionMarkdown(section));
	const layout = { ...(await resolveConfig(documentFile)), filepath: documentFile };
	await writeFile(documentFile, await format(text, layout));
	// The picture shows all sections.
	if (names.length > 0) return;
	const comparisons = sections
		.flatMap((section) => section.comparisons)
		.filter(({ baselineValues }) => baselineValues.every((value) => value > 0));
	await writeFile(plotFile, plot(comparisons));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
