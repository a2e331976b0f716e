import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/details';

const read = (event: IDataObject) => readCallDetails({ call_id: '1', ...event });

/** Expects a value of one detail of each event. */
const expectEach = <Detail extends keyof CallDetails>(
	detail: Detail,
	cases: Array<[how: string, event: IDataObject, value: CallDetails[Detail]]>,
) =>
	test.each(cases)(`${detail}: %s`, (_how, event, value) => {
		expect(read(event)[detail]).toBe(value);
	});

expectEach('direction', [
	[
		'of metadata, as one word',
		{ call: { type: 'inboundPhoneCall', metadata: { direction: 'in' } } },
		'inbound',
	],
	['capitals', { direction: 'INCOMING' }, 'inbound'],
	['who began', { direction: 'USER_INITIATED' }, 'inbound'],
	['not an internal call', { direction: 'internal' }, null],
	['not both', { direction: 'inbound and outbound' }, null],
	['a flag', { is_outbound: true }, 'outbound'],
	['a flag that is not set', { inbound: false }, 'outbound'],
	['an event type', { event: 'outbound.call.completed' }, 'outbound'],
	['a field before a type', { event: 'inbound.call', direction: 'outbound' }, 'outbound'],
	['two that differ', { direction: 'inbound', call_direction: 'outbound' }, null],
]);

/** 187 s. */
const TIMES = { started_at: '2027-03-09T08:15:30Z', ended_at: 1804580317 };

test.each<[IDataObject, string | null]>([
	[{ call_id: 'a', id: 'b', session_id: 'c' }, 'a'],
	[{ callId: 7 }, '7'],
	[{ data: { call: { id: 'a', direction: 'in' } }, id: 'evt' }, 'a'],
	[{ call_id: 'a', data: { call_id: 'b' } }, null],
	[{ call_id: 'two words', direction: 'in' }, null],
	[{ call: { direction: 'inbound' }, id: 'evt_1' }, null],
	[{ direction: 'inbound', agent: { id: 'a' }, contact_id: 'c' }, null],
])('the id of the call %j is %p', (event, id) => {
	expect(readCallDetails(event).id).toBe(id);
});

const START_25 = '2027-03-09T08:15:30.250Z';

expectEach('startedAt', [
	['seconds', { start_time: 1804580130 }, '2027-03-09T08:15:30.000Z'],
	['seconds as text', { start_time: '1714557600.123' }, '2024-05-01T10:00:00.123Z'],
	['milliseconds', { start_time: '1804580130000' }, '2027-03-09T08:15:30.000Z'],
	['microseconds', { start_time: 1804580130123456 }, '2027-03-09T08:15:30.123Z'],
	['nanoseconds', { start_ns: '1804580130123456789' }, '2027-03-09T08:15:30.123Z'],
	['a rounded second', { start_time: START_25, started_at: '2027-03-09T08:15:31Z' }, START_25],
	['not two seconds', { start_time: 1804580130, start_ts: 1804580131 }, null],
	['ISO', { start_time: '2027-03-09T09:15:30.123456+01:00' }, '2027-03-09T08:15:30.123Z'],
	['UTC', { start_time: '2027-03-09 08:15:30 UTC' }, '2027-03-09T08:15:30.000Z'],
	['an offset', { start_time: '2027-03-09T08:15:30+0000' }, '2027-03-09T08:15:30.000Z'],
	['RFC 2822', { start_time: 'Tue, 09 Mar 2027 09:15:30 +0100' }, '2027-03-09T08:15:30.000Z'],
	['not without a zone', { start_time: '2027-03-09T08:15:30' }, null],
	['not a day', { start_time: '2027-03-09' }, null],
	['a leap day', { start_time: '2028-02-29T10:00:00Z' }, '2028-02-29T10:00:00.000Z'],
	['not 31 April', { start_time: 'Sat, 31 Apr 2027 09:15:30 +0100' }, null],
	['not 24 hours', { start_time: '2027-03-09T24:00:00Z' }, null],
	['not an offset of 25 hours', { start_time: '2027-03-09T08:15:30+25:00' }, null],
	['not a date of employment', { start_date: '2027-03-09T08:15:30Z' }, null],
	['blanks around it', { start_time: ' 2027-03-09T08:15:30Z ' }, '2027-03-09T08:15:30.000Z'],
	['not the digits of a day', { start_time: 20270309 }, null],
	['not a text with seconds', { start_time: 'a1804580130' }, null],
	['not behind the end', { started_at: 1804580130, ended_at: 1804580000 }, null],
	['not two that differ', { started_at: 1804580130, start_time: 1804580190 }, null],
	['not of the agent', { agent: { started_at: 1804580130 } }, null],
	['not of a recording', { recording: { start_time: 1804580130 } }, null],
]);

expectEach('endedAt', [
	['a time', TIMES, '2027-03-09T08:18:37.000Z'],
	['not before the start', { started_at: 1804580130, ended_at: 1804580000 }, null],
	['beside a duration in minutes', { duration: 3, ...TIMES }, '2027-03-09T08:18:37.000Z'],
	['beside one in milliseconds', { duration: 187000, ...TIMES }, '2027-03-09T08:18:37.000Z'],
]);

type Duration = [string, IDataObject, number | null];

expectEach('durationSeconds', [
	['in milliseconds, by the name', { duration_ms: 187000 }, 187],
	['in seconds, by the times', { duration: 188, ...TIMES }, 188],
	['in microseconds, by the name', { duration_us: 1_870_000_000 }, 1870],
	['with parts, by the name', { duration_seconds: 12.5 }, 12.5],
	['with parts, by the times', { duration: 187.4, ...TIMES }, 187.4],
	['not of twins that differ', { duration_seconds: 186, duration_ms: 187_400 }, null],
	['not with parts alone, as text', { call_length: '12.0' }, null],
	['not far longer than the times', { duration_seconds: 1870, ...TIMES }, null],
	['in seconds alone, from 10', { duration: 10 }, 10],
	['in seconds alone, up to an hour', { duration: 3600 }, 3600],
	['not in seconds that may be milliseconds', { duration: 8500 }, null],
	['of several durations, the whole', { call_duration: { total_duration: 60, hold: 9 } }, 60],
	['from start and end', TIMES, 187],
	...[
		...['0:03:07', 'PT3M7S', '187s', '3m 7s', '3 min 7 sec', ' 3 minutes 7 seconds ', '187.0 s'],
	].map((duration) => [`from ${duration}`, { duration }, 187] as Duration),
	['from hours on a clock', { duration: '10:03:07.25' }, 36_187.25],
	['from hours and minutes', { duration: '12 hours 5 minutes' }, 43_500],
	...['a 0:03:07', '0:03:07 pm', 'in 3m 7s', '3:07', '3m7', 'PT', '7h 8', '1:60:00'].map(
		(duration) => [`not from ${duration}`, { duration }, null] as Duration,
	),
	['in minutes, by the name', { duration_minutes: 3.5 }, 210],
	['in minutes that the times make exact', { duration_minutes: 3, ...TIMES }, 187],
	['not in parts', { duration_minutes: '3', duration_seconds: '7' }, null],
	[
		'not in parts that may be a rounded minute',
		{ duration_minutes: 1, duration_seconds: 45 },
		null,
	],
	['in rounded minutes and seconds', { duration_minutes: 3, duration_seconds: 187 }, 187],
	['in rounded minutes and milliseconds', { duration_minutes: 3.1, duration_ms: 187_400 }, 187.4],
	['in rounded minutes and a minute', { duration_minutes: 2, duration_seconds: 60 }, null],
	['in two units, by the times', { duration_minutes: 4, duration_seconds: 187, ...TIMES }, 187],
	['in hours, by the name', { duration_hours: 1 }, 3600],
	['not from a recording', { recording: { duration: 150 } }, null],
	['not if the times contradict it', { duration: 7, ...TIMES }, null],
	['not in possible milliseconds', { duration: 187000 }, null],
	['not in possible minutes', { duration: 9 }, null],
	['not in milliseconds, by the times', { duration: 187000, ...TIMES }, null],
]);

const status = { status: 'completed' };
const reason = { ...status, ended_reason: 'customer-hung-up' };

expectEach('outcome', [
	['a status', status, 'completed'],
	['a reason before a status', reason, 'customer-hung-up'],
	['a disposition before a reason', { ...reason, callDisposition: 'Interested' }, 'Interested'],
	['an analysis', { analysis: { outcome: 'booked', summary: 'x' } }, 'booked'],
	['a reason in one word', { reason: 'busy', result: 'answered' }, 'answered'],
	['not a category', { end_reason_category: 'customer' }, null],
	['not two that differ', { outcome: 'won', disposition: 'lost' }, null],
	['not the word unknown', { outcome: 'unknown' }, null],
]);

expectEach('summary', [
	['a text', { summary: ' Asked for a demo. ' }, 'Asked for a demo.'],
	['in an analysis', { call_analysis: { call_summary: 'A demo.' } }, 'A demo.'],
	['not of a contact', { contact: { summary: 'VIP since 2010' } }, null],
	['in an analysis beside', { call: {}, data: { analysis: { summary: 'A demo.' } } }, 'A demo.'],
	['not of metadata alone', { call: { metadata: { summary: 'A demo.' } } }, null],
	['not two that differ', { summary: 'x', recap: 'y' }, null],
]);

const URL = 'https://a.example/r.mp3';

expectEach('recordingUrl', [
	['in a field', { recordingUrl: URL }, URL],
	['in an object', { recording: { id: 'r', url: URL } }, URL],
	['in a list of one', { recordings: [{ id: 'r', url: URL }] }, URL],
	['among media', { media: { recording_url: URL } }, URL],
	['not of one side', { recording: { left: { url: URL }, customer: { url: URL } } }, null],
	['not of the call itself', { url: URL, link: URL }, null],
	['not a path', { recording_url: 'recordings/1.mp3' }, null],
	['not two that differ', { recording_url: URL, call_recording: `${URL}?b` }, null],
]);

const TURNS = [
	{ role: 'system', content: 'Be kind' },
	{ role: 'bot', content: 'Hi' },
	{ role: 'tool', content: 'ok' },
	{ role: 'user', content: 'Hello' },
];

expectEach('transcript', [
	['turns', { transcript: TURNS }, 'Bot: Hi\nUser: Hello'],
	['messages with roles', { messages: TURNS }, 'Bot: Hi\nUser: Hello'],
	['turns as text', { transcript: '[{"role":"bot","content":"Hi"}]' }, 'Bot: Hi'],
	['speakers with numbers', { transcript: [{ speaker: 0, text: 'Hi' }] }, 'Speaker 0: Hi'],
	['lines', { transcript: ['Agent: Hi', 'User: Hello'] }, 'Agent: Hi\nUser: Hello'],
	['in an object', { transcript: { segments: [{ speaker: 'A', text: 'Hi' }] } }, 'A: Hi'],
	['text', { transcript: ' Agent: Hi ' }, 'Agent: Hi'],
	['not a chat beside the call', { chat_transcript: TURNS }, null],
	['not an address', { transcript: 'https://a.example/t.json' }, null],
	['not a notice', { message: 'Call details fetched' }, null],
	['not instructions', { messages: [{ role: 'system', content: 'Be kind' }] }, null],
	['not messages of the agent', { agent: { messages: TURNS } }, null],
	['not comments', { comments: [{ role: 'agent', content: 'Is a VIP' }] }, null],
]);
