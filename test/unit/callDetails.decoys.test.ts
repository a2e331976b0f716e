import type { IDataObject } from 'n8n-workflow';

import { readCallDetails, type CallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { FOLDERS, judgeEvent, readPayloads } from '../support/callPayloads';
import { DECOYS } from '../support/decoys';

const CUSTOMER = '+14155550123';
const AGENT = '+493023125100';
const CALL = { call_id: 'c1', direction: 'inbound', from: CUSTOMER, to: AGENT };
const UNDISTURBED = readCallDetails(CALL);
const PERSON = { name: 'Dora Decoy', email: 'dora@decoy.example', phone: '+442079460999' };
const LAST_CALL = {
	id: 'decoy',
	direction: 'outbound',
	from: AGENT,
	to: PERSON.phone,
	duration: 9,
};

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const decoys = Object.entries(DECOYS).flatMap(([kind, fields]) =>
	Object.entries(fields).map(([name, value]) => [kind, name, value] as const),
);

// Promise: An object that is not of the call gives no value.
test.each(decoys)('%s: nothing is read from %s', (_, name, value) => {
	const events: Record<string, IDataObject> = {
		'beside the call': { ...CALL, [name]: value },
		'before the call': { [name]: value, ...CALL },
		'in camel case': { ...CALL, [camel(name)]: value },
		'in a list': { ...CALL, [name]: [value] },
		'in an envelope': { data: { call: { ...CALL, [name]: value } } },
		'beside an envelope': { [name]: value, payload: CALL },
	};
	const read = Object.entries(events).map(([place, event]) => [place, readCallDetails(event)]);
	expect(read).toEqual(Object.keys(events).map((place) => [place, UNDISTURBED]));
});

test.each<[string, IDataObject]>([
	['the only call of the customer', { ...CALL, contact: { calls: [LAST_CALL] } }],
	['a realtor', { ...CALL, lead: { realtor: PERSON } }],
	['texts of a customer', { ...CALL, customer: { plan: 'Gold', city: 'Lagos' } }],
	['the user of a line', { ...CALL, phone_number: { user: PERSON } }],
	["a contact at the agent's end", { ...CALL, to: { number: AGENT, contact: PERSON } }],
	['an e-mail among metadata', { ...CALL, metadata: { client_email: PERSON.email } }],
	['an escalation', { ...CALL, escalation: { contact: PERSON } }],
	['an id as a customer', { ...CALL, from: CUSTOMER, customer: 48291177 }],
	['an id of a caller', { ...CALL, caller_id: '48291177', caller_phone: CUSTOMER }],
	['a status around a call', { status: 'success', code: 200, data: { call: CALL } }],
	['a message around a call', { message: 'ok', result: 'success', call: CALL }],
	['a text message', { ...CALL, sms: { from: AGENT, to: PERSON.phone, status: 'sent' } }],
	['a part of a call', { ...CALL, amd: { result: 'machine', duration: 3000 } }],
	['a voicemail', { ...CALL, voicemail: { recording_url: 'https://a.example/v' } }],
	['a status in a call', { ...CALL, item: { id: 'i', status: 'cancelled' } }],
	['an image', { ...CALL, media: { url: 'https://a.example/logo.png' } }],
	["a CRM's record", { ...CALL, record_url: 'https://a.example/crm/7' }],
])('nothing is read from %s', (_, event) => {
	expect(readCallDetails(event)).toEqual(UNDISTURBED);
});

test.each<[string, IDataObject, CallDetails['person']]>([
	['a workspace', { from: 'anonymous', workspace: { contact: PERSON } }, 'withheld'],
	['a physician', { from: 'anonymous', patient: { primaryPhysician: PERSON } }, 'withheld'],
	['a customer number', { from: 'anonymous', customer_number: '10045678' }, 'withheld'],
	['a patient number', { from: 'anonymous', patient_number: 4829117712 }, 'withheld'],
	['an invalid host', { from: 'anonymous@anonymous.invalid' }, 'withheld'],
	['an invalid e-mail', { from: '', customer_email: 'x@anonymous.invalid' }, 'unknown'],
	['a number as an e-mail', { from: '', customer_email: `${CUSTOMER}@sms.example` }, 'unknown'],
	['an account owner', { from: null, type: 'web_call', user: { ...PERSON, role: 'admin' } }, 'web'],
	['the users of a workspace', { from: null, type: 'web_call', users: [PERSON] }, 'web'],
])('a caller without a number is not found by %s', (_, event, state) => {
	const { person, customer } = readCallDetails({ ...CALL, ...event });
	expect({ person, customer }).toEqual({
		person: state,
		customer: { phone: null, name: null, email: null },
	});
});

// Promise: Other objects beside a call of a real service give no wrong value.
test.each(Object.entries(DECOYS))(
	'%s: nothing is read wrongly beside the calls of real services',
	(_, fields) => {
		let [kept, of] = [0, 0];
		for (const payload of FOLDERS.flatMap(readPayloads)) {
			const before = judgeEvent(payload).found;
			const body = { ...fields, ...payload.body };
			const { found, wrong } = judgeEvent({ ...payload, body });
			expect({ wrong, body }).toEqual({ wrong: [], body });
			of += before.length;
			kept += before.filter((field) => found.includes(field)).length;
		}
		expect(kept / of).toBeGreaterThanOrEqual(0.95);
	},
);
