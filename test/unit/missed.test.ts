import type { IDataObject } from 'n8n-workflow';

import { readDeliveryDetails } from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';
import { findMissed, isOld } from '../../nodes/VoiceAgent/deliveryLog/missed';

const url = 'https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=***';
const read = (record: IDataObject, id = 'we_1') => ({
	record,
	details: readDeliveryDetails(record, { id, url }),
});
const missedIn = (...records: IDataObject[]) => findMissed(records.map((one) => read(one)));
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
	test.each<[string, IDataObject[], object]>([
		['if its only attempt failed', [attempt(10, 'failed')], { reason: 'failed', attempts: 1 }],
		[
			'if all attempts failed',
			[attempt(10, 'failed'), attempt(12, 'failed')],
			{ attempts: 2, lastAttemptAt: at(12) },
		],
		[
			'if n8n answered while it was starting',
			[attempt(10, 'failed'), attempt(12, 'delivered', starting)],
			{ reason: 'starting', attempts: 2 },
		],
		['if a web page answered', [attempt(10, 'delivered', page)], { reason: 'failed' }],
		[
			'if all attempts failed at unknown times',
			[attempt(10, 'failed', { attempted_at: null }), attempt(12, 'failed')],
			{ attempts: 2, lastAttemptAt: null },
		],
		[
			'with the number of attempts that the log states',
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
		['the id in the event', { payload: { id: 'e' } }, { payload: { id: 'e', x: 1 } }],
		['delivery_id', { id: 1, delivery_id: 'd' }, { id: 2, delivery_id: 'd' }],
		[
			'delivery_id alone',
			{ id: 1, delivery_id: 'd', payload: { id: 'e' } },
			{ id: 2, delivery_id: 'd' },
		],
		['the id in it', { guid: 'd', payload: { id: 'e' } }, { guid: 'f', payload: { id: 'e' } }],
		['a guid', { id: 1, guid: 'd' }, { id: 2, guid: 'd' }],
		['the same event', { id: 1, request_body: event }, { id: 2, request_body: event }],
		['the id of the record', { id: 1, attempt: 1 }, { id: 1, attempt: 2 }],
		['the same record', {}, {}],
	])('%s', (_by, one, other) => expect(missedIn(failed(one), failed(other))).toHaveLength(1));

	test.each<[string, IDataObject, IDataObject]>([
		['event_id', { delivery_id: 'd', event_id: 'e' }, { delivery_id: 'd', event_id: 'f' }],
		['delivery_id', { delivery_id: 'd', payload: event }, { delivery_id: 'e', payload: event }],
		['the id of the record', { id: 1 }, { id: 2 }],
		// The ID in the event may be the ID of its call.
		['type', { payload: { id: 'c', type: 'a.b' } }, { payload: { id: 'c', type: 'a.c' } }],
		['event', { event: { id: 'c', type: 'a.b', x: 1 } }, { event: { id: 'c', type: 'a.c', x: 1 } }],
		['the id in it', { payload: { id: 'c', event_id: 1 } }, { payload: { id: 'c', event_id: 2 } }],
		[
			'a rounded id',
			{ event_id: 2 ** 60, payload: event },
			{ event_id: 2 ** 60, payload: { x: 2 } },
		],
	])('%s, and different values separate two events', (_by, one, other) =>
		expect(missedIn(failed(one), failed(other))).toHaveLength(2),
	);
});

test('attempts at different endpoints have different events', () => {
	const log = [read(attempt(10, 'failed')), read(attempt(12, 'delivered'), 'we_2')];
	expect(findMissed(log)).toMatchObject([{ keys: ['we_1 evt_1', 'we_1 record atm_10'] }]);
});

test('an event of an earlier attempt is used if the newest has none', () => {
	const payload = { type: 'call.completed', data: { call_id: 'c-9' } };
	const missed = missedIn(attempt(10, 'failed', { payload }), attempt(12, 'failed'));
	expect(missed).toMatchObject([{ details: { id: 'atm_12', event: payload } }]);
});

test('an event is overdue from its minimum age on, and never without a time', () => {
	const [missed] = missedIn(attempt(10, 'failed'));
	const now = Date.parse(at(25));
	expect(isOld(missed!, 15 * 60_000, now)).toBe(true);
	expect(isOld(missed!, 15 * 60_000, now - 1)).toBe(false);
	expect(isOld(missed!, 0, Date.parse(at(10)))).toBe(true);
	expect(isOld({ ...missed!, lastAttemptAt: null }, 0, now)).toBe(false);
});
