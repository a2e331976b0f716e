import { type Feature, features } from '../../sandbox/stack/features';
import { chosenLine, lines, testedLines } from '../../sandbox/stack/install-n8n';
import {
	bySuite,
	describeOutcome,
	type JestReport,
	needing,
	summarize,
	tableOf,
} from '../compat/report';
import { firstCells, read, sectionOf } from '../support/documents';

const file = (...tests: Array<[title: string, status: string]>): JestReport => ({
	testResults: [
		{
			message: '',
			assertionResults: tests.map(([title, status]) => ({
				title,
				fullName: `suite ${title}`,
				ancestorTitles: ['suite'],
				status,
			})),
		},
	],
});

test('each test counts once: as passed, failed, needing what the line lacks, or skipped', () => {
	const outcome = summarize(
		file(
			['one', 'passed'],
			['two', 'failed'],
			[needing('a feature', 'three'), 'pending'],
			[needing('a feature', 'four'), 'pending'],
			[needing('a feature', 'five'), 'passed'],
			['six', 'pending'],
			['seven', 'todo'],
		),
	);
	expect(outcome).toEqual({
		passed: 2,
		failed: ['suite two', 'suite seven'],
		lacks: { 'a feature': 2 },
		skipped: ['suite six'],
	});
	expect(describeOutcome(outcome)).toBe('2 passed, 2 FAILED, 2 not there: a feature, 1 skipped');
});

test('a report is split by suite, and one without a test is kept', () => {
	const [one] = file(['one', 'passed']).testResults;
	const [two] = file(['two', 'passed']).testResults[0]!.assertionResults;
	one!.assertionResults.push({ ...two!, ancestorTitles: ['other'] });
	expect([...bySuite({ testResults: [one!] }).keys()]).toEqual(['suite', 'other']);
	expect([...bySuite(undefined)]).toEqual([['no test', undefined]]);
});

test('a suite that did not run counts as failed', () => {
	const broken = { testResults: [{ message: 'It does not compile', assertionResults: [] }] };
	expect(summarize(broken).failed).toEqual(['It does not compile']);
	expect(summarize({ testResults: [] }).failed).toEqual(['Jest ran no test']);
	expect(summarize(undefined).failed).toEqual(['Jest ran no test']);
});

test('the columns of the table are as wide as what they hold', () => {
	expect(
		tableOf([
			['n8n', 'suite'],
			['1.123', 'connector'],
		]),
	).toBe('n8n    suite\n1.123  connector');
});

test('N8N_LINE names the line of n8n; without it, it is the newest', () => {
	expect(chosenLine({})).toBe(lines[0]);
	expect(chosenLine({ N8N_LINE: '1.123' })).toBe('1.123');
	expect(() => chosenLine({ N8N_LINE: '1.122' })).toThrow(
		'N8N_LINE can be 2.41, 2.0, 1.123; it is 1.122.',
	);
	expect(lines).toEqual(expect.arrayContaining(testedLines()));
});

test('the page about n8n has the table of what lines of n8n lack', () => {
	const section = sectionOf(read('docs/n8n.md'), '## What older versions lack') ?? '';
	expect(firstCells(section)).toEqual(Object.keys(features));
	for (const [name, { lackedBy }] of Object.entries<Feature>(features)) {
		const row = section.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
		const cells = row.split('|').slice(2, 2 + lines.length);
		expect(cells.map((cell) => cell.trim())).toEqual(
			[...lines].map((line) => (lackedBy.includes(line) ? 'no' : 'yes')),
		);
	}
});
