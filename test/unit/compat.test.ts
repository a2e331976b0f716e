import { type Feature, features } from '../../sandbox/stack/features';
import { chosenLine, lines, testedLines } from '../../sandbox/stack/install-n8n';
import { firstCells, read, sectionOf } from '../support/documents';

test('N8N_LINE selects the line of n8n, by default the newest', () => {
	expect(chosenLine({})).toBe(lines[0]);
	expect(chosenLine({ N8N_LINE: '1.123' })).toBe('1.123');
	expect(() => chosenLine({ N8N_LINE: '1.122' })).toThrow(
		'N8N_LINE can be 2.41, 2.0, 1.123; it is 1.122.',
	);
	expect(lines).toEqual(expect.arrayContaining(testedLines()));
});

// Promise: The documentation has that table of features.
test('the page about n8n has the table of features that lines of n8n lack', () => {
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
