import '../support/services/quiet';
import fc from 'fast-check';

import { axes, services } from '../support/services/grammar';
import { live } from '../support/services/life';
import { count, describe as describeService, emptyTally } from '../support/services/production';
import { emptyReport } from '../support/services/report';
import { ServiceHost } from '../support/services/host';

// The node's waits are skipped; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

/**
 * Fewer runs, and the seed and path of a failure, to look at it again; `SERVICES_LINES` shows more of
 * its requests.
 */
const { SERVICES_RUNS, SERVICES_SEED, SERVICES_PATH } = process.env;
const RUNS = Number(SERVICES_RUNS ?? 1000);
const SEED = Number(SERVICES_SEED ?? Date.now() % 2 ** 31);

const tally = emptyTally(axes);
const report = emptyReport();
let host: ServiceHost;

beforeAll(async () => {
	host = await ServiceHost.start();
});
afterAll(async () => await host.stop());

test(
	'any service that keeps the contract: nothing is lost, left behind or passed off',
	async () => {
		console.log(`Repeat with SERVICES_SEED=${SEED}`);
		const result = await fc.check(
			fc.asyncProperty(services, async (drawn) => {
				count(tally, drawn);
				await live(host, drawn, report);
			}),
			{
				seed: SEED,
				path: SERVICES_PATH,
				numRuns: RUNS,
				endOnFailure: false,
			},
		);
		if (result.failed) {
			const [drawn] = result.counterexample ?? [];
			throw new Error(
				[
					`After ${result.numRuns} services, shrunken ${result.numShrinks} times. Repeat with`,
					`SERVICES_SEED=${SEED} SERVICES_PATH=${result.counterexamplePath}`,
					'The service differs from the plainest one in:',
					drawn ? describeService(axes, drawn) : '(none drawn)',
					(result.errorInstance as Error | null)?.message ?? '',
				].join('\n'),
			);
		}
		console.log(
			`${report.services} services, ${report.operations} operations, ${report.deliveries} deliveries`,
		);
		console.table(report.lists);
		const drawn = Object.entries(tally).map(([axis, kinds]) => {
			const counts = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
			return `${axis}: ${counts.join(', ')}`;
		});
		console.log(drawn.join('\n'));
		if (SERVICES_RUNS ?? SERVICES_PATH) return;
		for (const [axis, kinds] of Object.entries(tally)) {
			for (const [kind, times] of Object.entries(kinds)) {
				expect({ axis, kind, times }).not.toMatchObject({ times: 0 });
			}
		}
	},
	30 * 60_000,
);
