/*
 * Runs what needs a real n8n on each line of n8n, and prints a table: line, suite, how it went and
 * what the line lacks. `npm run test:compat`; `-- --line 2.0` one line, `-- --suite connector` one suite.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenLine, installN8n, type Line, lines } from '../../sandbox/stack/install-n8n';
import { describeOutcome, type JestReport, type Outcome, summarize, tableOf } from './report';

const root = join(__dirname, '..', '..');
const jest = join(root, 'node_modules', '.bin', 'jest');
const folder = join(root, '.tmp', 'compat');

/** The test files, by the name of the suite. */
const suites = {
	connector: 'test/e2e/connector',
	publishing: 'test/e2e/trace',
	examples: 'test/e2e/examples',
	'CRM examples': 'test/e2e/crmExamples',
	'AI tool': 'test/e2e/aiTool',
	editor: 'test/browser/walk',
};
type Suite = keyof typeof suites;

interface Run {
	line: Line;
	suite: Suite;
	seconds: number;
	outcome: Outcome;
}

/** Runs a suite on a line of n8n that is installed, and shows what Jest says. */
function run(line: Line, suite: Suite): Run {
	console.log(`\nn8n ${line}: ${suite}`);
	const reportFile = join(folder, `${line}-${suite.replace(' ', '-')}.json`);
	rmSync(reportFile, { force: true });
	const file = `<rootDir>/${suites[suite]}.test.ts`;
	const started = Date.now();
	spawnSync(jest, ['--testMatch', file, '--json', '--outputFile', reportFile], {
		cwd: root,
		env: { ...process.env, N8N_LINE: line },
		stdio: 'inherit',
	});
	const report = existsSync(reportFile)
		? (JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport)
		: undefined;
	const seconds = Math.round((Date.now() - started) / 1000);
	return { line, suite, seconds, outcome: summarize(report) };
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			line: { type: 'string', multiple: true },
			suite: { type: 'string', multiple: true },
		},
	});
	const chosenLines = values.line?.map((line) => chosenLine({ N8N_LINE: line })) ?? lines;
	const named = values.suite ?? Object.keys(suites);
	const unknown = named.find((suite) => !(suite in suites));
	if (unknown) throw new Error(`There is no suite ${unknown}: ${Object.keys(suites).join(', ')}`);

	mkdirSync(folder, { recursive: true });
	const runs: Run[] = [];
	for (const line of chosenLines) {
		await installN8n(line);
		for (const suite of named as Suite[]) runs.push(run(line, suite));
	}
	const rows = runs.map(({ line, suite, seconds, outcome }) => [
		line,
		suite,
		`${seconds} s`,
		describeOutcome(outcome),
	]);
	console.log(`\n${tableOf([['n8n', 'suite', 'time', 'tests'], ...rows])}\n`);
	const failed = runs.flatMap(({ line, suite, outcome }) =>
		outcome.failed.map((name) => `${line}, ${suite}: ${name}`),
	);
	for (const failure of failed) console.log(`FAILED on ${failure}`);
	console.log(failed.length > 0 ? `test:compat: ${failed.length} failed` : 'test:compat: all well');
	process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
