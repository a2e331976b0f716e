import type { IDataObject } from 'n8n-workflow';

import { readDeliveryDetails } from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';
import { findMissed, isOld } from '../../nodes/VoiceAgent/deliveryLog/missed';

const url = 'https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=***';
const now = Date.parse('2026-05-04T09:00:00.000Z');
const missedIn = (...records: IDataObject[]) =>
	findMissed(
		records.map((record) => ({
			record,
			details: readDeliveryDetails(record, { id: 'we_1', url }),
		})),
		now,
	);
const at = (minute: number) => `2026-05-04T08:${minute}:00.000Z`;
const attempt = (minute: number, status: string, more: IDataObject = {}) => ({
	id: `atm_${minute}`,
	status,
	event_id: 'evt_1',
	attempted_at: at(minute),
	...more,
});
const starting = { response_status: 200, response_body: 'n8n is starting up. Please wait' };
const page = { response_status: 200, response_body: '<!DOCTYPE html><title>Parked</title>' };

describe('an event is missed', () => {
	// Promise: An event of the log counts as missed if its newest attempt failed and none arrived.
	test.each<[string, IDataObject[], object]>([
		['if its only attempt failed', [attempt(10, 'failed')], { reason: 'failed', attempts: 1 }],
		[
			'if n8n answered while it was starting',
			[attempt(10, 'failed'), attempt(12, 'delivered', starting)],
			{ reason: 'starting', attempts: 2 },
		],
		['if a web page answered', [attempt(10, 'delivered', page)], { reason: 'failed' }],
		[
			'if the time of the next attempt has passed',
			[attempt(10, 'failed', { next_attempt_at: at(59) })],
			{ reason: 'failed' },
		],
		[
			'if its type is the same as that of others without an id and a payload',
			[attempt(10, 'failed', { event_id: null }), attempt(12, 'failed', { event_id: null })],
			{ attempts: 2, lastAttemptAt: at(12), keys: ['record atm_12'] },
		],
		[
			'if all attempts failed at unknown times',
			[attempt(10, 'failed', { attempted_at: null }), attempt(12, 'failed')],
			{ attempts: 2, lastAttemptAt: null },
		],
		[
			'after the stated number of attempts',
			[attempt(10, 'failed', { attempt: 4 })],
			{ attempts: 4 },
		],
	])('%s', (_when, records, missed) => {
		expect(missedIn(...records)).toEqual([expect.objectContaining(missed)]);
		expect(missedIn(...records.reverse())).toEqual([expect.objectContaining(missed)]);
	});
});

describe('an event is not missed', () => {
	test.each<[string, IDataObject[]]>([
		['if it arrived', [attempt(10, 'delivered')]],
		['if a later attempt arrived', [attempt(10, 'failed'), attempt(12, 'delivered')]],
		['if an earlier attempt arrived', [attempt(10, 'delivered'), attempt(12, 'failed')]],
		['if the newest attempt is under way', [attempt(10, 'failed'), attempt(12, 'pending')]],
		[
			'if any listed attempt arrived',
			[attempt(10, '', { attempts: [{ response_status: 200 }, { response_status: 503 }] })],
		],
		['if the outcome is unknown', [attempt(10, 'unheard-of')]],
		...[
			{ next_attempt_at: '2026-05-04T09:00:01Z' },
			{ nextAttempt: '2026-05-04 09:00:01' },
			{ next_retry_at: now / 1000 + 1 },
			{ retry_at: now + 1 },
			{ scheduled_at: at(10), next_retry: '2026-05-04T11:00:01+02:00' },
			{ attempts: [{ response_status: 503, scheduled_for: '2026-05-04T09:00:01Z' }] },
		].map((next): [string, IDataObject[]] => [
			`if the log states a later attempt: ${JSON.stringify(next)}`,
			[attempt(10, 'failed', { response_status: 503, ...next }), attempt(12, 'failed')],
		]),
		[
			'if an event of its type arrived, and neither has an id or a payload',
			[attempt(10, 'failed', { event_id: null }), attempt(9, 'delivered', { event_id: null })],
		],
		[
			'if any of several attempts in unknown order is under way',
			[attempt(10, 'failed', { attempted_at: null }), attempt(12, 'pending')],
		],
	])('%s', (_when, records) => expect(missedIn(...records)).toEqual([]));
});

describe('two attempts of one event are found by', () => {
	const failed = (more: IDataObject) => ({ status: 'failed', ...more });
	const event = { type: 'call.completed', call_id: 'c-9' };
	test.each<[string, IDataObject, IDataObject]>([
		['event_id', { id: 1, event_id: 'e' }, { id: 2, event_id: 'e' }],
		['msgId', { id: 1, msgId: 'e' }, { id: 2, msgId: 'e' }],
		['event.id', { id: 1, event: { id: 'e', type: 'x.y' } }, { id: 2, event: { id: 'e' } }],
		['event_id in it', { payload: { event_id: 'e' } }, { payload: { event_id: 'e', x: 1 } }],
		['an event.id in it', { payload: { event: { id: 'e' } } }, { event_id: 'e' }],
		['delivery_id', { id: 1, delivery_id: 'd' }, { id: 2, delivery_id: 'd' }],
		[
			'delivery_id before the payload',
			{ id: 1, delivery_id: 'd', payload: { id: 'e' } },
			{ id: 2, delivery_id: 'd' },
		],
		['a guid', { id: 1, guid: 'd' }, { id: 2, guid: 'd' }],
		['the same event', { id: 1, request_body: event }, { id: 2, request_body: event }],
		[
			'the event in another order',
			{ id: 1, payload: { a: [{ x: 1, y: null }], b: 2 } },
			{ id: 2, payload: { b: 2, a: [{ y: null, x: 1 }] } },
		],
		['a lack of differences', { id: 1 }, { id: 2 }],
	])('%s', (_by, one, other) => expect(missedIn(failed(one), failed(other))).toHaveLength(1));

	test.each<[string, IDataObject, IDataObject]>([
		['event_id', { delivery_id: 'd', event_id: 'e' }, { delivery_id: 'd', event_id: 'f' }],
		[
			'delivery_id',
			{ id: 1, delivery_id: 'd', payload: event },
			{ id: 2, delivery_id: 'e', payload: event },
		],
		['delivery_id alone', { delivery_id: 'd' }, { delivery_id: 'e' }],
		['the id of a record with attempts', { id: 1, attempts: [{}] }, { id: 2, attempts: [{}] }],
		['eventType', { id: 1, event_type: 'a.b' }, { id: 2, event_type: 'a.c' }],
		// The ID in the event may be the ID of its call.
		['payload', { payload: { id: 'c' } }, { payload: { id: 'c', x: 1 } }],
		['event', { event: { id: 'c', type: 'a.b', x: 1 } }, { event: { id: 'c', type: 'a.b', x: 2 } }],
		['the id in it', { payload: { id: 'c', event_id: 1 } }, { payload: { id: 'c', event_id: 2 } }],
		['a rounded id', { event_id: 2 ** 60, payload: event }, { event_id: 2 ** 60, payload: {} }],
	])('%s, and different values separate two events', (_by, one, other) =>
		expect(missedIn(failed(one), failed(other))).toHaveLength(2),
	);
});

test('an event of an earlier attempt is used if the newest has none', () => {
	const payload = { type: 'call.completed', data: { call_id: 'c-9' } };
	const missed = missedIn(attempt(10, 'failed', { payload }), attempt(12, 'failed'));
	expect(missed).toMatchObject([{ details: { id: 'atm_12', event: payload } }]);
});

test('an event is overdue from its minimum age on, and never without a time', () => {
	const [missed] = missedIn(attempt(10, 'failed'));
	const due = Date.parse(at(25));
	expect(isOld(missed!, 15 * 60_000, due)).toBe(true);
	expect(isOld(missed!, 15 * 60_000, due - 1)).toBe(false);
	expect(isOld(missed!, 0, Date.parse(at(10)))).toBe(true);
	expect(isOld({ ...missed!, lastAttemptAt: null }, 0, now)).toBe(false);
});

test('an event that nests too deep counts as one that the log does not hold', () => {
	const nested = JSON.parse('{"a":['.repeat(1e5) + ']}'.repeat(1e5)) as IDataObject;
	for (const name of ['payload', 'event', 'request', 'response', 'error', 'type', 'attempts']) {
		const [missed] = missedIn(attempt(10, 'failed', { [name]: nested, attempt: 1 }));
		expect(missed).toMatchObject({ keys: ['record evt_1'], details: { event: null } });
	}
	const text = '['.repeat(1e5) + ']'.repeat(1e5);
	expect(missedIn(attempt(10, 'failed', { payload: text }))).toHaveLength(1);
});
