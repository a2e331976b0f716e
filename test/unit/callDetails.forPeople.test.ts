/** What call details hold for people: parts of names, collected data, title and text. */
import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';
import { toRow } from '../../nodes/VoiceAgent/callDetails/writing';

const CALL = { call_id: 'c1', direction: 'inbound', from: '+14155550187', to: '+14155550100' };

const read = (event: object, options = {}) => readCallDetails({ ...CALL, ...event }, options);
const mappingOf = (paths: Record<string, string>) =>
	readMapping({ fields: Object.entries(paths).map(([detail, path]) => ({ detail, path })) })
		.mapping;

test.each<[string, string | null, string | null]>([
	['Ada Lovelace', 'Ada', 'Lovelace'],
	['Jean-Luc O’Brien', 'Jean-Luc', 'O’Brien'],
	// The order or the parts are unsure.
	['Lovelace', null, null],
	['Ada Augusta King', null, null],
	['Ada van der Berg', null, null],
	['Lovelace, Ada', null, null],
	['Dr. Hopper', null, null],
	['King Jr', null, null],
	['King Junior', null, null],
	['King Iv', null, null],
	['山田 太郎', null, null],
	['Ada LOVELACE', null, null],
])('the name %j has the parts %j and %j', (name, firstName, lastName) => {
	expect(read({ customer_name: name }).customer).toMatchObject({ name, firstName, lastName });
});

test.each<[string, IDataObject, Array<string | null>]>([
	['both', { first_name: 'Ada Augusta', last_name: 'King Noel' }, ['Ada Augusta', 'King Noel']],
	['one beside the name', { name: 'Ada King Noel', first_name: 'Ada' }, ['Ada', null]],
	['the other one', { name: 'Ada King', last_name: 'King' }, [null, 'King']],
	['a last name only', { last_name: 'Okafor' }, [null, 'Okafor']],
	['a placeholder', { first_name: 'Unknown', last_name: 'Okafor' }, [null, 'Okafor']],
	['two people', { name: 'Nora Okafor', first_name: 'Ada', last_name: 'King' }, [null, null]],
])('stated parts of a name: %s', (_, customer, parts) => {
	const { firstName, lastName } = read({ customer }).customer;
	expect([firstName, lastName]).toEqual(parts);
});

test('the name of the last contact is no last name', () => {
	const { customer } = read({ call_id: 'c1', caller_name: 'Ada', last_contact_name: 'Olga' });
	expect(customer).toMatchObject({ name: 'Ada', lastName: null });
});

test.each<[Record<string, string>, object]>([
	[{ 'customer.name': 'n' }, { name: 'Nora Okafor', firstName: 'Nora', lastName: 'Okafor' }],
	[
		{ 'customer.firstName': 'v', 'customer.lastName': 'n' },
		{ name: 'Ada Nora Okafor', firstName: 'Ada', lastName: 'Nora Okafor' },
	],
	[
		{ 'customer.name': 'n', 'customer.lastName': 'missing' },
		{ name: 'Nora Okafor', firstName: 'Nora', lastName: null },
	],
])('the mapping %j reads the name', (paths, customer) => {
	expect(read({ v: 'Ada', n: 'Nora Okafor' }, { mapping: mappingOf(paths) })).toMatchObject({
		customer,
	});
});

const VALUES = { slot: 'Monday', newPatient: true, guests: 2 };
const LIST = Object.entries(VALUES).map(([name, value]) => ({ name, value, rationale: 'said so' }));

test.each<[string, IDataObject, IDataObject | null]>([
	['Retell', { call_analysis: { custom_analysis_data: VALUES } }, VALUES],
	['a list', { data_collection_results_list: LIST }, VALUES],
	['JSON text', { extracted_variables: JSON.stringify(VALUES) }, VALUES],
	['a value with a flag', { collected_variables: { a: { value: 1, collected: true } } }, { a: 1 }],
	[
		'values of their own',
		{ extracted_data: { a: { value: 5, currency: 'EUR' } } },
		{ a: { value: 5, currency: 'EUR' } },
	],
	['the surest place', { structured_data: { a: 1 }, extracted_data: { a: 2 } }, { a: 1 }],
	['two different places', { structured_data: { a: 1 }, structured_output: { a: 2 } }, null],
	['an unknown value', { structured_data: { a: '', b: 2 } }, { a: null, b: 2 }],
	['a flag', { collected: true }, null],
	['what the call began with', { dynamic_variables: VALUES, input_variables: VALUES }, null],
	['metadata', { metadata: VALUES, custom_data: VALUES }, null],
	['another call', { last_call: { structured_data: VALUES } }, null],
	[
		'names that all objects have',
		{
			structured_data: JSON.parse('{"toString":"a","__proto__":"b","c":1}') as object,
		},
		{ c: 1 },
	],
])('collected data of %s', (_, event, collected) => {
	expect(read(event).collected).toEqual(collected);
});

test('the mapping reads collected data at its path', () => {
	const mapping = mappingOf({ collected: 'form.answers' });
	expect(read({ form: { answers: VALUES }, extracted_data: { a: 1 } }, { mapping })).toMatchObject({
		collected: VALUES,
	});
});

test.each<[object, string]>([
	[{}, 'Call with +14155550187'],
	[{ customer_name: 'Ada King', duration_seconds: 187 }, 'Call with Ada King, 3 min'],
	[{ duration_ms: 45_000, outcome: 'no_answer' }, 'Call with +14155550187, 45 s: no answer'],
	[{ duration_seconds: 3900 }, 'Call with +14155550187, 1 h 5 min'],
	[{ from: 'anonymous', outcome: 'voicemail' }, 'Call with a hidden number: voicemail'],
	[{ from: '', to: '', type: 'web_call' }, 'Call with a website visitor'],
	[{ from: '', to: '' }, 'Call'],
	// No character is cut in two.
	[{ customer_name: `${'A'.repeat(189)}😀` }, `Call with ${'A'.repeat(189)}`],
])('the call %j has the title %j', (event, title) => {
	expect(read(event).title).toBe(title);
});

test.each<[string, IDataObject, IDataObject]>([
	['a flag of the event', { test: true }, {}],
	['a flag of the call', { call: { call_id: 'c1', is_test: 'true' } }, {}],
	['its type', { type: 'call.completed.test' }, {}],
	['the request', {}, { isTest: true }],
])('a test says so in title, text and row: by %s', (_, event, options) => {
	const details = read(event, options);
	expect(details).toMatchObject({
		...{ person: 'found', test: true, title: 'Test: Call with +14155550187' },
		text: expect.stringMatching(/^Test: yes\nPhone/) as string,
	});
	expect(toRow(details, 'c1')).toMatchObject({ call_id: 'c1', test: true });
});

test.each([
	{ test: false },
	{ topic: 'blood test' },
	{ type: 'test_drive.booked' },
	{ test: 'HIV', sample: 2 },
])('the event %j is no test', (event) => {
	const details = read(event);
	expect([details.test, details.title]).toEqual([false, 'Call with +14155550187']);
	expect(toRow(details, 'c1')).not.toHaveProperty('test');
});

test('the text has the summary, then a line for each value that is known, in the time zone of the workflow', () => {
	const event = {
		agent: { id: 'a1', name: 'Reception' },
		started_at: '2026-01-31T09:01:00Z',
		ended_at: '2026-01-31T09:04:07Z',
		outcome: 'appointment_booked',
		summary: 'A visit.\r\nPhone: none',
		extracted_data: {
			new_patient: true,
			newSlot: null,
			symptoms: ['cough', 'fever'],
			note: 'a\nb',
		},
		transcript: 'Agent: Hello',
	};
	expect(read(event, { timezone: 'Europe/Berlin' }).text.split('\n')).toEqual([
		'A visit.',
		'  Phone: none',
		'Phone: +14155550187',
		'Call: 31 Jan 2026, 10:01 (Europe/Berlin), 3 min, inbound',
		'Agent: Reception',
		'Outcome: appointment booked',
		'New patient: yes',
		'Symptoms: cough, fever',
		'Note: a',
		'  b',
		'Agent ID: a1',
		'Call ID: c1',
	]);
	expect(read(event, { timezone: 'Nowhere/Land' }).text).toContain('09:01 (UTC)');
	const { text } = read({ ended_at: event.ended_at, direction: null });
	expect(text).toContain('Call: until 31 Jan 2026, 09:04 (UTC)\n');
});

test.each<[object, string]>([
	[{ type: 'contact.created' }, 'Call without known details'],
	[{ type: 'call.ended', transcript: 'Agent: Hello' }, 'Call'],
	[{ type: 'call.ended', transcript: 'N/A', summary: '{{summary}}' }, 'Call without known details'],
])('the event %j has the text %j', (event, text) => {
	expect(readCallDetails(event as IDataObject)).toMatchObject({ title: text, text });
});
