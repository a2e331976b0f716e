import { fc, isMany, path, runs, seed } from '../support/random';
import { differencesOf, drawnAxes, randomServices } from '../support/randomServices';
import { useReceivers, withService } from '../support/serviceScenarios';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useReceivers();

test(
	'every operation and the lifecycle of a trigger work with any service that keeps the contract',
	async () => {
		const drawnValues = new Set<string>();
		const result = await fc.check(
			fc.asyncProperty(randomServices, async (service) => {
				for (const entry of Object.entries(service)) drawnValues.add(entry.join('='));
				await withService(service, async ({ operations, trigger }) => {
					await operations();
					await trigger();
				});
			}),
			{ path, numRuns: runs(40), endOnFailure: false },
		);
		if (result.failed) {
			const [service] = result.counterexample ?? [];
			throw new Error(
				[
					`Service ${result.numRuns} failed, and was shrunk ${result.numShrinks} times. Repeat with`,
					`TEST_SEED=${seed} TEST_PATH=${result.counterexamplePath}`,
					'Differences from the simplest service:',
					service ? differencesOf(service) : '(none drawn)',
					(result.errorInstance as Error | null)?.message ?? '',
				].join('\n'),
			);
		}
		if (!isMany) return;
		const all = Object.entries(drawnAxes).flatMap(([name, values]) =>
			values.map((value) => `${name}=${value}`),
		);
		expect(all.filter((value) => !drawnValues.has(value))).toEqual([]);
	},
	30 * 60_000,
);
