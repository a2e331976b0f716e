import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	readCallDetails,
	withCallDetails,
	type CallDetails,
} from '../../nodes/VoiceAgent/callDetails/callDetails';
import { defaultDialect } from '../../sandbox/dialects';
import { createEvent, defaultCatalog, envelope } from '../../sandbox/service/events';
import type { Speed } from '../support/callDetailsSpeed';
import { FIELDS, FOLDERS, judge, readPayloads, type ExpectedField } from '../support/callPayloads';
import { isNumber, move, moves } from '../support/movedPayload';

const FIELD_NAMES = Object.keys(FIELDS) as ExpectedField[];
/** How many of 100 expected values are found at least, by folder. */
const LEAST = { tuning: 95, 'held-out': 80 };

describe.each(FOLDERS)('the payloads of real services in %s', (folder) => {
	const payloads = readPayloads(folder);
	const least = LEAST[folder];

	test(`are read without a wrong value, and at least ${least} of 100 values are found`, () => {
		const services = new Map<string, { found: number; toFind: number; wrong: number }>();
		const wrong: string[] = [];
		for (const { service, variant, body, expected } of payloads) {
			const count = services.get(service) ?? { found: 0, toFind: 0, wrong: 0 };
			services.set(service, count);
			const details = readCallDetails(body);
			for (const field of FIELD_NAMES) {
				const read = FIELDS[field](details);
				const judgement = judge(field, expected[field], read);
				if (judgement === 'found' || judgement === 'missed') count.toFind++;
				if (judgement === 'found') count.found++;
				if (judgement !== 'wrong') continue;
				count.wrong++;
				wrong.push(`${service}, ${variant}: ${field} is ${JSON.stringify(read)}`);
			}
		}
		const sum = (key: 'found' | 'toFind') =>
			[...services.values()].reduce((total, count) => total + count[key], 0);
		const lines = [...services].map(
			([service, { found, toFind, wrong }]) =>
				`${service.padEnd(32)} ${String(found).padStart(4)} of ${String(toFind).padStart(4)}, wrong ${wrong}`,
		);
		process.stdout.write(
			`\ncall details, payloads in "${folder}"\n${lines.join('\n')}\n` +
				`all: ${sum('found')} of ${sum('toFind')}, wrong ${wrong.length}\n`,
		);
		expect(wrong).toEqual([]);
		expect(sum('found') / sum('toFind')).toBeGreaterThanOrEqual(least / 100);
	});

	test.each(
		payloads.map((payload) => [`${payload.service}, ${payload.variant}`, payload] as const),
	)('are read the same wherever they are moved: %s', (_, payload) => {
		const before = readCallDetails(payload.body);
		fc.assert(
			fc.property(moves, (how) => {
				const { body, renamed } = move(payload, how);
				const after = readCallDetails(body);
				const wanted: Record<string, unknown> = {};
				const read: Record<string, unknown> = {};
				for (const field of FIELD_NAMES) {
					const [was, is] = [FIELDS[field](before), FIELDS[field](after)];
					wanted[field] = typeof was === 'string' ? renamed(was) : was;
					// A number is as it was written where the country is told nowhere.
					const isSame = field.endsWith('Phone') && isNumber(String(is), String(wanted[field]));
					read[field] = isSame ? wanted[field] : is;
				}
				expect(read).toEqual(wanted);
			}),
			{ numRuns: 40, seed: 20270309 },
		);
	});
});

describe("the sandbox's events", () => {
	const forms = ['type', 'event.type', 'name', 'cloudevents', 'header'] as const;
	const spoken = (eventEnvelope: (typeof forms)[number]) => ({ ...defaultDialect, eventEnvelope });

	test.each(forms)('are read in full, told as %s', (form) => {
		const event = createEvent('call.transcribed');
		const data = event.data as Record<string, string>;
		expect(readCallDetails(envelope(event, spoken(form)).body as IDataObject)).toEqual({
			person: 'found',
			id: data.call_id,
			direction: 'inbound',
			customer: { phone: '+14155550123', name: 'Ada Lovelace', email: 'ada@example.com' },
			agent: { id: 'agent_front_desk', name: 'Front desk', phone: '+14155550100' },
			startedAt: data.started_at,
			endedAt: data.ended_at,
			durationSeconds: 184,
			outcome: 'appointment_booked',
			summary: 'The customer asked for a demo and booked one for Tuesday at 10.',
			transcript:
				"Agent: Front desk, how can I help you?\nCustomer: I'd like to see a demo next week.",
			recordingUrl: data.recording_url,
		});
	});

	test.each(
		defaultCatalog
			.filter(({ type }) => /^(agent|knowledge|tool)/.test(type))
			.flatMap(({ type }) => forms.map((form) => [type, form] as const)),
	)('that are not about calls give nothing: %s as %s', (type, form) => {
		const { body } = envelope(createEvent(type), spoken(form));
		expect(readCallDetails(body as IDataObject)).toEqual(NOTHING);
	});
});

describe('the person', () => {
	const person = '+442079460321';
	const ours = '+493023125100';

	test.each<[string, IDataObject, string | null]>([
		['by the direction in', { direction: 'inbound', from: person, to: ours }, person],
		['by the direction out', { direction: 'OUTGOING', from: ours, to: person }, person],
		['by neither of two numbers', { from: person, to: ours }, null],
		['beside our line', { from: person, to: ours, agent_phone: ours }, person],
		['beside our line that called', { from: ours, to: person, agent: { phone: ours } }, person],
		[
			'not by our line in the record of a customer',
			{ direction: 'inbound', from: person, to: ours, customer: { phone: ours } },
			person,
		],
		[
			'not by a number that is ours too',
			{ direction: 'inbound', from: ours, agent: { phone: ours } },
			null,
		],
		['not by a caller without a direction', { caller_number: person }, null],
		['by a caller of a call that came in', { caller_number: person, direction: 'in' }, person],
		['by a recipient alone', { recipient: { phone: person } }, person],
		[
			'by an end without an extension',
			{ caller: { number: person }, callee: { number: ours, extension: 12 } },
			person,
		],
		[
			'not by a number that the call was forwarded from',
			{ direction: 'inbound', forwarded_from: person },
			null,
		],
		[
			'not by the number of a voicemail box',
			{ direction: 'inbound', voicemail: { phone: person } },
			null,
		],
		[
			'by the number that called among those of a contact',
			{
				direction: 'inbound',
				from: person,
				contact: { phones: [{ number: '+441144960001' }, { number: person }] },
			},
			person,
		],
		['by a user where there is an agent', { agent_id: 'a', user_number: person }, person],
		[
			'not by a user of the telephone system',
			{ direction: 'inbound', from: person, user: { phone: ours } },
			person,
		],
	])('is told %s', (_, event, phone) => {
		const { customer } = readCallDetails({ call_id: '1', ...event });
		expect(customer.phone).toBe(phone);
	});

	test.each<[string, string]>([
		['+44 (0)20 7946-0321', '+442079460321'],
		['0044 20 79460321', '+442079460321'],
		['tel:+44-20-7946-0321', '+442079460321'],
		['sip:+442079460321@sip.example.com;user=phone', '+442079460321'],
		['"Nora" <sip:442079460321@sip.example.com>', '442079460321'],
		['whatsapp:+442079460321', '+442079460321'],
		['(020) 7946 0321', '02079460321'],
		['+442079460321 ext. 12', '+442079460321'],
		['442079460321', '442079460321'],
	])('has the number %s as %s', (written, number) => {
		const event = { call_id: '1', direction: 'inbound', from: written, to: ours };
		expect(readCallDetails(event).customer.phone).toBe(number);
	});

	test('has a number as E.164 where it stands so beside it, or its name says that it is', () => {
		const both = {
			call_id: '1',
			direction: 'inbound',
			from: '020 7946 0321',
			contact: { phone: person },
		};
		expect(readCallDetails(both).customer.phone).toBe(person);
		expect(readCallDetails({ call_id: '1', customer_msisdn: 442079460321 }).customer.phone).toBe(
			person,
		);
	});

	test.each<[string, IDataObject, CallDetails['person']]>([
		['anonymous', { direction: 'inbound', from: 'anonymous', to: ours }, 'withheld'],
		['restricted', { caller: { number: 'Restricted' }, callee: { number: ours } }, 'withheld'],
		['digits that spell it', { direction: 'inbound', from: '+7378742833', to: ours }, 'withheld'],
		['null', { direction: 'inbound', from: null, to: ours }, 'withheld'],
		['a flag', { direction: 'inbound', is_anonymous: true, from: null }, 'withheld'],
		['a web call', { type: 'web_call' }, 'web'],
		['a widget', { channel: 'widget' }, 'web'],
		['the name of a user', { direction: 'inbound', from: 'client:user-81', to: ours }, 'web'],
		['an e-mail alone', { type: 'web_call', customer: { email: 'nora@example.org' } }, 'found'],
		['nothing', {}, 'unknown'],
		['numbers that may be either', { from: person, to: ours }, 'unknown'],
		[
			'a number under a name that tells nothing',
			{ direction: 'inbound', to: ours, zzz: person },
			'unknown',
		],
		['a call within', { direction: 'internal', from: '101', to: '102' }, 'unknown'],
	])('is told by %s', (_, event, state) => {
		expect(readCallDetails({ call_id: '1', ...event }).person).toBe(state);
	});

	test("has a name in parts, and never the agent's, a number, or a word for nobody", () => {
		const nameOf = (customer: IDataObject) =>
			readCallDetails({ call_id: '1', agent: { name: 'Ada' }, customer }).customer.name;
		expect(nameOf({ first_name: 'Nora', last_name: 'Okafor' })).toBe('Nora Okafor');
		expect(nameOf({ given_name: 'Nora' })).toBe('Nora');
		expect(nameOf({ name: { first: 'Nora', last: 'Okafor' } })).toBe('Nora Okafor');
		for (const name of ['Ada', '+442079460321', 'Anonymous', 'Unknown', 'N/A', '', 'user_81']) {
			expect(nameOf({ name })).toBeNull();
		}
	});

	test("has name and e-mail from the variables of a call, but not the agent's", () => {
		const { customer } = readCallDetails({
			call_id: '1',
			direction: 'outbound',
			to: person,
			agent: { email: 'desk@example.org' },
			created_by: { email: 'boss@example.org', name: 'Boss' },
			dynamic_variables: { customer_name: 'Nora Okafor', 'customer-email': 'nora@example.org' },
		});
		expect(customer).toEqual({ phone: person, name: 'Nora Okafor', email: 'nora@example.org' });
	});
});

describe('the length', () => {
	const times = { started_at: '2027-03-09T08:15:30Z', ended_at: 1804580317 };

	test.each<[string, IDataObject, number | null]>([
		['in milliseconds by its name', { duration_ms: 187000 }, 187],
		['in minutes by its name', { durationMinutes: 3.5 }, 210],
		['in milliseconds by the times', { duration: 187000, ...times }, 187],
		['in minutes by the times', { call_length: 3.1, ...times }, 186],
		['as ISO 8601', { duration: 'PT3M7S' }, 187],
		['as mm:ss', { duration: '3:07' }, 187],
		['as hh:mm:ss', { duration: '00:03:07' }, 187],
		['in words', { duration: '3m 7s' }, 187],
		['as text', { duration: '187' }, 187],
		['by the times', times, 187],
		['as seconds beside whole minutes', { Duration: '4', CallDuration: '187' }, 187],
		['of the whole call', { talk_duration: 150, total_duration: 187 }, 187],
		['not by the talk', { talk_time: 150, billsec: 180, hold_duration: 3 }, null],
		['not by its limit', { max_duration: 600 }, null],
		['not by its recording', { recording: { duration: 150 } }, null],
		['not by a number that may be milliseconds', { duration: 187000 }, null],
		['of no time', { duration: 0 }, 0],
		['of no time, though it rang', { duration: 0, ...times }, 0],
		['of a few seconds, though it rang', { duration_seconds: 7, ...times }, 7],
		['not where the times contradict it in any unit', { duration: 1, ...times }, null],
		['as seconds beside rounded minutes', { duration_minutes: 4, duration_seconds: 187 }, 187],
		[
			'of a call that rang first',
			{ ...times, started_at: null, ringing_start_time: 1804580130 },
			187,
		],
	])('is read %s', (_, event, seconds) => {
		expect(readCallDetails({ call_id: '1', ...event }).durationSeconds).toBe(seconds);
	});
});

test.each<[unknown, string | null]>([
	[1804580130, '2027-03-09T08:15:30.000Z'],
	['1804580130000', '2027-03-09T08:15:30.000Z'],
	[1804580130000000, '2027-03-09T08:15:30.000Z'],
	['2027-03-09T09:15:30.123456+01:00', '2027-03-09T08:15:30.123Z'],
	['2027-03-09 08:15:30.5Z', '2027-03-09T08:15:30.500Z'],
	['2027-03-09 08:15:30 UTC', '2027-03-09T08:15:30.000Z'],
	['2027-03-09T08:15:30+0000', '2027-03-09T08:15:30.000Z'],
	['Tue, 09 Mar 2027 09:15:30 +0100', '2027-03-09T08:15:30.000Z'],
	['2027-03-09 08:15:30', null],
	['2027-03-09T08:15:30', null],
	['2027-03-09', null],
	['soon', null],
	[12.5, null],
])('the start %p is read as %p', (written, instant) => {
	expect(readCallDetails({ call_id: '1', start_time: written as string }).startedAt).toBe(instant);
});

test('a time without a zone is UTC where its name says so', () => {
	const event = { call_id: '1', start_time_utc: '2027-03-09 08:15:30' };
	expect(readCallDetails(event).startedAt).toBe('2027-03-09T08:15:30.000Z');
});

test.each<[string, IDataObject, string | null]>([
	[
		'of both sides',
		{
			recordings: {
				agent_url: 'https://a.example/a',
				combined_url: 'https://a.example/m',
				stereo_url: 'https://a.example/s',
			},
		},
		'https://a.example/m',
	],
	['in a list', { recordings: [{ id: 'r', url: 'https://a.example/m' }] }, 'https://a.example/m'],
	[
		'not of one side',
		{
			recording: { left: { url: 'https://a.example/l' }, customer: { url: 'https://a.example/c' } },
		},
		null,
	],
	['not of a voicemail', { voicemail: { recording_url: 'https://a.example/v' } }, null],
	['not a path', { recording_url: 'recordings/1.mp3' }, null],
])('the recording is the address %s', (_, event, url) => {
	expect(readCallDetails({ call_id: '1', ...event }).recordingUrl).toBe(url);
});

test.each<[string, IDataObject, string | null]>([
	[
		'turns',
		{
			transcript: [
				{ role: 'system', content: 'Be kind' },
				{ role: 'bot', content: 'Hi' },
				{ role: 'tool', content: 'ok' },
				{ role: 'user', content: 'Hello' },
			],
		},
		'Bot: Hi\nUser: Hello',
	],
	['turns as text', { transcript: '[{"role":"bot","content":"Hi"}]' }, 'Bot: Hi'],
	[
		'words with speakers',
		{
			transcript: {
				words: [
					{ word: 'Good', speaker: 0 },
					{ word: 'day', speaker: 0 },
					{ word: 'Hi', speaker: 1 },
				],
			},
		},
		'Speaker 0: Good day\nSpeaker 1: Hi',
	],
	[
		'utterances',
		{ utterances: [{ speaker: 'A', transcript: 'Hi', words: [{ word: 'Hi' }] }] },
		'A: Hi',
	],
	['lines', { transcript: ['Agent: Hi', 'User: Hello'] }, 'Agent: Hi\nUser: Hello'],
	[
		'channels',
		{ results: { channels: [{ alternatives: [{ transcript: 'Hi there' }] }] } },
		'Hi there',
	],
	['text', { transcript: ' Agent: Hi ' }, 'Agent: Hi'],
	['an empty text', { transcript: '' }, null],
	['an address', { transcript: 'https://a.example/t.json' }, null],
	['a notice', { message: 'Call details fetched' }, null],
	['instructions alone', { messages: [{ role: 'system', content: 'Be kind' }] }, null],
])('a transcript may be %s', (_, event, text) => {
	expect(readCallDetails({ call_id: '1', ...event }).transcript).toBe(text);
});

test('the outcome is the disposition, else the reason of the end, else the status', () => {
	const status = { call_id: '1', status: 'completed' };
	const reason = { ...status, ended_reason: 'customer-hung-up' };
	const disposition = { ...reason, callDisposition: 'Interested' };
	expect([status, reason, disposition].map((event) => readCallDetails(event).outcome)).toEqual([
		'completed',
		'customer-hung-up',
		'Interested',
	]);
});

test('a disposition may be wrapped', () => {
	const event = { call_id: '1', status: 'completed', disposition: { id: 4, name: 'Interested' } };
	expect(readCallDetails(event).outcome).toBe('Interested');
});

test('a flat event may hold the person beside the call', () => {
	const person = { first_name: 'Nora', last_name: 'Okafor', phone: '+442079460321' };
	const event = { name: 'call.completed', call_id: '1', email: 'nora@example.org', ...person };
	expect(readCallDetails(event).customer).toEqual({
		phone: '+442079460321',
		name: 'Nora Okafor',
		email: 'nora@example.org',
	});
});

describe('no value is taken from', () => {
	const person = '+442079460321';
	const ours = '+493023125100';
	const other = '+441144960001';
	const call = { call_id: '1', direction: 'inbound', from: person, to: ours };
	const nobody = { phone: null, name: null, email: null };

	test.each<[string, IDataObject, object]>([
		['a user who may be either', { user_name: 'Nora' }, { agent: { name: null } }],
		[
			"a user's name among dynamic variables for the agent",
			{ ...call, agent_id: 'a', dynamic_variables: { user_name: 'Nora', agent_name: 'Eva' } },
			{ agent: { id: 'a', name: null } },
		],
		[
			"a visitor's id for the agent",
			{ user_id: '51497-af17340d', contact_phone_number: person },
			{ agent: { id: null } },
		],
		[
			'the owner of a contact, or of the account',
			{
				...call,
				lead: {
					name: 'Nora',
					owner_name: 'Sue',
					owner: { name: 'Sue', email: 'sue@acme.example' },
				},
				owner: { name: 'Boss', email: 'boss@acme.example' },
			},
			{ agent: { name: null }, customer: { name: 'Nora', email: null } },
		],
		[
			'several people of a list without a number of theirs that called',
			{
				participants: [
					{ role: 'customer', name: 'Nora', phone: person },
					{ role: 'customer', name: 'Max', phone: other },
				],
			},
			{ person: 'unknown', customer: nobody },
		],
		[
			'another of a list than who called',
			{
				...call,
				contacts: [
					{ name: 'Max', phone: other, email: 'max@example.org' },
					{ name: 'Nora', phone: person, email: 'nora@example.org' },
				],
			},
			{ customer: { phone: person, name: 'Nora', email: 'nora@example.org' } },
		],
		[
			'a customer who has our number',
			{ ...call, subscriber: { name: 'Acme', phone: ours, email: 'it@acme.example' } },
			{ customer: { phone: person, name: null, email: null } },
		],
		[
			'a text message beside the call',
			{ ...call, sms: { to: other, from: ours, status: 'sent' } },
			{ outcome: null, customer: { phone: person } },
		],
		[
			'an event of a text message',
			{ event: 'sms.received', direction: 'inbound', from: person, to: ours },
			{ person: 'unknown', direction: null, customer: nobody },
		],
		[
			'what stands with a contact, a lead, or the agent',
			{
				call_id: '1',
				contact: { summary: 'VIP since 2010' },
				lead: { status: 'new', outcome: 'won' },
				agent: { messages: [{ role: 'assistant', content: 'Say hello' }], started_at: 1804580130 },
			},
			{ summary: null, outcome: null, transcript: null, startedAt: null },
		],
		[
			'a reason to call',
			{ ...call, call_reason: 'billing', reason: 'wants a quote', closed_reason: 'won' },
			{ outcome: null },
		],
		[
			'comments',
			{ call_id: '1', comments: [{ role: 'agent', content: 'Is a VIP' }] },
			{ transcript: null },
		],
		[
			'a log',
			{ call_id: '1', log: [{ type: 'info', message: 'call started' }] },
			{ transcript: null },
		],
		[
			'a place to fill in, or words for nothing',
			{
				...call,
				customer_name: '{{customer_name}}',
				customer: { name: 'Unknown Unknown', email: 'unknown@unknown.com' },
				lead_name: '[name]',
				contact_name: 'not provided',
				client_name: 'true',
				guest: { name: 'N***', email: 'n***@example.org' },
				patient: { name: '[REDACTED]', email: 'redacted@example.org' },
			},
			{ customer: { phone: person, name: null, email: null } },
		],
		[
			'the id of a caller that is no number',
			{ call_id: '1', caller_id: '34b0eb2b-4f6d-41e2-8189-4d0000000ffb', origin: ours },
			{ person: 'unknown' },
		],
		[
			'what a machine was told by',
			{ call_id: '1', amd: { result: 'machine', duration: 3000 } },
			{ durationSeconds: null },
		],
		[
			'those who look after a contact',
			{
				...call,
				contact: {
					name: 'Nora',
					created_by: { name: 'Sue', email: 'sue@acme.example' },
					assigned_user: { name: 'Sue', email: 'sue@acme.example' },
					agent: { name: 'Rob', phone: other, email: 'rob@realtor.example' },
				},
			},
			{
				customer: { phone: person, name: 'Nora', email: null },
				agent: { name: null, phone: ours },
			},
		],
		[
			'the relatives of a contact',
			{
				...call,
				customer: { name: 'Nora', relatives: [{ name: 'Max', email: 'max@example.org' }] },
			},
			{ customer: { phone: person, name: 'Nora', email: null } },
		],
		[
			'the kind of a reason',
			{ call_id: '1', end_reason_category: 'customer', ended_reason: 'customer-ended-call' },
			{ outcome: 'customer-ended-call' },
		],
		[
			'a user beside an agent who is not there',
			{ ...call, user_id: 'contact-9', agent_id: null },
			{ agent: { id: null } },
		],
		[
			"a contact's number that has a name for our line",
			{
				direction: 'outbound',
				destination: person,
				source: ours,
				contacts: { phone1: { name: 'Nora', phone: person } },
			},
			{ customer: { phone: person, name: 'Nora' }, agent: { phone: ours } },
		],
		[
			'a word that only looks like the web',
			{ call_id: '1', type: 'CompletedWebHookPayload', endpoint: person },
			{ person: 'unknown' },
		],
	])('%s', (_, event, details) => {
		expect(readCallDetails(event)).toMatchObject(details);
	});
});

test.each<[string, IDataObject, object]>([
	[
		'the direction as the name of an object',
		{ medium: { sip: { outgoing: { to: '+442079460321', from: '+493023125100' } } } },
		{ direction: 'outbound', customer: { phone: '+442079460321' } },
	],
	['the direction as 0 or 1', { is_outgoing: 0 }, { direction: 'inbound' }],
	[
		'the sides by what the people are',
		{
			parties: [
				{ affiliation: 'Internal', name: 'Sue', phone: '+493023125100' },
				{ affiliation: 'External', name: 'Nora', phone: '+442079460321' },
			],
		},
		{ customer: { phone: '+442079460321', name: 'Nora' }, agent: { name: 'Sue' } },
	],
	[
		'that its number is withheld among metadata',
		{
			direction: 'inbound',
			metadata: { user_number: 'anonymous', agent_number: '+493023125100' },
		},
		{ person: 'withheld' },
	],
	['a cause', { cause: 'busy', status: 'ended' }, { outcome: 'busy' }],
	[
		'a reason in one word',
		{ reason: 'CALLERHANGUP', result: 'ANSWERED' },
		{ outcome: 'CALLERHANGUP' },
	],
	['a status in an object', { status: { code: 'Disconnected' } }, { outcome: 'Disconnected' }],
	[
		'the id beside the attributes of a call',
		{ data: { id: 'c9', type: 'calls', attributes: { direction: 'inbound', duration: 3 } } },
		{ id: 'c9', durationSeconds: 3 },
	],
	[
		'turns that say who speaks by their type',
		{
			history: [
				{ type: 'assistant_turn', text: 'Hi' },
				{ type: 'user_turn', text: 'Hello' },
			],
		},
		{ transcript: 'Assistant: Hi\nUser: Hello' },
	],
])('a call may tell %s', (_, event, details) => {
	const { data } = event;
	expect(readCallDetails(data ? event : { call_id: '1', ...event })).toMatchObject(details);
});

test('call details come first, and an event keeps a field of that name of its own', () => {
	const first = withCallDetails({ id: 'evt_1', call_id: '1' });
	expect(first.field).toBe('callDetails');
	expect(Object.keys(first.json)).toEqual(['callDetails', 'id', 'call_id']);
	const { json, field } = withCallDetails({ callDetails: 'its own', id: 1 });
	expect(field).toBe('callDetails_1');
	expect(Object.keys(json)).toEqual(['callDetails_1', 'callDetails', 'id']);
	expect(json).toMatchObject({ callDetails: 'its own', id: 1 });
});

test('whatever an event is, every key is there and nothing is thrown', () => {
	fc.assert(
		fc.property(fc.object({ maxDepth: 4, withBigInt: true, withDate: true }), (event) => {
			expect(keysOf(readCallDetails(event as IDataObject))).toEqual(keysOf(NOTHING));
		}),
		{ numRuns: 500 },
	);
});

test('names that every object has are like any others', () => {
	const event = JSON.parse(
		'{"call_id": "1", "constructor": "x", "constructor_id": 2, "__proto__": {"from": "x"}, "toString": 3, "constructor_duration": 4, "hasOwnProperty": null}',
	) as IDataObject;
	expect(readCallDetails(event)).toEqual({ ...NOTHING, id: '1' });
	const moved = withCallDetails(event).json;
	expect(Object.keys(moved)).toContain('__proto__');
});

describe('reading is fast', () => {
	let speed: Speed;

	// In a process of its own, for Jest's own makes every use of a global slow.
	beforeAll(() => {
		const script = join(__dirname, '../support/callDetailsSpeed.ts');
		const output = execFileSync(process.execPath, ['--import', 'tsx', script], {
			encoding: 'utf8',
		});
		speed = JSON.parse(output) as Speed;
	}, 120_000);

	test('100 kB take less than a millisecond', () => {
		const { bytes, milliseconds } = speed.call;
		process.stdout.write(`\ncall details: ${bytes} bytes take ${milliseconds.toFixed(2)} ms\n`);
		expect(bytes).toBeGreaterThan(100_000);
		// A machine that is busy with other things takes longer.
		expect(milliseconds).toBeLessThan(5);
	});

	test('hostile events take as long as they are large', () => {
		const lines = speed.hostile.map(
			({ name, bytes, large }) =>
				`${name.padEnd(32)} ${(bytes / 1e6).toFixed(1)} MB take ${large.toFixed(1)} ms`,
		);
		process.stdout.write(`\n${lines.join('\n')}\n`);
		// Four times the size: what grows with its square takes sixteen times as long.
		const squared = speed.hostile.filter(({ small, large }) => large > Math.max(200, small * 10));
		expect(squared).toEqual([]);
		expect(speed.hostile.length).toBeGreaterThan(10);
	});
});

function keysOf(details: CallDetails): string[][] {
	return [details, details.customer, details.agent].map((part) => Object.keys(part).sort());
}

const NOTHING: CallDetails = {
	person: 'unknown',
	id: null,
	direction: null,
	customer: { phone: null, name: null, email: null },
	agent: { id: null, name: null, phone: null },
	startedAt: null,
	endedAt: null,
	durationSeconds: null,
	outcome: null,
	summary: null,
	transcript: null,
	recordingUrl: null,
};
