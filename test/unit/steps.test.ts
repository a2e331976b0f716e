import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { runs } from '../support/jest/random';
import type { Steps } from '../support/measures/steps';

/** Bytes: 800 kB with `TEST_RUNS=20`. */
const size = runs(40_000);
/** Sorting takes a little more than twice as many steps for twice as many entries. */
const MOST_GROWTH = 2.2;

// Promise: The work per body is linear: twice the bytes take at most 2.2 times the steps.
test(
	'a body of twice the size takes at most 2.2 times the steps',
	() => {
		// In a separate process, because it changes the built-in functions.
		const script = join(__dirname, '../support/measures/steps.ts');
		const command = ['--import', 'tsx', script, String(size)];
		const output = execFileSync(process.execPath, command, { encoding: 'utf8' });
		const rows = (JSON.parse(output) as Steps[]).map((steps) => ({
			...steps,
			growth: steps.large / steps.small,
		}));
		expect(rows.filter(({ growth }) => growth > MOST_GROWTH)).toEqual([]);
		expect(rows).toHaveLength(15);
	},
	runs(60_000),
);
