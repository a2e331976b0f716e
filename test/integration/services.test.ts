import '../support/services/quiet';

import { fc, isMany, path, runs, seed } from '../support/random';
import { axes, services } from '../support/services/grammar';
import { live } from '../support/services/life';
import { count, describe as describeService, emptyTally } from '../support/services/production';
import { emptyReport } from '../support/services/report';
import { ServiceHost } from '../support/services/host';

// The node's waits are skipped; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

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
		const result = await fc.check(
			fc.asyncProperty(services, async (drawn) => {
				count(tally, drawn);
				await live(host, drawn, report);
			}),
			{ path, numRuns: runs(60), endOnFailure: false },
		);
		if (result.failed) {
			const [drawn] = result.counterexample ?? [];
			throw new Error(
				[
					`After ${result.numRuns} services, shrunken ${result.numShrinks} times. Repeat with`,
					`TEST_SEED=${seed} TEST_PATH=${result.counterexamplePath}`,
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
		if (!isMany) return;
		for (const [axis, kinds] of Object.entries(tally)) {
			for (const [kind, times] of Object.entries(kinds)) {
				expect({ axis, kind, times }).not.toMatchObject({ times: 0 });
			}
		}
	},
	30 * 60_000,
);
