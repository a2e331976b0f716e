import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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

test('an unknown version of n8n is an error that names the known ones', () => {
	const { status, stderr } = spawnSync(
		process.execPath,
		['--import', 'tsx', 'sandbox/install.ts'],
		{
			cwd: join(__dirname, '..', '..'),
			env: { ...process.env, N8N_LINE: '9' },
			encoding: 'utf8',
		},
	);
	const error = '✖ N8N_LINE can be 2.41, 2.0, 1.123, 3.0-defaults; it is 9.\n';
	expect({ status, stderr }).toEqual({ status: 1, stderr: error });
});
