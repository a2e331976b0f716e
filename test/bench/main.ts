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
import { verdictOf } from './measure';
import { replaceMarked, type Section, sectionMarkdown } from './report';

const documentFile = join(__dirname, 'README.md');

const { values: options } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
	},
});
const { quick } = options;

async function main(): Promise<void> {
	await using running = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-bench-'));
	running.defer(() => rm(folder, { recursive: true, force: true }));
	const packing = { cwd: join(__dirname, 'minimal'), env: process.env };
	const logFile = join(folder, 'pack.log');
	await run('npm', ['pack', '--pack-destination', folder], { ...packing, logFile });
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
	let missed = 0;
	const sections = await step('Measure', () =>
		measureDeliveries(stack, quick ? 3 : 150, quick ? 20 : 30),
	);
	for (const section of sections) {
		console.log(`\n${section.name}\n\n${sectionMarkdown(section)}\n`);
		missed += section.comparisons.filter((one) => verdictOf(one) === 'missed').length;
	}
	environment['load at the end'] = loadNow();
	if (options.write) await updateDocument(environment, sections);
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
