import type { IDataObject } from 'n8n-workflow';

import { readDeliveryDetails } from '../../nodes/VoiceAgent/log/deliveryDetails';
import {
	digestOf,
	EventIndex,
	keysOfDelivery,
	readBodyIds,
} from '../../nodes/VoiceAgent/events/identity';
import { findMissed } from '../../nodes/VoiceAgent/log/missed';

/** @returns whether a delivery is taken for one of the event that a record of the log holds */
function isRedelivery(
	record: IDataObject,
	body: unknown,
	inHeaders: string[],
	type: string | null = null,
): boolean {
	const details = readDeliveryDetails(record, { id: 'we_1' });
	const missed = findMissed([{ record: { status: 'failed', ...record }, details }], 0);
	const { sure, bare } = readBodyIds(body);
	const index = new EventIndex();
	for (const one of missed) index.add(one);
	const keys = keysOfDelivery({ sure: [...sure, ...inHeaders], bare, digest: digestOf(body) });
	return index.find({ type, keys }) !== undefined;
}

const body = { type: 'call.updated', id: 'call_1', duration: 60 };
const reordered = Object.fromEntries(Object.entries(body).reverse());
const attempt = { id: 'atm_1', status: 'failed' };
const payload = body;
const event = { id: 'evt_1', type: 'call.updated', call: 'call_1' };

test.each<[string, IDataObject, unknown, string[]?]>([
	['by the id of the event in a header', { event_id: 'e', payload }, { x: 1 }, ['e']],
	['by the id of the delivery in a header', { delivery_id: 'd', payload }, { x: 1 }, ['d']],
	['by event_id in the body', { event_id: 'e', payload }, { event_id: 'e' }],
	['by event.id in the body', { event_id: 'e', payload }, { event: { id: 'e' } }],
	['by deliveryId in the body', { delivery_id: 'd', payload }, { deliveryId: 'd' }],
	['by the id in the body', { event_id: 'evt_1', payload: event }, { ...event, sent: 2 }],
	['by an id in the body of the log', { payload: { event_id: 'e' } }, { event_id: 'e', x: 1 }],
	['by the same body without ids', { payload }, { ...body }],
	['by the same body, without the id of the log', { event_id: 'e', payload }, body],
	['by the same body in another order', { payload }, reordered],
	['by the same batch', { payload: [event, body] }, [event, body]],
	['by the same body, with an id for each attempt', { delivery_id: 'd', payload }, body, ['f']],
	['by an id of digits with the same body', { event_id: 7, payload }, body, ['7']],
])('a delivery is the redelivery of an event %s', (_by, record, delivered, ids = []) =>
	expect(isRedelivery({ ...attempt, ...record }, delivered, ids)).toBe(true),
);

test.each<[string, IDataObject[]]>([
	[
		'of one second, without ids of records',
		[{ payload: event }, { payload: { ...event, id: 'evt_2' } }],
	],
	['of one payload, with ids of their own', ['e', 'f'].map((id) => ({ event_id: id, payload }))],
])('events %s are different', (_what, records) => {
	const log = records.map((one) => {
		const record: IDataObject = { status: 'failed', timestamp: '2026-05-04T10:00:00Z', ...one };
		return { record, details: readDeliveryDetails(record, { id: 'we_1' }) };
	});
	const [first, second] = findMissed(log, 0);
	const index = new EventIndex();
	index.add(first!);
	expect(index.find(first!)).toBe(first);
	expect([second, index.find(second!)]).toEqual([expect.anything(), undefined]);
});

test('an event of the log stays the same when the service removes its content', () => {
	const [before, after] = [payload, null].map((kept) => {
		const record: IDataObject = { status: 'failed', event_id: 'e', payload: kept };
		return findMissed([{ record, details: readDeliveryDetails(record, { id: 'we_1' }) }], 0)[0];
	});
	const index = new EventIndex();
	index.add(before!);
	expect(index.find(after!)).toBe(before);
});

const huge = 2 ** 60;
test.each<[string, IDataObject, unknown, string[]?]>([
	['with the id of the same call', { payload }, { ...body, duration: 61 }],
	['with other ids and the same body', { event_id: 'e', payload }, body, ['f']],
	['with an id of digits that names another thing', { delivery_id: 7, payload }, { id: 7 }],
	['with the id of the attempt', { payload }, { x: 1 }, ['atm_1']],
	['with a number that JSON rounds', { event_id: huge, payload }, { event_id: huge }],
	['in another order of a list', { payload: { a: [1, 2] } }, { a: [2, 1] }],
	['whose payload the log does not hold', { event_id: 'e' }, { event_id: 'e' }],
	['without anything that identifies it', { payload }, undefined],
])('a delivery is of another event %s', (_with, record, delivered, ids = []) =>
	expect(isRedelivery({ ...attempt, ...record }, delivered, ids)).toBe(false),
);

test.each([
	['call.completed', 'call.completed', true],
	['call.completed', 'call.started', false],
	['call.completed', null, true],
	[null, 'call.started', true],
])(
	'with the id of its call, an event of the type %s is one of the type %s: %s',
	(logged, sent, same) => {
		const record = { event_id: 'call_1', event_type: logged, payload: { id: 'call_1' } };
		expect(isRedelivery({ ...attempt, ...record }, { id: 'call_1' }, [], sent)).toBe(same);
	},
);

test('the newest events of an index are found, and those that it forgets are returned', () => {
	const index = new EventIndex<{ type: null; keys: string[]; id: number }>(3);
	const event = (id: number) => ({ id, type: null, keys: [`id ${id}`] });
	const forgotten = Array.from({ length: 8 }, (_, id) => index.add(event(id)));
	expect(forgotten.flat().map(({ id }) => id)).toEqual([0, 1, 2, 3]);
	expect(index.find(event(3))).toBeUndefined();
	expect(index.find(event(4))?.id).toBe(4);
	expect(index.find(event(4), ({ id }) => id > 4)).toBeUndefined();
});

test('a body that nests too deep has no digest', () => {
	const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
	expect(digestOf(nested(100))).toEqual(expect.any(String));
	expect(digestOf(nested(100_000))).toBeUndefined();
});
