import { fc, path, runs } from '../support/random';
import { randomServices } from '../support/randomServices';
import { useReceivers, withService } from '../support/serviceScenarios';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useReceivers();

test(
	'every operation and the lifecycle of a trigger work with any service that keeps the contract',
	async () => {
		const everyScenario = fc.asyncProperty(randomServices, async (service) => {
			await withService(service, async ({ operations, trigger }) => {
				await operations();
				await trigger();
			});
		});
		await fc.assert(everyScenario, { path, numRuns: runs(40), endOnFailure: false });
	},
	30 * 60_000,
);
