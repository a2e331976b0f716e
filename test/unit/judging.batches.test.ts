import type { Delivery } from '../../nodes/VoiceAgent/delivery/decide';
import { CALL, COMPLETED, FAILED, judged, outcomeOf, type Case } from '../support/events/judging';

const STARTED = { id: 'e1', type: 'call.started', data: CALL };
const MOVED = { id: 'e4', type: 'call.moved', data: CALL };
const TURNS = [
	{ role: 'agent', content: 'Hello' },
	{ role: 'user', content: 'Hi' },
];

describe('a batch gives its selected and unknown events', () => {
	const all = [STARTED, COMPLETED, FAILED, MOVED];
	const runs = [COMPLETED, MOVED];
	const headers = { 'x-acme-event': 'call.started' };
	const selecting = { 'x-acme-event': 'call.completed' };

	// Promise: A batch is judged event by event.
	test.each<[name: string, body: unknown, items: unknown[], headers?: Delivery['headers']]>([
		['an array', all, runs],
		['events beside metadata', { id: 'b1', sent_at: '2026-01-31', count: 4, events: all }, runs],
		['data', { object: 'list', has_more: false, data: all }, runs],
		['an envelope', { data: { call_events: all } }, runs],
		['an envelope and a page', { meta: { page: 1 }, payload: { items: all } }, runs],
		['a type of any batch', { type: 'events.batch', events: all }, runs],
		['lists of events with types', { started: [STARTED], completed: [COMPLETED] }, [COMPLETED]],
		['unknown events', { events: [MOVED, { type: 'zorb' }] }, [MOVED, { type: 'zorb' }]],
		['a probe in it', [{ type: 'ping' }, COMPLETED, STARTED], [COMPLETED]],
		['a header that was not selected', { events: all }, runs, headers],
		['such a header, and an event without a type', [{ id: 1 }, COMPLETED], [COMPLETED], headers],
		['types that were not selected', [STARTED, FAILED], []],
		['no event', [], []],
		['a header that was selected', [STARTED, { id: 1 }], [{ id: 1 }], selecting],
	])('%s', (...[, body, items, headers = {}]) =>
		expect(outcomeOf({ body, headers })).toEqual(items.length > 0 ? items : 'ignored'),
	);

	// Promise: A batch has at most 1,000 events, and objects only; any other list is one item.
	test.each<[name: string, body: unknown, count: number]>([
		['1,000 events', Array<object>(1_000).fill(COMPLETED), 1_000],
		['1,001 events', Array<object>(1_001).fill(COMPLETED), 1],
		['1,001 in two', { a: Array<object>(1_000).fill(COMPLETED), b: { c: [COMPLETED] } }, 1],
		['null', [null], 1],
		['500,000 numbers', Array<number>(500_000).fill(1), 1],
		['a number behind 20 events', { events: [...Array<object>(20).fill(COMPLETED), 1] }, 1],
	])('%s', (_name, body, count) => {
		const items = outcomeOf({ body }) as object[];
		expect(items).toHaveLength(count);
		if (count === 1) expect(items).toEqual([Array.isArray(body) ? { body } : body]);
	});

	test('with the type of the header, if they have none', () =>
		expect(judged({ body: [{ id: 1 }], headers: selecting })).toMatchObject({
			events: [{ type: 'call.completed' }],
		}));

	test.each<Case>([
		['with a call beside it', { ...CALL, events: all }],
		['with an ID of a call beside it', { id: 1, call_events: [STARTED], call: { id: 2 } }],
		['with another list beside it', { events: all, transcript: TURNS }],
		['of texts', { events: ['call.started', 'call.failed'] }],
		['of turns', { events: TURNS }],
		['of calls', { calls: [{ id: 1, status: 'done' }] }],
		['with an unknown type of its own', { event: 'summary.ready', events: [STARTED] }],
		['with a selected type of its own', { type: 'call.completed', events: [STARTED] }],
		['that a header selects', { id: 'b1', events: [STARTED] }, selecting],
	])('but not %s', (...[, body, headers = {}]) =>
		expect(outcomeOf({ body, headers })).toEqual([body]),
	);
});
