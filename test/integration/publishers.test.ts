import { Interleaving } from '../support/publishing/interleaving';
import { faultNames } from '../support/publishing/faults';
import { isMany } from '../support/jest/random';
import { TwoPublishers, type SingleFault } from '../support/publishing/twoPublishers';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

/** Runs every interleaving. @returns how many there are, and the most requests of the first publisher */
async function runAll(hasOld: boolean, fault?: SingleFault) {
	let count = 0;
	let requests = 0;
	for (let order: boolean[] | undefined = []; order; count++) {
		const interleaving: Interleaving = new Interleaving(order);
		const publishers = new TwoPublishers(interleaving, fault);
		await publishers.publish(hasOld);
		const left = publishers.endpoints.length;
		const isAdopted = await publishers.isAdopted();
		expect({ fault, order, left, isAdopted }).toEqual({ fault, order, left: 1, isAdopted: true });
		requests = Math.max(requests, publishers.sent);
		order = interleaving.nextOrder();
	}
	return { count, requests };
}

// Promise: Of two publishes at the same time, one endpoint is left, whatever the order of their requests,
// and whichever single request fails.
test.each([
	['a first publish', false],
	['a publish that replaces an endpoint', true],
])(
	'two processes leave one endpoint, in every order of their requests: %s',
	async (_name, hasOld) => {
		const { count, requests } = await runAll(hasOld);
		let runs = 0;
		// With a replaced endpoint there are 90,000 runs, which take three minutes.
		for (const name of !hasOld || isMany ? faultNames : []) {
			for (let at = 0; at < requests; at++) runs += (await runAll(hasOld, { name, at })).count;
		}
		console.log(
			`${count} interleavings without a fault, ${runs} with each single fault of the first process (${faultNames.length} faults of ${requests} requests): one endpoint was left each time`,
		);
	},
	1_200_000,
);
