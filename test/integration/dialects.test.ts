import { make } from 'covertable';

import { axes } from '../../sandbox/axes';
import { defaultDialect, namedDialects, type Dialect } from '../../sandbox/dialects';
import { serviceOf } from '../support/randomServices';
import { useReceivers, withService } from '../support/serviceScenarios';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useReceivers();

/** Dialects that cover every pair of values of two axes. */
const pairwiseDialects = make(
	Object.fromEntries(Object.entries(axes).map(([axis, values]) => [axis, [...values]])),
) as unknown as Dialect[];

const describeDifferences = (dialect: Dialect) =>
	Object.entries(dialect)
		.filter(([axis, value]) => defaultDialect[axis as keyof Dialect] !== value)
		.map((difference) => difference.join('='))
		.join(' ');

const cases: Array<[name: string, dialect: Dialect]> = [
	...Object.entries(namedDialects),
	...pairwiseDialects.map((dialect): [string, Dialect] => [describeDifferences(dialect), dialect]),
];

describe.each(cases)('%s', (_name, dialect) => {
	// Promise: Each operation works with each pair of the sandbox's dialect options.
	test('all operations', async () => {
		await withService(serviceOf(dialect, 7), ({ operations }) => operations());
	});

	// Promise: Every pair of the sandbox's dialect options works, from publish to unpublish.
	test('the lifecycle of a trigger', async () => {
		await withService(serviceOf(dialect, 0), ({ trigger }) => trigger());
	});
});
