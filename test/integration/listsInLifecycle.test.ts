import { skipTime } from '../support/time/clock';
import type { KeptEndpoint } from '../support/service/scriptedService';
import { ownEndpoints, script, service, trigger, useTrigger } from '../support/n8n/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useTrigger();

/** How long the service takes for each list (ms), as long as services do on a bad day. */
const DELAY_MS = 1_000;

const others = (count: number) =>
	Array.from({ length: count }, (_none, n) => ({ id: `x${n}`, url: `https://a.example/${n}` }));

/** Fills a list up to ten entries. */
const ten = (kept: KeptEndpoint[]) => ({ data: [...kept, ...others(10 - kept.length)] });

// Promise: A sign of more pages that proves nothing costs a lifecycle call no request.
test.each<[string, (kept: KeptEndpoint[]) => object]>([
	['a list of exactly ten endpoints', ten],
	['limits beside the list', (data) => ({ data, limits: { total: 100 } })],
	['a plan beside the list', (data) => ({ data, plan: { total: 100 } })],
])(
	'a weak or false sign of more pages costs a lifecycle call no request: %s',
	async (_sign, bodyOf) => {
		const queries: object[] = [];
		const catalog = ['call.completed', ...others(9).map(({ id }) => `call.${id}`)];
		script({
			list: (endpoints, query) => {
				queries.push(query);
				skipTime(DELAY_MS);
				return { body: bodyOf(endpoints) };
			},
			catalog: () => ({ body: catalog }),
		});
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
		expect(queries).toEqual(queries.map(() => ({})));
		const isCatalog = (request: string) => request === 'GET /webhooks/event-types';
		expect(service.requests.filter(isCatalog)).toHaveLength(1);
	},
);
