import type { IDataObject } from 'n8n-workflow';

import { readCustomer } from '../../nodes/VoiceAgent/customerMatch/call';
import { matchCustomers } from '../../nodes/VoiceAgent/customerMatch/match';
import { readCustomerRecord } from '../../nodes/VoiceAgent/customerMatch/record';

const PHONE = '+442079460321';
const call = readCustomer({ call_id: 1, customer_phone: PHONE, person: 5 })!;
const resultOf = (record: IDataObject, customerFields?: string[]) =>
	matchCustomers([call], [readCustomerRecord(record, customerFields)])[0]!.result;

const nothing = { recordId: null, name: '', created: Infinity, isInactive: false };

test.each<[IDataObject, Partial<typeof nothing>]>([
	[{ name: { first: 'Ada', last: 'Lovelace' } }, { name: 'Ada Lovelace' }],
	[{ Name: { title: [{ plain_text: 'Ada' }] } }, { name: 'Ada' }],
	[{ first_name: 'Ada', name: 'Lovelace, Ada' }, { name: 'Lovelace, Ada' }],
	[{ Vorname: 'Ada', Name: 'Reid' }, { name: 'Ada Reid' }],
	[{ name: 'Ada Reid', 'Last Contact': 'Email' }, { name: 'Ada Reid' }],
	[{ NAME: 'Ada', LAST_NAME: 'Reid' }, { name: 'Ada Reid' }],
	[{ first_name: 'Ada', last_name: 'Reid', name: 'Acme' }, { name: 'Ada Reid' }],
	[{ Customer: 'Ada Reid', Phone: PHONE }, { name: 'Ada Reid' }],
	[{ customer: 'cus_8812', Lead: 'Facebook' }, {}],
	[{ 'Nachname, Vorname': 'Reid, Ada' }, { name: 'Reid, Ada' }],
	// Of others than the person.
	[{ company: { id: 1, name: 'ACME', createdate: '2020-01-01', archived: true } }, {}],
	[{ contacts: [{ id: 1, name: 'Ada' }] }, {}],
	// The outer one, and the shorter name.
	[{ data: { id: 2 }, id: 1 }, { recordId: 1 as never }],
	[{ record_id: 2, id: 1, contact_id: 3 }, { recordId: 1 as never }],
	[{ id: { value: 3 } }, { recordId: 3 as never }],
	[{ created: new Date(1.7e12), createdate: '2026-01-01 00:00' }, { created: 1.7e12 }],
	[{ archived: ' False ' }, {}],
	[{ status: 'Closed - Not Converted', converted: 'Yes', deleted: '-' }, {}],
	[{ archived: '1' }, { isInactive: true }],
])('%j is read as %j', (record, expected) => {
	const { recordId, name, created, isInactive } = readCustomerRecord(record);
	expect({ recordId, name, created, isInactive }).toEqual({ ...nothing, ...expected });
});

test.each<[string[], IDataObject, string]>([
	[[], { account: { office_key: PHONE } }, 'unclear'],
	[['Account.Office Key'], { account: { office_key: PHONE } }, 'found'],
	[['Office', 'if any'], { 'Office, if any': PHONE }, 'found'],
	[[], { '#': PHONE }, 'unclear'],
	[['phone'], { owner: { phone: PHONE } }, 'unclear'],
	// The label of the person's name is no other person.
	[[], { name: 'Ada Byron', phones: [{ label: 'Byron, Ada', value: PHONE }] }, 'found'],
	[[], { name: 'Ada Byron', phones: [{ label: 'Grace', value: PHONE }] }, 'unclear'],
	[[], { phones: [{ type: 'mobile', country_code: 'GB', value: PHONE }] }, 'found'],
	[[], { phones: [{ type: 'fax', country_code: 'GB', value: PHONE }] }, 'unclear'],
	[[], { phone: `${PHONE} (Grace, 4th floor)` }, 'unclear'],
	[[], { PersonMobilePhone: PHONE }, 'found'],
	[[], { 'Billing Contact Phone': PHONE }, 'unclear'],
	[[], { phones: [{ relation: 'spouse', value: PHONE }] }, 'unclear'],
	[[], { contacts: [PHONE] }, 'found'],
	// Another's number beside the own one.
	[[], { phone: '+442079460000', fax: '+442079460001' }, 'new'],
	// Writings from which no number, or another one, is read.
	[[], { phone: '020 7946 0321 (9 am to 5 pm)' }, 'unclear'],
	[[], { phone: '020 7946 0000 020 7946 0321' }, 'unclear'],
	[[], { phone: '2079460321.0' }, 'unclear'],
	[[], { notes: `Call her back. ${'She was out. '.repeat(20)} 020 7946 0321` }, 'unclear'],
	[[], { area: '020', phone: '7946 0321' }, 'unclear'],
	[[], { phone: { callingCode: '+44', number: '2079460321', type: null } }, 'found'],
	[[], { phone: { callingCode: ' +1 ', number: '2079460321', type: null } }, 'new'],
	[[], { id: 460321, phone: '020 7946 0000' }, 'new'],
])('with the customer fields %j, %j is %s', (customerFields, record, result) => {
	expect(resultOf(record, customerFields)).toBe(result);
});

test('the addresses of a text are all read', () => {
	const text = 'ada@example.com;  Ada <lovelace@example.com>|mailto:a.king@example.com';
	expect(readCustomerRecord({ email: text }).emails).toEqual([
		'ada@example.com',
		'lovelace@example.com',
		'a.king@example.com',
	]);
	expect(readCustomerRecord({ email: `${text} ${'x'.repeat(1_000)}` }).emails).toEqual([]);
});

test('a customer without a stated person is unknown', () => expect(call.person).toBe('unknown'));

test('of several calls of a new customer, one is new', () => {
	const other = readCustomer({ call_id: '3', customer_phone: '+442079460000' })!;
	const results = matchCustomers([call, other, call], []);
	expect(results.map(({ result }) => result)).toEqual(['new', 'new', 'unclear']);
	expect(results[2]!.reason).toContain('Process calls one by one');
});
