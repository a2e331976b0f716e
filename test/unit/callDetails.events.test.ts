import type { IDataObject } from 'n8n-workflow';

import { readCallDetails, withCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { type CallDetails, DETAIL_KEYS } from '../../nodes/VoiceAgent/callDetails/details';
import { createEvent } from '../../sandbox/service/events';
import { fc, runs } from '../support/jest/random';

/** The details of a party, or with an empty name all others: `customer.phone` → `phone: null` */
const nullsOf = (party: string) => {
	const keys = DETAIL_KEYS.filter((key) => key.startsWith(party));
	const own = keys.map((key) => key.slice(party.length)).filter((key) => !key.includes('.'));
	return Object.fromEntries(own.map((key) => [key, null]));
};
const NOTHING = {
	...{ person: 'unknown', test: false, ...nullsOf('') },
	...{ customer: nullsOf('customer.'), agent: nullsOf('agent.') },
	...{ title: 'Call without known details', text: 'Call without known details' },
};

const CALL = { call_id: 'c1', direction: 'inbound', from: '+442079460321', to: '+493023125100' };
const READ = readCallDetails(CALL);

test.each<[string, IDataObject]>([
	...'data payload event call conversation detail body message object resource params result record'
		.concat(' session properties fields call_data')
		.split(' ')
		.map((name): [string, IDataObject] => [name, { [name]: CALL }]),
	['attributes', { data: { type: 'calls', attributes: CALL } }],
	['envelopes in envelopes', { event: { data: { payload: { call: CALL } } } }],
	['a list of one', { data: [CALL] }],
	['the only leg', { legs: [CALL] }],
	['a call about an appointment', { ...CALL, topic: 'Appointment request' }],
])('the call is found in %s', (_, event) => {
	expect(readCallDetails(event)).toEqual(READ);
});

test.each<[string, IDataObject]>([
	['a list of two', { data: [CALL, CALL] }],
	['an object of another name', { event: 'call.ended', last_call: CALL }],
	['the calls of a history', { event: 'call.ended', history: [CALL] }],
	['a text message', { event: 'sms.received', from: CALL.from, to: CALL.to, direction: 'inbound' }],
	['a text about a call', { event: 'sms.sent', data: { ...CALL, call_id: 'c1' } }],
	['an appointment', { event: 'appointment.created', start: '2027-03-09T08:15:30Z', name: 'Nora' }],
	['a record', { event: 'contact.created', record: { id: '1', status: 'completed' } }],
	["an agent of the sandbox's", { ...createEvent('agent.updated') }],
	['nothing', {}],
])('no call is found in %s', (_, event) => {
	expect(readCallDetails(event)).toEqual(NOTHING);
});

// Promise: An event's own `callDetails` stays.
test("call details come first, and an event's own field of that name stays", () => {
	const first = withCallDetails({ id: 'evt_1', call_id: '1' });
	expect(Object.keys(first)).toEqual(['callDetails', 'id', 'call_id']);
	const json = withCallDetails({ callDetails: 'its own', id: 1 });
	expect(Object.keys(json)).toEqual(['callDetails_1', 'callDetails', 'id']);
	expect(json).toMatchObject({ callDetails: 'its own', id: 1 });
});

// Promise: Every key is always there, nothing throws, and the event stays as it was.
test('whatever an event is, every key is there, nothing is thrown, and the event stays', () => {
	const names = fc.constantFrom(...Object.keys(CALL), 'customer', 'transcript', 'data', 'start');
	const key = fc.oneof(names, fc.string());
	fc.assert(
		fc.property(fc.object({ key, maxDepth: 4, withBigInt: true, withDate: true }), (event) => {
			const before = structuredClone(event);
			expect(keysOf(readCallDetails(event as IDataObject))).toEqual(keysOf(NOTHING));
			expect(event).toEqual(before);
		}),
		{ numRuns: runs(500) },
	);
});

test('fields with the names of prototypes are read like others', () => {
	const event = JSON.parse(
		'{"call_id": "1", "constructor": "x", "constructor_id": 2, "__proto__": {"from": "x"}, "toString": 3, "constructor_duration": 4, "hasOwnProperty": null}',
	) as IDataObject;
	expect(readCallDetails(event)).toEqual({
		...NOTHING,
		id: '1',
		title: 'Call',
		text: 'Call ID: 1',
	});
	expect(Object.keys(withCallDetails(event))).toContain('__proto__');
});

function keysOf(details: Pick<CallDetails, 'customer' | 'agent'> | typeof NOTHING): string[][] {
	return [details, details.customer, details.agent].map((part) => Object.keys(part).sort());
}
