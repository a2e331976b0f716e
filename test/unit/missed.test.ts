import type { IDataObject } from 'n8n-workflow';

import { readAttempt } from '../../nodes/VoiceAgent/log/attempts';
import { findEvents } from '../../nodes/VoiceAgent/log/missed';
import { assertNewestRead, isNewestFirst } from '../../nodes/VoiceAgent/log/requestLog';

const url = 'https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=***';
const now = Date.parse('2026-05-04T09:00:00.000Z');
const missedIn = (...records: IDataObject[]) =>
	findEvents(
		records.map((record) => readAttempt(record, { id: 'we_1', url })).toReversed(),
		now,
	).filter(({ isMissed }) => isMissed);
const at = (minute: number) => `2026-05-04T08:${minute}:00.000Z`;
const attempt = (minute: number, status: string, more: IDataObject = {}) => ({
	id: `atm_${minute}`,
	status,
	event_id: 'evt_1',
	attempted_at: at(minute),
	...more,
});
const failed = (minute: number, more?: IDataObject) => attempt(minute, 'failed', more);
const arrived = (minute: number, more?: IDataObject) => attempt(minute, 'delivered', more);
const UNNAMED = { event_id: null };
const COMPLETED = { type: 'call.completed', call_id: 'c-9' };
/** A delivery whose log has an id for each attempt, and none for the event. */
const attemptOf = (id: string) => ({ ...UNNAMED, delivery_id: id, payload: COMPLETED });
const OTHER = { event_id: 'evt_2' };
const UNTIMED = { attempted_at: null };
const starting = { response_status: 200, response_body: 'n8n is starting up. Please wait' };

/** A record that lists the attempts of its delivery. */
const listing = (...attempts: IDataObject[]) => ({
	...{ id: 'dlv_1', event_id: 'evt_1', sent_at: at(10) },
	attempts: attempts.map((one, index) => ({ timestamp: at(10 + index), ...one })),
});

// Promise: An event of the log counts as missed if its newest attempt failed and none arrived.
test.each<[string, IDataObject[], object]>([
	['if its only attempt failed', [failed(10)], { reason: 'failed', attempts: 1 }],
	['if n8n was starting', [failed(10), arrived(12, starting)], { reason: 'starting', attempts: 2 }],
	['if its next attempt is overdue', [failed(10, { next_attempt_at: at(59) })], { attempts: 1 }],
	['at unknown times', [failed(10, UNTIMED), failed(12)], { attempts: 2, lastAttemptAt: null }],
	['if it got no answer', [attempt(10, '', { response_status: 0 }), arrived(11, OTHER)], {}],
	[
		'with the time of its newest listed attempt',
		[listing({ status_code: 503 }, { status_code: 503 })],
		{ lastAttemptAt: at(11) },
	],
	['after the stated number of attempts', [failed(10, { attempt: 4 })], { attempts: 4 }],
])('an event is missed %s', (_when, records, missed) => {
	expect(missedIn(...records)).toEqual([expect.objectContaining(missed)]);
	expect(missedIn(...records.reverse())).toEqual([expect.objectContaining(missed)]);
});

test.each<[string, IDataObject[]]>([
	['if a later attempt arrived', [failed(10), arrived(12)]],
	['if an earlier attempt arrived', [arrived(10), failed(12)]],
	['if the newest attempt is under way', [failed(10), attempt(12, 'pending')]],
	[
		'if any listed attempt arrived',
		[attempt(10, '', { attempts: [{ response_status: 200 }, { response_status: 503 }] })],
	],
	['if the outcome is unknown', [attempt(10, 'unheard-of')]],
	['if it got no answer yet', [attempt(50, ''), arrived(40, OTHER)]],
	[
		'if an answer is all that is known',
		[attempt(10, '', { response_body: 'ok' }), arrived(11, OTHER)],
	],
	...[
		{ nextAttempt: '2026-05-04 09:00:01' },
		{ retry_at: now + 1 },
		{ scheduled_at: at(10), next_retry: '2026-05-04T11:00:01+02:00' },
		{ attempts: [{ response_status: 503, scheduled_for: '2026-05-04T09:00:01Z' }] },
	].map((next): [string, IDataObject[]] => [
		`if the log states a later attempt: ${JSON.stringify(next)}`,
		[failed(10, { response_status: 503, ...next }), failed(12)],
	]),
	[
		'if an equal payload arrived, with another id of the attempt',
		[failed(10, attemptOf('d1')), arrived(12, attemptOf('d2'))],
	],
	['if one at an unknown time is under way', [failed(10, UNTIMED), attempt(12, 'pending')]],
])('an event is not missed %s', (_when, records) => expect(missedIn(...records)).toEqual([]));

const record = (more: IDataObject) => ({ status: 'failed', ...more });
const named = { delivery_id: 'd' };
/** It may be of any call. */
const THIN = { type: 'call.completed' };
const event = { type: 'call.completed', call_id: 'c-9' };
test.each<[string, IDataObject, IDataObject]>([
	['event_id', { id: 1, event_id: 'e' }, { id: 2, event_id: 'e' }],
	['event.id', { id: 1, event: { id: 'e', type: 'x.y' } }, { id: 2, event: { id: 'e' } }],
	['an event.id in it', { payload: { event: { id: 'e' } } }, { event_id: 'e' }],
	['delivery_id', { id: 1, delivery_id: 'd' }, { id: 2, delivery_id: 'd' }],
	['delivery_id before it', { id: 1, ...named, payload: { id: 'e' } }, { id: 2, ...named }],
	['the same event', { id: 1, request_body: event }, { id: 2, request_body: event }],
	[
		'an id of its call, if one states no type',
		{ event_id: 'c', event_type: 'a.b' },
		{ event_id: 'c' },
	],
])('two attempts of one event are found by %s', (_by, one, other) =>
	expect(missedIn(record(one), record(other))).toHaveLength(1),
);

test.each<[string, IDataObject, IDataObject]>([
	['event_id', { event_id: 'e' }, { event_id: 'f' }],
	['delivery_id', { ...named, payload: THIN }, { delivery_id: 'e', payload: THIN }],
	['the type', { event_id: 'c', event_type: 'a.b' }, { event_id: 'c', event_type: 'a.c' }],
	['the id of a record with attempts', { id: 1, attempts: [{}] }, { id: 2, attempts: [{}] }],
	// The ID in the event may be the ID of its call.
	['payload', { payload: { id: 'c' } }, { payload: { id: 'c', x: 1 } }],
	['the id in it', { payload: { id: 'c', event_id: 1 } }, { payload: { id: 'c', event_id: 2 } }],
])('two events differ by %s', (_by, one, other) =>
	expect(missedIn(record(one), record(other))).toHaveLength(2),
);

test('failures without an id and a payload are told apart from none of their type', () => {
	const missed = missedIn(failed(10, UNNAMED), arrived(11, UNNAMED), failed(12, UNNAMED));
	expect(missed).toMatchObject([
		{ isIdentified: false, attempts: 1 },
		{ isIdentified: false, attempts: 1 },
	]);
});

test('an event of an earlier attempt is used if the newest has none', () => {
	const payload = { type: 'call.completed', data: { call_id: 'c-9' } };
	const missed = missedIn(failed(10, { payload }), failed(12));
	expect(missed).toMatchObject([{ details: { id: 'atm_12', event: payload } }]);
});

test('an event that nests too deep counts as one that the log does not hold', () => {
	const nested = JSON.parse('{"a":['.repeat(1e5) + ']}'.repeat(1e5)) as IDataObject;
	for (const name of ['payload', 'event', 'request', 'response', 'error', 'type', 'attempts']) {
		const [missed] = missedIn(failed(10, { [name]: nested, attempt: 1 }));
		expect([missed!.identity.ids[0], missed!.details.event]).toEqual(['evt_1', null]);
	}
	const text = '['.repeat(1e5) + ']'.repeat(1e5);
	expect(missedIn(failed(10, { payload: text }))).toHaveLength(1);
});

test.each<[string, IDataObject[], boolean]>([
	['that begins with the newest', [failed(12), failed(11), failed(10)], true],
	['with the records of one second', [failed(10), failed(10)], true],
	['that begins with the oldest', [failed(10), failed(11), failed(12)], false],
	['without times', [failed(10, UNTIMED), failed(11, UNTIMED)], false],
])('the newest attempts of an incomplete log %s', (_how, records, areRead) => {
	const value = records.map((record) => readAttempt(record, { id: 'we_1', url }));
	const log = { value, complete: false, beginsWithNewest: isNewestFirst(value) };
	const check = () => assertNewestRead({ getNode: () => ({}) } as never, log);
	if (areRead) expect(check).not.toThrow();
	else expect(check).toThrow('does not begin with the newest');
});
