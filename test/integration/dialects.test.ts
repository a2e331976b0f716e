import { defaultDialect, namedDialects, type Dialect } from '../../sandbox/dialects';
import {
	serviceOf,
	servicesOfOperations,
	servicesOfTriggers,
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

const casesOf = (paired: PairedService[]) =>
	[...Object.values(namedDialects).map(serviceOf), ...paired].map(
		(service) => [describeDifferences(service), service] as const,
	);

// Promise: Each operation works with each pair of the sandbox's dialect options that it can meet.
test.each(casesOf(servicesOfOperations))('all operations: %s', async (_name, service) => {
	await withService(withManyPages(service), ({ operations }) => operations());
});

// Promise: Every pair of the sandbox's dialect options works, from publish to unpublish.
test.each(casesOf(servicesOfTriggers))('the lifecycle of a trigger: %s', async (_name, service) => {
	await withService(service, ({ trigger }) => trigger());
});
