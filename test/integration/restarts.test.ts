/** Each situation, with each kind of restart, and each single fault: no event is lost, and none runs twice. */
import { usePolling } from '../support/catchUpSetup';
import {
	restarts,
	runScenario,
	singleFaults,
	situations,
	type Situation,
} from '../support/restartScenarios';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/noWaits'));

usePolling();

const rows = Object.keys(situations) as Situation[];
const ways = Object.keys(restarts) as Array<keyof typeof restarts>;
let count = 0;
afterAll(() => console.log(`${count} sequences of a situation, a restart and a fault`));

/** What a person has to decide is reported. */
const expectedReports = (situation: Situation) => (situation === 'paused by a person' ? 1 : 0);

// Promise: After a restart, whatever was done to the webhook, one webhook is left and each event has run.
describe.each(rows)('%s', (situation) => {
	test.each(ways)('restart: %s', async (how) => {
		for (const fault of singleFaults) {
			const { reports, ...outcome } = await runScenario(situation, how, fault);
			const isDeleted = situation === 'deleted by hand';
			const runs = isDeleted ? { after: 1 } : { before: 1, during: 1, after: 1 };
			expect({ fault, ...outcome }).toEqual({ fault, endpoints: 1, runs, neighbour: {} });
			expect(reports).toHaveLength(expectedReports(situation));
			count++;
		}
	});
});
