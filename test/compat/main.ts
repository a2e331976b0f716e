/*
 * Runs what needs a real n8n on each line of n8n, and prints a table: line, suite, how it went and
 * what the line lacks. `npm run test:compat`; `-- --line 2.0` runs one line, `-- --short` leaves out the
 * missed events, which take minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenLine, installN8n, type Line, lines } from '../../sandbox/stack/install-n8n';
import { table } from '../reliability/report';
import { bySuite, describeOutcome, type JestReport, summarize } from './report';

const root = join(__dirname, '..', '..');
const jest = join(root, 'node_modules', '.bin', 'jest');
const folder = join(root, '.tmp', 'compat');

/** The end-to-end tests, and the first steps of a user in the browser. */
const files = ['test/e2e/n8n', 'test/e2e/trace', 'test/e2e/missedEvents', 'test/browser/walk'];

/** Runs the test files on a line of n8n that is installed, and shows what Jest prints. */
function run(line: Line, isShort: boolean): JestReport | undefined {
	console.log(`\nn8n ${line}`);
	const reportFile = join(folder, `${line}.json`);
	rmSync(reportFile, { force: true });
	const chosenFiles = files.filter((file) => !isShort || !file.endsWith('missedEvents'));
	spawnSync(jest, ['--runInBand', ...chosenFiles, '--json', '--outputFile', reportFile], {
		cwd: root,
		env: { ...process.env, N8N_LINE: line },
		stdio: 'inherit',
	});
	if (!existsSync(reportFile)) return undefined;
	return JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			line: { type: 'string', multiple: true },
			short: { type: 'boolean', default: false },
		},
	});
	const chosenLines = values.line?.map((line) => chosenLine({ N8N_LINE: line })) ?? lines;

	mkdirSync(folder, { recursive: true });
	const rows: string[][] = [];
	const failed: string[] = [];
	for (const line of chosenLines) {
		await installN8n(line);
		for (const [suite, report] of bySuite(run(line, values.short))) {
			const outcome = summarize(report);
			rows.push([line, suite, describeOutcome(outcome)]);
			failed.push(...outcome.failed.map((name) => `${line}, ${suite}: ${name}`));
		}
	}
	console.log(`\n${table([['n8n', 'suite', 'tests'], ...rows]).join('\n')}\n`);
	for (const failure of failed) console.log(`FAILED on ${failure}`);
	console.log(failed.length > 0 ? `test:compat: ${failed.length} failed` : 'test:compat: all well');
	process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
