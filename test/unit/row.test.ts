/** The trigger's output Table Row. */
import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { toRow } from '../../nodes/VoiceAgent/callDetails/writing';
import { FOLDERS, readMisleading, readPayloads } from '../support/events/callPayloads';
import { CALL, COMPLETED, outcomeOf } from '../support/events/judging';

const rowsOf = (body: unknown, headers = {}, settings = {}) =>
	outcomeOf({ body, headers }, { events: ['*'], output: 'row', ...settings }) as IDataObject[];

test('a row has a column for each value that is known, and no other', () => {
	expect(rowsOf({ ...COMPLETED, data: { ...CALL, customer_name: 'Ada Lovelace' } })).toEqual([
		{
			date: '2026-01-31 09:01',
			customer_name: 'Ada Lovelace',
			customer_phone: '+14155550100',
			duration_minutes: 3.2,
			direction: 'inbound',
			agent_phone: '+493055501',
			customer_first_name: 'Ada',
			customer_last_name: 'Lovelace',
			started_at: '2026-01-31T09:01:00.000Z',
			ended_at: '2026-01-31T09:04:10.000Z',
			duration_seconds: 190,
			person: 'found',
			call_id: 'call_81',
		},
	]);
});

test('the values of delivery details are columns, too, without headers that may be secret', () => {
	const headers = { 'webhook-id': 'msg_1', authorization: 'Bearer s3cret' };
	const [row] = rowsOf(COMPLETED, headers, { deliveryDetails: true });
	expect(row).toMatchObject({
		call_id: 'call_81',
		delivery_id: 'msg_1',
		delivery_event_type: 'call.completed',
		delivery_received_at: '2023-11-14T22:13:20.000Z',
		delivery_headers_webhook_id: 'msg_1',
	});
	expect(row).not.toHaveProperty('delivery_headers_authorization');
});

test.each<[string, unknown, object, unknown]>([
	['the call', { id: 'evt_1', call_id: 'c1' }, { 'webhook-id': 'msg_1' }, 'c1'],
	['the event', { event_id: 'evt_1', id: 'x' }, { 'webhook-id': 'msg_1' }, 'evt_1'],
	['the body', { type: 'agent.updated', id: 'evt_1' }, { 'webhook-id': 'msg_1' }, 'evt_1'],
	['the delivery', { type: 'agent.updated' }, { 'webhook-id': 'msg_1' }, 'msg_1'],
	['nothing', { type: 'agent.updated' }, {}, expect.stringMatching(/^[\w-]{43}$/)],
])('call_id is the id of %s', (_, body, headers, id) => {
	expect(rowsOf(body, headers)).toMatchObject([{ call_id: id as string }]);
	expect(rowsOf(body, headers)).toEqual(rowsOf(body, headers));
});

test('events of a batch do not share the id of their delivery', () => {
	const events = [{ type: 'call.ended', from: '+14155550100' }, { type: 'call.ended' }];
	const [one, other] = rowsOf({ events }, { 'webhook-id': 'msg_1' });
	expect(one?.call_id).not.toBe(other?.call_id);
});

test.each<[object, object]>([
	[{ newSlot: 'Monday' }, { collected_new_slot: 'Monday' }],
	[{ 'Größe (cm)': 180 }, { collected_grosse_cm: 180 }],
	[{ имя: 'Ада' }, { collected_имя: 'Ада' }],
	[{ address: { city: 'Oslo', zip: null } }, { collected_address_city: 'Oslo' }],
	[{ symptoms: ['cough', 'fever'] }, { collected_symptoms: 'cough, fever' }],
	[{ visits: [{ day: 1 }] }, { collected_visits: '[{"day":1}]' }],
	[{ ok: false, none: null, empty: '', noted: [], more: {} }, { collected_ok: false }],
	[{ slot: 1, Slot: 2 }, { collected_slot: 1 }],
	[{ '?': 1 }, { collected: 1 }],
])('the collected data %j has the columns %j', (collected, columns) => {
	const details = readCallDetails({ call_id: 'c1', extracted_data: collected });
	const row = toRow(details, 'c1', { eachCollected: true });
	expect(row).toEqual({ ...columns, call_id: 'c1' });
});

test('by default, collected data have one column, with a line for each value', () => {
	const extracted_data = {
		appointment_day: 'Monday',
		newPatient: true,
		note: 'a\nb',
		fax: null,
		x: [],
	};
	expect(toRow(readCallDetails({ call_id: 'c1', extracted_data }), 'c1')).toEqual({
		collected: 'Appointment day: Monday\nNew Patient: yes\nNote: a\n  b',
		call_id: 'c1',
	});
});

const COLUMNS = `date customer_name customer_phone outcome summary duration_minutes direction
	customer_email collected transcript recording_url agent_id agent_name agent_phone
	customer_first_name customer_last_name started_at ended_at duration_seconds person test
	call_id`.split(/\s+/);

test('a full row has at most 24 columns, those for people first, and no cell that a sheet refuses', () => {
	const summary = 'x'.repeat(60_000);
	const details = readCallDetails({
		...{ ...CALL, summary, transcript: summary, recording: 'https://a.example/1.mp3', test: true },
		...{ outcome: 'booked', customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' },
		...{ agent: { id: 'a1', name: 'Nora' }, extracted_data: { note: summary } },
	});
	const row = toRow(details, 'c1', { timezone: 'America/New_York' });
	expect(Object.keys(row)).toEqual(COLUMNS);
	expect(COLUMNS.length).toBeLessThanOrEqual(24);
	expect(row).toMatchObject({ date: '2026-01-31 04:01', started_at: '2026-01-31T09:01:00.000Z' });
	const lengths = [row.summary, row.transcript, row.collected].map(
		(cell) => `${cell as string}`.length,
	);
	expect(lengths).toEqual([49_000, 49_000, 49_000]);
});

const EVENTS = [...FOLDERS.flatMap(readPayloads), ...readMisleading()];

test('the row of every payload is flat, has known columns, no null, and the ID of its call', () => {
	for (const { body } of EVENTS) {
		const { id } = readCallDetails(body);
		const rows = rowsOf(body);
		if (id !== null) expect(rows[0]?.call_id).toBe(id);
		for (const row of rows) {
			expect(row.call_id).toMatch(/./);
			const others = Object.keys(row).filter((key) => !COLUMNS.includes(key));
			expect(others).toEqual([]);
			const types = Object.values(row).map((value) => typeof value);
			expect(types.filter((type) => !['string', 'number', 'boolean'].includes(type))).toEqual([]);
		}
	}
});
