/**
 * Measures what the pages claim, and writes it with its commands into docs/evidence.md: `npx tsx scripts/evidence.ts`,
 * in about two minutes, after a commit.
 */
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const PAGE = 'docs/evidence.md';

/** A claim, the command that shows it, and the lines of its output that hold the figures. */
const CLAIMS: Array<[claim: string, command: string, figures: RegExp]> = [
	['No value of a payload is read wrongly', 'npm run payloads', /payloads: .* wrong/],
	['The list of a mapping has the right field', 'npm run payloads', /held-out: .*\)/],
	[
		'No record is the wrong customer',
		'npx jest test/unit/customerMatch.records.test.ts',
		/\d+ records \(.*: 0 wrong/g,
	],
	[
		'Equal numbers are found in every writing',
		'npx jest test/unit/customerMatch.numbers.test.ts',
		/\d+ writings.*/,
	],
	['No forged signature is accepted', 'npx jest test/unit/signatures.test.ts', /\d+ forged.*/],
	['The package is small', 'npm run size', /[\d.]+ {2}kB of the packed package/],
	['Promises have a test', 'npx tsx scripts/promises.ts', /(?<=promises: )\d+/],
];

const run = (command: string) => execSync(`${command} 2>&1`, { encoding: 'utf8' });
const n8n = (line: string) => readFileSync(`sandbox/n8n/${line}/package.json`, 'utf8');
const versions = ['2.41', '2.0', '1.123'].map((line) => /"n8n": "(.*)"/.exec(n8n(line))?.[1]);
const rows = CLAIMS.map(([claim, command, figures]) => {
	const found = run(command).match(figures);
	if (!found) throw new Error(`${command} printed no figures.`);
	return `| ${claim} | \`${command}\` | ${found.join('; ').replace(/ +/g, ' ')} |`;
});
const measured = `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${run('git rev-parse --short HEAD').trim()}, with Node.js ${process.version} on ${availableParallelism()} processors. The tests run n8n ${versions.join(', ')}.`;
const table = ['| Claim | Command | Figures |', '| --- | --- | --- |', ...rows].join('\n');
writeFileSync(
	PAGE,
	readFileSync(PAGE, 'utf8').replace(/(?<=<!-- measured -->\n)[^]*(?=<!-- \/measured -->)/, () => {
		return `\n${measured}\n\n${table}\n\n`;
	}),
);
