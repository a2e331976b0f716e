/** Each situation, with each kind of restart, and each single fault: no event is lost, and none runs twice. */
import { usePolling } from '../support/publishing/catchUpSetup';
import {
	restarts,
	runScenario,
	singleFaults,
	situations,
	type Situation,
} from '../support/publishing/restartScenarios';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

usePolling();

const rows = Object.keys(situations) as Situation[];
const ways = Object.keys(restarts) as Array<keyof typeof restarts>;
let count = 0;
afterAll(() => console.log(`${count} sequences of a situation, a restart and a fault`));

/** The events that have to run: the log of a deleted webhook is lost, and a paused one gets no event. */
function expectedEvents(situation: Situation): string[] {
	if (situation === 'deleted by hand') return ['after'];
	return situation === 'paused by a person' ? ['before', 'during'] : ['before', 'during', 'after'];
}

/** The service may have sent some events to no webhook. */
const NOT_SENT: Situation[] = ['disabled by the service', 'deleted by hand', 'other events'];
const REPORTED: Situation[] = [...NOT_SENT, 'paused by a person'];

describe.each(rows)('%s', (situation) => {
	// Promise: After a restart, whatever was done to the webhook, one webhook is left and each event has run.
	test.each(ways)('restart: %s', async (how) => {
		// After each fault the others do what a start does.
		for (const fault of how === 'start' ? singleFaults : (['none'] as const)) {
			const { reports, ...outcome } = await runScenario(situation, how, fault);
			const runs = Object.fromEntries(expectedEvents(situation).map((id) => [id, 1]));
			expect({ fault, ...outcome }).toEqual({ fault, endpoints: 1, runs, neighbour: {} });
			// What a person has to decide or to look up is reported.
			expect(reports).toHaveLength(REPORTED.includes(situation) ? 1 : 0);
			count++;
		}
	});
});
