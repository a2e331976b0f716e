import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/details';

const CUSTOMER = '+442079460321';
const AGENT = '+493023125100';
const OTHER = '+441144960001';
const INBOUND = { direction: 'inbound', from: CUSTOMER, to: AGENT };
const OUTBOUND = { direction: 'outbound', from: AGENT, to: CUSTOMER };

/** The numbers of customer and agent. */
const BOTH = [CUSTOMER, AGENT];
const NEITHER = [null, null];

const read = (event: IDataObject) => readCallDetails({ call_id: '1', ...event });

test.each<[string, IDataObject, Array<string | null>]>([
	['in', INBOUND, BOTH],
	['out', OUTBOUND, BOTH],
	['without a direction', { from: CUSTOMER, to: AGENT }, NEITHER],
	['beside the called agent', { from: CUSTOMER, to: AGENT, agent_phone: AGENT }, BOTH],
	['beside the calling agent', { from: AGENT, to: CUSTOMER, agent: { phone: AGENT } }, BOTH],
	['beside the called customer', { from: AGENT, to: CUSTOMER, customer_phone: CUSTOMER }, BOTH],
	['of a caller without a callee', { caller_number: CUSTOMER }, [CUSTOMER, null]],
	['of a caller beside a short number', { caller_id: AGENT, dialed: '101' }, NEITHER],
	['of a caller beside any number', { caller: AGENT, answered_by: CUSTOMER }, NEITHER],
	['of a caller beside its number', { caller: CUSTOMER, phone: CUSTOMER }, [CUSTOMER, null]],
	['of a called receiver', { direction: 'out', caller: AGENT, receiver: CUSTOMER }, BOTH],
	['of a calling agent', { direction: 'outbound', caller: AGENT }, [null, AGENT]],
	['of an end without a number', { direction: 'inbound', from: { id: 12, name: 'Nora' } }, NEITHER],
	['of a forwarded call', { direction: 'inbound', forwarded_from: CUSTOMER }, NEITHER],
	['of a party object', { customer: { phone: CUSTOMER } }, [CUSTOMER, null]],
	[
		'of a party object beside another object, without a call ID',
		{ call_id: null, type: 'call.ended', customer: { phone: CUSTOMER }, details: { note: 'x' } },
		[CUSTOMER, null],
	],
	['of an endpoint', { CustomerEndpoint: { Address: CUSTOMER } }, [CUSTOMER, null]],
	['of an end beside a party object', { ...INBOUND, contact: { phone: OTHER } }, BOTH],
	['of ends in metadata', { metadata: { ...INBOUND } }, BOTH],
	["of a customer at the agent's end", { ...OUTBOUND, customer_number: AGENT }, NEITHER],
	['of an agent with the number of the customer', { ...INBOUND, agent_phone: CUSTOMER }, NEITHER],
	['of one number at both ends', { direction: 'inbound', from: AGENT, to: AGENT }, NEITHER],
	['of a calling app', { direction: 'inbound', from: 'client:nora', to: OTHER }, NEITHER],
	['of an answering app', { ...OUTBOUND, to: 'client:nora' }, NEITHER],
	['of a chat of WhatsApp', { direction: 'outbound', from: '442079460321@c.us' }, NEITHER],
	['of a leg of another call', { ...OUTBOUND, call_id: 'b', origCallId: 'a' }, NEITHER],
	['of the first leg', { ...OUTBOUND, call_id: 'a', origCallId: 'a' }, BOTH],
])('the numbers of customer and agent, %s', (_, event, numbers) => {
	const { customer, agent } = read(event);
	expect([customer.phone, agent.phone]).toEqual(numbers);
});

test("a party object with the agent's number gives no name and no e-mail", () => {
	const customer = { phone: AGENT, name: 'Acme', email: 'it@acme.example' };
	expect(read({ ...INBOUND, customer })).toMatchObject({
		person: 'unknown',
		customer: { phone: null, name: null, email: null },
		agent: { phone: null },
	});
});

test.each<[unknown, string | null]>([
	['+44 (0)20 7946-0321', CUSTOMER],
	['0044 20 79460321', CUSTOMER],
	['sip:+442079460321@sip.example.com;user=phone', CUSTOMER],
	['+442079460321@10.0.0.1', CUSTOMER],
	['"+441144960001" <tel:+44-20-7946-0321>', CUSTOMER],
	['"+441144960001" <sip:108@pbx.example>', null],
	['+44 (0)20 7946 0321 доб. 1045', CUSTOMER],
	['tel:+44-20-7946-0321;ext=45', CUSTOMER],
	['+44 20 7946 0321;45', CUSTOMER],
	['+44 20 7946-0321 x45', CUSTOMER],
	['+44 20 7946 0321;(mobile)', CUSTOMER],
	['+44 20 7946 0321;0171 2345678', null],
	['+442079460321 or +441144960001', null],
	['\u202a+44\u00a020\u20607946\u22120321\ufe0d\u202c', CUSTOMER],
	['＋４４２０７９４６０３２１', CUSTOMER],
	['whatsapp:+442079460321', CUSTOMER],
	['442079460321@c.us', '442079460321'],
	['120650370000963@lid', null],
	['+٤٤٢٠٧٩٤٦٠٣٢١', CUSTOMER],
	["'+44 20 7946 0321", CUSTOMER],
	['Mobile: 020 7946 0321', '02079460321'],
	['020 7946 0321 (mobile)', '02079460321'],
	['client:4155550123', null],
	['0794603', '0794603'],
	['4155550123', '4155550123'],
	['7946032', null],
	['079460', null],
	['+4420794603211234', null],
	['sip:442079460321@sip.example.com', null],
	['192.168.100.200', null],
	['1200450000.50', null],
	[442079460321, null],
	[{ number: CUSTOMER }, CUSTOMER],
	[{ name: 'Nora' }, null],
	[[CUSTOMER, OTHER], null],
])('the end %j of a call has the number %p', (from, number) => {
	const { customer } = read({ direction: 'inbound', from: from as string, to: AGENT });
	expect(customer).toMatchObject({ phone: number, name: null, email: null });
});

test('of a debtor and a guarantor, neither is the customer by name', () => {
	const names = { debtor_name: 'Ada Lovelace', guarantor_name: 'Bob King' };
	expect(read({ ...INBOUND, ...names }).customer).toMatchObject({ phone: CUSTOMER, name: null });
});

test.each<[string, unknown, string | null]>([
	['customer_phone', '02079460321', '02079460321'],
	['customerMobile', 442079460321, '442079460321'],
	['contact_phone', '48291177', null],
	['customer_number', CUSTOMER, CUSTOMER],
	['customer_number', '4155550123', null],
	['customer', CUSTOMER, CUSTOMER],
	['caller_id', '4155550123', null],
	['phone', CUSTOMER, null],
])('the field %s with %j gives the number %p', (name, value, number) => {
	expect(read({ direction: 'inbound', [name]: value as string }).customer.phone).toBe(number);
});

test.each<[string, IDataObject, CallDetails['person']]>([
	['anonymous', { ...INBOUND, from: 'anonymous' }, 'withheld'],
	['no caller ID', { ...INBOUND, from: 'No Caller ID' }, 'withheld'],
	['a German phrase', { ...INBOUND, from: 'Unbekannte Nummer' }, 'withheld'],
	['an Italian phrase', { ...INBOUND, from: 'Numero privato' }, 'withheld'],
	['the digits of RESTRICTED', { ...INBOUND, from: '+7378742883' }, 'withheld'],
	['no direction', { from: 'anonymous', to: AGENT }, 'withheld'],
	['a hidden number of the agent', { ...OUTBOUND, from: 'anonymous' }, 'found'],
	['an e-mail', { ...INBOUND, from: 'anonymous', customer_email: 'n@x.example' }, 'found'],
	['a web call', { type: 'web_call' }, 'web'],
	['a widget in metadata', { type: 'call.ended', metadata: { channel: 'widget' } }, 'web'],
	['an e-mail alone', { type: 'web_call', customer: { email: 'n@x.example' } }, 'found'],
	['a word that begins with web', { type: 'WebhookPayload' }, 'unknown'],
	['no end', { direction: 'inbound', from: null, to: AGENT }, 'unknown'],
	['a name alone', { customer: { name: 'Nora' } }, 'unknown'],
	['an internal call', { direction: 'internal', from: '101', to: '102' }, 'unknown'],
])('the person, by %s', (_, event, state) => {
	const { person, customer } = read(event);
	expect(person).toBe(state);
	if (state === 'withheld') expect(customer.phone).toBeNull();
});

test.each<[IDataObject | string, string | null]>([
	[{ first_name: 'Nora', last_name: 'Okafor' }, 'Nora Okafor'],
	[{ givenName: 'Nora' }, 'Nora'],
	[{ last_name: 'Okafor' }, null],
	[{ name: '张伟' }, '张伟'],
	[{ name: 'Nora', company: { name: 'Acme' }, company_name: 'Acme' }, 'Nora'],
	...[CUSTOMER, '12', 'nora@x.example', 'Anonymous', 'Unknown', 'N/A', '', '{{name}}'].map(
		(name): [IDataObject, null] => [{ name }, null],
	),
	['Nora', null],
])('the customer %j has the name %p', (customer, name) => {
	expect(read({ ...INBOUND, customer }).customer.name).toBe(name);
});

const NORA = { name: 'Nora', email: 'n@x.example' };
const NOBODY = { name: null, email: null };

test.each<[string, IDataObject, object]>([
	['fields of the call', { customer_name: 'Nora', customer_email: NORA.email }, NORA],
	['caller fields', { caller_name: 'Nora', callerEmail: NORA.email }, NORA],
	['a customer with the number', { contact: { name: 'Nora', phone: CUSTOMER } }, { name: 'Nora' }],
	['a customer with another number', { contact: { name: 'Max', phone: OTHER } }, { name: null }],
	['two names', { customer_name: 'Nora', contact_name: 'Max' }, { name: null }],
	['two e-mails', { customer_email: 'n@x.example', lead_email: 'm@x.example' }, { email: null }],
	['a SIP address', { customer_email: 'sip:n@x.example' }, { email: null }],
	['capitals', { customer_email: 'NORA@X.example' }, { email: 'nora@x.example' }],
	['a mailbox named mail', { customer_email: 'mail@x.example' }, { email: 'mail@x.example' }],
	['a mailbox of such words', { lead_email: 'cell@x.example' }, { email: 'cell@x.example' }],
	['a name that is also a word', { customer_name: 'Sem' }, { name: 'Sem' }],
	['a part of a placeholder', { customer_name: 'Guest Anna' }, { name: 'Guest Anna' }],
	['a user', { user: NORA }, NOBODY],
	['metadata', { metadata: { customer_name: 'Nora', email: NORA.email } }, NOBODY],
	['legs', { legs: [{ role: 'caller', phone: CUSTOMER, ...NORA }, { type: 'bot' }] }, NORA],
	['lists', { customer: { name: { first: 'Nora' }, emails: [{ value: NORA.email }] } }, NORA],
])('name and e-mail are read from %s', (_, event, customer) => {
	expect(read({ ...INBOUND, ...event }).customer).toMatchObject(customer);
});

test.each<[string, IDataObject, object]>([
	['an object', { agent: { id: 'a', name: 'Sue' } }, { id: 'a', name: 'Sue' }],
	['fields', { agent_id: 7, assistant_name: 'Sue' }, { id: '7', name: 'Sue' }],
	['a name of its work', { agent_name: 'Receptionist' }, { name: 'Receptionist' }],
	['a user', { user: { id: 'u', name: 'Sue' }, user_id: 'u' }, { id: null, name: null }],
	[
		'a line',
		{ line: { id: 'l', name: 'Main' }, to: { number: AGENT, name: 'Main' } },
		{ id: null, name: null, phone: AGENT },
	],
	['two agents', { agent_id: 'a', assistant_id: 'b' }, { id: null }],
	['the agent of a contact', { contact: { agent: { name: 'Rob' } } }, { name: null }],
])('the agent is read from %s', (_, event, agent) => {
	expect(read({ ...INBOUND, ...event }).agent).toMatchObject(agent);
});

test.each<[string, IDataObject, IDataObject]>([
	['an event type', { inbound: true, from: CUSTOMER, summary: 'Moved.' }, { type: 'reminder' }],
	['a direction', { from: AGENT, to: CUSTOMER }, { type: 'inbound_lead' }],
	[
		'a number',
		{ type: 'outboundPhoneCall', customer: { number: CUSTOMER, name: 'Nora' } },
		{ patient_phone: OTHER },
	],
	[
		'a duration beside start and end',
		{ call_id: '1', joined: '2026-11-18T15:04:10Z', ended: '2026-11-18T15:07:17Z' },
		{ duration: '60' },
	],
])('what a user adds to a call is not its own: %s', (_, call, metadata) => {
	const event = { type: 'call.ended', call };
	expect(read({ ...event, call: { ...call, metadata } })).toEqual(read(event));
	expect(read({ ...call, metadata })).toEqual(read(call));
});
