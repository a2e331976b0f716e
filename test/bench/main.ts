/*
 * Measures the connector and its alternatives: `npm run bench`.
 *   -- --quick        fewer rounds, below two minutes if n8n is installed
 *   -- NAME …         only these sections, named as in the README here
 *   -- --write        also updates the README here
 *   -- burst --engines  also with the settings of n8n's expression engine
 */
import '../support/jest/noProxy';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { run } from '../../sandbox/stack/processes';
import { step } from '../../sandbox/stack/progress';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { table } from '../reliability/report';
import { engines, measureBurst } from './burst';
import { measureDeliveries } from './deliveries';
import { measureGap } from './gap';
import { verdictOf } from './measure';
import { replaceMarked, type Section, sectionMarkdown } from './report';

const documentFile = join(__dirname, 'README.md');

const { values: options, positionals: names } = parseArgs({
	allowPositionals: true,
	options: {
		quick: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		engines: { type: 'boolean', default: false },
	},
});
const { quick } = options;

/** Starts an n8n with the connector and the minimal trigger. */
type StartN8n = (env?: Record<string, string>) => Promise<Stack>;

/** A measurement of one or more sections. */
type Part = [sections: string[], measure: (n8n: StartN8n) => Promise<Section | Section[]>];

const parts: Part[] = [
	[
		['accepted', 'not-run'],
		async (n8n) => await measureDeliveries(await n8n(), quick ? 3 : 150, quick ? 20 : 30),
	],
];
/** The parts that `--quick` leaves out. */
const slowParts: Part[] = [
	[['burst'], async (n8n) => await measureBurst(await startEngines(n8n), options.engines ? 4 : 12)],
	[['gap'], () => measureGap(7)],
];

async function startEngines(n8n: StartN8n): Promise<Record<string, Stack>> {
	const chosen = Object.entries(options.engines ? engines : { default: {} });
	const stacks = await Promise.all(
		chosen.map(async ([name, env]) => [name, await n8n(env)] as const),
	);
	return Object.fromEntries(stacks);
}

async function main(): Promise<void> {
	await using running = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	running.defer(() => rm(folder, { recursive: true, force: true }));
	const packing = { cwd: join(__dirname, 'minimal'), env: process.env };
	const logFile = join(folder, 'pack.log');
	await run('npm', ['pack', '--pack-destination', folder], { ...packing, logFile });
	/** By their environments. */
	const started = new Map<string, Stack>();
	const start: StartN8n = async (env = {}) => {
		const key = JSON.stringify(env);
		const found = started.get(key);
		if (found) return found;
		const stack = await startStack({
			env,
			morePackages: [join(folder, 'n8n-nodes-bench-minimal-1.0.0.tgz')],
		});
		running.use(stack);
		started.set(key, stack);
		return stack;
	};
	const environment: Record<string, string> = {
		date: new Date().toISOString().slice(0, 10),
		processors: String(cpus().length),
		'Node.js': process.version,
		kind: quick ? 'quick' : 'full',
		'load at the start': loadNow(),
	};
	let missed = 0;
	for (const [sections, measure] of quick ? parts : [...parts, ...slowParts]) {
		if (names.length > 0 && !sections.some((name) => names.includes(name))) continue;
		const measured = [await step(`Measure ${sections.join(' and ')}`, () => measure(start))].flat();
		for (const section of measured) {
			console.log(`\n${section.name}\n\n${sectionMarkdown(section)}\n`);
			missed += section.comparisons.filter((one) => verdictOf(one) === 'missed').length;
		}
		// Written after each part, so that an aborted run keeps its results.
		environment['load at the end'] = loadNow();
		if (options.write) await updateDocument(environment, measured);
	}
	console.log(`bench: ${missed} goal(s) missed`);
}

const loadNow = () =>
	loadavg()
		.map((load) => load.toFixed(1))
		.join(', ');

async function updateDocument(environment: Record<string, string>, sections: Section[]) {
	let text = await readFile(documentFile, 'utf8');
	text = replaceMarked(text, 'run', table([['', ''], ...Object.entries(environment)]).join('\n'));
	for (const section of sections) {
		text = replaceMarked(text, section.name, sectionMarkdown(section));
	}
	const layout = { ...(await resolveConfig(documentFile)), filepath: documentFile };
	await writeFile(documentFile, await format(text, layout));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
