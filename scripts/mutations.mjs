// Mutates the code that decides, and counts the mutants that make a test fail: `npm run mutations`, or
// for some folders `npm run mutations -- text`.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEAST_KILLED_PERCENT = 85;

/**
 * The folders of nodes/VoiceAgent with mutants, and the tests that reach them through others. The unit tests that
 * import a file of the folder are found. Each mutant runs the tests that reach it.
 */
const MORE_TESTS = {
	customerMatch: [],
	delivery: [
		'unit/(judging\\.ignored|row|filter)',
		'integration/(receive(Tokens)?|duplicates|mapping(List)?|latestEvent|pastEvents)',
		'integration/(pasted|catchUp)',
	],
	editor: ['integration/(latestEvent|mappingList|pasted)'],
	webhook: [
		'integration/(adoption|creation|removal|removedWebhook|repair|staticData|receiveTokens)',
		'integration/(badInput|oddServices)',
	],
	events: ['unit/(settings|outputs|judging\\.\\w+|delivery|deliveryDetails|golden)'],
	text: [
		'unit/(lists|records|item|missed|deliveryDetails|settings)',
		'unit/callDetails(\\.(values|forPeople))?',
	],
	trigger: ['unit/(delivery|item|judging\\.\\w+)', 'integration/(receive|mapping(List)?)'],
};

/** @returns the names of the unit tests that import a file of a folder */
function unitTestsOf(folder) {
	const imports = new RegExp(`from '[./]+/nodes/VoiceAgent/${folder}/`);
	return readdirSync('test/unit')
		.filter((name) => name.endsWith('.test.ts'))
		.filter((name) => imports.test(readFileSync(`test/unit/${name}`, 'utf8')))
		.map((name) => `unit/${name.replace('.test.ts', '')}`);
}

/** The files without mutants. */
const LEFT_OUT = [
	// Data without decisions.
	'**/vocabulary{.ts,/**}',
	'**/*{P,p}roperties.ts',
	// n8n evaluates their functions as texts, in which Stryker's helpers are undefined.
	'**/trigger/description.ts',
];

/** @returns the number of mutants of a folder, and how many of them a test killed */
async function mutate(folder) {
	console.log(`mutations: mutates nodes/VoiceAgent/${folder}, and runs its tests`);
	const tests = [...unitTestsOf(folder), ...MORE_TESTS[folder]];
	const stryker = new Stryker({
		mutate: [`nodes/VoiceAgent/${folder}/**/*.ts`, ...LEFT_OUT.map((files) => `!${files}`)],
		mutator: { excludedMutations: ['StringLiteral'] },
		plugins: ['@stryker-mutator/jest-runner'],
		testRunner: 'jest',
		jest: {
			projectType: 'custom',
			configFile: 'scripts/mutations.jest.js',
			config: { testRegex: tests.map((names) => `/test/${names}\\.test\\.ts$`) },
			enableFindRelatedTests: false,
		},
		coverageAnalysis: 'perTest',
		// Long, so that a busy machine does not look like an endless loop.
		timeoutMS: 30_000,
		concurrency: Number(process.env.MUTATIONS_AT_ONCE ?? availableParallelism()),
		// A mutant runs again only if it or one of its tests has changed; a change elsewhere goes unnoticed.
		incremental: true,
		incrementalFile: `node_modules/.cache/mutations-${folder}.json`,
		tempDirName: '.tmp/stryker',
		ignorePatterns: ['.tmp', 'dist', '.git'],
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { reportTests: false, reportScoreTable: false, allowColor: false },
		allowConsoleColors: false,
		warnings: false,
	});
	const results = await stryker.runMutationTest();
	const judged = results.filter(({ status }) => /Killed|Timeout|Survived|NoCoverage/.test(status));
	const killed = judged.filter(({ status }) => /Killed|Timeout/.test(status)).length;
	return { folder, killed, all: judged.length, percent: (100 * killed) / judged.length };
}

process.chdir(resolve(root));
// The random tests draw a tenth of their values.
process.env.TEST_RUNS = '0.1';
const chosen = process.argv.slice(2);
const unknown = chosen.filter((folder) => !(folder in MORE_TESTS));
if (unknown.length > 0)
	throw new Error(`There is no folder ${unknown}. Choose from ${Object.keys(MORE_TESTS)}.`);
const rows = [];
for (const folder of chosen.length > 0 ? chosen : Object.keys(MORE_TESTS)) {
	rows.push(await mutate(folder));
}
for (const { folder, killed, all, percent } of rows) {
	console.log(`${percent.toFixed(1).padStart(6)} %  ${folder}: ${killed} of ${all} mutants killed`);
}
const isEnough = rows.every(({ percent }) => percent >= LEAST_KILLED_PERCENT);
console.log(
	`mutations: ${isEnough ? 'at least' : 'FAILED, a folder has less than'} ${LEAST_KILLED_PERCENT} of 100 mutants killed`,
);
process.exitCode = isEnough ? 0 : 1;
