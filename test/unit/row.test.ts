/** The trigger's output Table Row. */
import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { toRow } from '../../nodes/VoiceAgent/callDetails/row';
import { FOLDERS, readMisleading, readPayloads } from '../support/events/callPayloads';
import { CALL, COMPLETED, outcomeOf } from '../support/events/judging';

const rowsOf = (body: unknown, headers = {}, settings = {}) =>
	outcomeOf({ body, headers }, { events: ['*'], output: 'row', ...settings }) as IDataObject[];

test('a row has a column for each value that is known, and no other', () => {
	expect(rowsOf({ ...COMPLETED, data: { ...CALL, customer_name: 'Ada Lovelace' } })).toEqual([
		{
			call_id: 'call_81',
			person: 'found',
			direction: 'inbound',
			customer_phone: '+14155550100',
			customer_name: 'Ada Lovelace',
			customer_first_name: 'Ada',
			customer_last_name: 'Lovelace',
			agent_phone: '+493055501',
			started_at: '2026-01-31T09:01:00.000Z',
			ended_at: '2026-01-31T09:04:10.000Z',
			duration_seconds: 190,
		},
	]);
});

test('columns of one name are numbered', () => {
	const custom_analysis_data = { a: 1, 'a!': 2, 'a-': 3, 'a 1': 4, 'a?': 5 };
	const [row] = rowsOf({ ...COMPLETED, data: { ...CALL, custom_analysis_data } });
	const names = [
		'collected_a',
		'collected_a_1',
		'collected_a_2',
		'collected_a_1_1',
		'collected_a_3',
	];
	expect(names.map((name) => row?.[name])).toEqual([1, 2, 3, 4, 5]);
});

test('the values of delivery details are columns, too', () => {
	const settings = { deliveryDetails: true };
	expect(rowsOf(COMPLETED, { 'webhook-id': 'msg_1' }, settings)).toMatchObject([
		{
			call_id: 'call_81',
			delivery_id: 'msg_1',
			delivery_event_type: 'call.completed',
			delivery_received_at: '2023-11-14T22:13:20.000Z',
			delivery_headers_webhook_id: 'msg_1',
		},
	]);
});

test.each<[string, unknown, object, unknown]>([
	['the call', { id: 'evt_1', call_id: 'c1' }, { 'webhook-id': 'msg_1' }, 'c1'],
	['the event', { event_id: 'evt_1', id: 'x' }, { 'webhook-id': 'msg_1' }, 'evt_1'],
	['the body', { type: 'agent.updated', id: 'evt_1' }, { 'webhook-id': 'msg_1' }, 'evt_1'],
	['the delivery', { type: 'agent.updated' }, { 'webhook-id': 'msg_1' }, 'msg_1'],
	['nothing', { type: 'agent.updated' }, {}, expect.stringMatching(/^[\w-]{43}$/)],
	['a text', 'text', {}, expect.stringMatching(/^[\w-]{43}$/)],
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
	[{ ok: false, none: null, empty: '' }, { collected_ok: false }],
	[
		{ slot: 1, Slot: 2 },
		{ collected_slot: 1, collected_slot_1: 2 },
	],
	[{ '?': 1 }, { collected: 1 }],
])('the collected data %j has the columns %j', (collected, columns) => {
	const row = toRow(readCallDetails({ call_id: 'c1', extracted_data: collected }), 'c1');
	expect(row).toEqual({ call_id: 'c1', ...columns });
});

const COLUMNS = `call_id person test direction customer_phone customer_name customer_first_name
	customer_last_name customer_email agent_id agent_name agent_phone started_at ended_at
	duration_seconds outcome summary transcript recording_url`.split(/\s+/);
const EVENTS = [...FOLDERS.flatMap(readPayloads), ...readMisleading()];

test('the row of every payload is flat, has known columns, no null, and a call_id', () => {
	for (const { body } of EVENTS) {
		for (const row of rowsOf(body)) {
			expect(row.call_id).toMatch(/./);
			const others = Object.keys(row).filter((key) => !COLUMNS.includes(key));
			expect(others.filter((key) => !/^collected_[a-z\d_]+$/.test(key))).toEqual([]);
			const types = Object.values(row).map((value) => typeof value);
			expect(types.filter((type) => !['string', 'number', 'boolean'].includes(type))).toEqual([]);
		}
	}
});

test('of two events of a call, each leaves what only the other one has', () => {
	const later = { type: 'call.analyzed', summary: 'Later.', extracted_data: { rating: 5 } };
	let merged = 0;
	for (const { body } of EVENTS) {
		const { id } = readCallDetails(body);
		if (id === null) continue;
		const [first = {}] = rowsOf(body);
		const [second = {}] = rowsOf({ ...later, call_id: id });
		for (const [one, other] of [
			[first, second],
			[second, first],
		] as const) {
			const table = new Map<unknown, IDataObject>();
			for (const row of [one, other]) {
				table.set(row.call_id, { ...table.get(row.call_id), ...row });
			}
			expect([...table]).toEqual([[id, { ...one, ...other }]]);
			expect(table.get(id)).toMatchObject({
				...second,
				...first,
				summary: other.summary ?? one.summary,
			});
			merged++;
		}
	}
	expect(merged).toBeGreaterThan(400);
});
