/*
 * Runs the end-to-end tests and one browser test on each line of n8n, and prints the numbers of tests by
 * line and suite: `npm run test:compat`
 *   -- --line 2.0   runs one line
 *   -- --short      skips the test of catching up, which takes minutes
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

const files = ['test/e2e/n8n', 'test/e2e/trace', 'test/e2e/catchUp', 'test/browser/walk'];

/** @returns Jest's report of the test files on an installed line of n8n; undefined if Jest wrote none */
function run(line: Line, isShort: boolean): JestReport | undefined {
	console.log(`\nn8n ${line}`);
	const reportFile = join(folder, `${line}.json`);
	rmSync(reportFile, { force: true });
	const chosenFiles = files.filter((file) => !isShort || !file.endsWith('catchUp'));
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
	console.log(`test:compat: ${failed.length > 0 ? `${failed.length} failed` : 'all passed'}`);
	process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
