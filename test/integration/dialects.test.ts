import { defaultDialect, namedDialects, type Dialect } from '../../sandbox/dialects';
import {
	pairedServices,
	serviceOf,
	withManyPages,
	type PairedService,
} from '../support/service/pairedServices';
import { useReceivers, withService } from '../support/service/serviceScenarios';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useReceivers();

const describeDifferences = (service: PairedService) =>
	Object.entries(service)
		.filter(([name, value]) => defaultDialect[name as keyof Dialect] !== value)
		.map((difference) => difference.join('='))
		.join(' ');

const cases = [...Object.values(namedDialects).map(serviceOf), ...pairedServices].map(
	(service) => [describeDifferences(service), service] as const,
);

describe.each(cases)('%s', (_name, service) => {
	// Promise: Each operation works with each pair of the sandbox's dialect options.
	test('all operations', async () => {
		await withService(withManyPages(service), ({ operations }) => operations());
	});

	// Promise: Every pair of the sandbox's dialect options works, from publish to unpublish.
	test('the lifecycle of a trigger', async () => {
		await withService(service, ({ trigger }) => trigger());
	});
});
