/*
 * Measures the connector and its alternatives: `npm run bench`.
 *   -- --quick        fewer rounds, below two minutes if n8n is installed
 *   -- --write        also updates the README here
 */
import '../support/jest/noProxy';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { run } from '../../sandbox/stack/processes';
import { step } from '../../sandbox/stack/progress';
import { startStack } from '../../sandbox/stack/stack';
import { table } from '../reliability/report';
import { measureDeliveries } from './deliveries';
import { rowsOf, verdictOf } from './measure';

const documentFile = join(__dirname, 'README.md');

const { quick, write } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
	},
}).values;

async function main(): Promise<void> {
	await using running = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	running.defer(() => rm(folder, { recursive: true, force: true }));
	const logFile = join(folder, 'pack.log');
	const packing = { cwd: join(__dirname, 'minimal'), env: process.env, logFile };
	await run('npm', ['pack', '--pack-destination', folder], packing);
	const stack = running.use(
		await startStack({ morePackages: [join(folder, 'n8n-nodes-bench-minimal-1.0.0.tgz')] }),
	);
	const environment: Record<string, string> = {
		date: new Date().toISOString().slice(0, 10),
		processors: String(cpus().length),
		'Node.js': process.version,
		kind: quick ? 'quick' : 'full',
		'load at the start': loadNow(),
	};
	const sections = await step('Measure', () =>
		measureDeliveries(stack, quick ? 3 : 150, quick ? 20 : 30),
	);
	environment['load at the end'] = loadNow();
	const tables: Record<string, string> = {
		run: table([['', ''], ...Object.entries(environment)]).join('\n'),
	};
	for (const [name, comparisons] of Object.entries(sections)) {
		tables[name] = table(rowsOf(comparisons)).join('\n');
		console.log(`\n${name}\n\n${tables[name]}\n`);
	}
	if (write) await updateDocument(tables);
	const missed = Object.values(sections)
		.flat()
		.filter((one) => verdictOf(one) === 'missed');
	console.log(`bench: ${missed.length} goal(s) missed`);
}

const loadNow = () =>
	loadavg()
		.map((load) => load.toFixed(1))
		.join(', ');

/** Writes tables between the markers of their names in the README. */
async function updateDocument(tables: Record<string, string>): Promise<void> {
	let text = await readFile(documentFile, 'utf8');
	for (const [name, content] of Object.entries(tables)) {
		const marked = new RegExp(`(?<=<!-- bench ${name} -->)[^]*?(?=<!-- /bench -->)`);
		if (!marked.test(text)) throw new Error(`The README has no place for ${name}`);
		text = text.replace(marked, () => `\n\n${content}\n\n`);
	}
	const layout = { ...(await resolveConfig(documentFile)), filepath: documentFile };
	await writeFile(documentFile, await format(text, layout));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
