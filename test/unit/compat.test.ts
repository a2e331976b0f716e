import { type Feature, features } from '../../sandbox/stack/features';
import { lines } from '../../sandbox/stack/install-n8n';
import { firstCells, read, sectionOf } from '../support/documents';

// Promise: The documentation has that table of features.
test('the page for administrators has the table of features that lines of n8n lack', () => {
	const section = sectionOf(read('docs/administrators.md'), '## What older versions lack') ?? '';
	expect(firstCells(section)).toEqual(Object.keys(features));
	for (const [name, { lackedBy }] of Object.entries<Feature>(features)) {
		const row = section.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
		const cells = row.split('|').slice(2, 2 + lines.length);
		expect(cells.map((cell) => cell.trim())).toEqual(
			[...lines].map((line) => (lackedBy.includes(line) ? 'no' : 'yes')),
		);
	}
});
