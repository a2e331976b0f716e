import { liveAt, useReceivers } from '../support/lifeAtService';
import { fc, isMany, path, runs, seed } from '../support/random';
import { differencesOf, drawnAxes, randomServices } from '../support/randomServices';

// The node's waits pass at once; the clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useReceivers();

test(
	'at any service that keeps the contract, every promise of the connector holds',
	async () => {
		const drawnValues = new Set<string>();
		const result = await fc.check(
			fc.asyncProperty(randomServices, async (service) => {
				for (const entry of Object.entries(service)) drawnValues.add(entry.join('='));
				await liveAt(service, async ({ operations, trigger }) => {
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
					`After ${result.numRuns} services, shrunken ${result.numShrinks} times. Repeat with`,
					`TEST_SEED=${seed} TEST_PATH=${result.counterexamplePath}`,
					'The service differs from the plainest one in:',
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
