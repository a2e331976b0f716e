/** Bodies that are made to be slow, as JSON of about so many bytes. */

type Entry = (at: number) => string;

/** Repeats entries between brackets. */
function filled(bytes: number, open: string, entry: Entry, close: string): string {
	const parts: string[] = [];
	for (let size = open.length + close.length; size < bytes; size += parts.at(-1)!.length + 1) {
		parts.push(entry(parts.length));
	}
	return `${open}${parts.join()}${close}`;
}

const array = (entry: Entry) => (bytes: number) => filled(bytes, '[', entry, ']');
const object =
	(entry: Entry, before = '') =>
	(bytes: number) =>
		filled(bytes, `{${before}`, entry, '}');
/** A text in a field, which is a part of a value as often as it fits. */
const text = (part: string, field: string) => (bytes: number) =>
	`{"type":"call.completed","${field}":"${part.repeat(bytes / part.length)}"}`;

/** Many spellings of a name: `customer_phone`, `customer_phone-`, `customer_phone-_` */
const spelled = (at: number) => at.toString(2).replaceAll('0', '_').replaceAll('1', '-');

const phone = (side: string, at: number) => `"${side}_phone${spelled(at)}":"+49301234000"`;
const ADDED = '"callDetails":1,"delivery":1,';

/** Names of fields with a value of their kind, and with a text that is almost one. */
const KINDS: Array<[string, string, (length: number) => string]> = [
	['recording_url', 'https://a.example/1', (length) => `https://${'a'.repeat(length)} b`],
	['customer_email', 'ada@a.example', (length) => `a@${'a.'.repeat(length / 2)}`],
	['customer_phone', '+442079460321', (length) => `${'1 x'.repeat(length / 3)}-`],
	['customer_name', 'Ada King', (length) => `${'A '.repeat(length / 2)}1`],
	['call_id', 'call_1', (length) => `a${' '.repeat(length)}b`],
	['started_at', '2026-01-31T09:01:00Z', (length) => `2026-01-31T09:01:00${'0'.repeat(length)}`],
	['duration', '3m 7s', (length) => `${'1 '.repeat(length / 2)}m`],
	['outcome', 'booked', (length) => `${'a '.repeat(length / 2)}`],
	['call_type', 'inbound', (length) => `in-${'bound-'.repeat(length / 6)}`],
	['collected_data', '{\\"a\\":1}', (length) => `${' '.repeat(length)}{[`],
];

/** @returns a field of each kind in turn, with an almost fitting text of that length, else a fitting one */
function fieldOfAKind(at: number, length = 0): string {
	const [name, value, almost] = KINDS[at % KINDS.length]!;
	return `"${name}${spelled(at)}":"${length > 0 ? almost(length) : value}"`;
}

type Bodies = Record<string, (bytes: number) => string>;

const ofAnySize: Bodies = {
	'names that are masked to one': object((at) => `"voice_agent_token=${at}":1`),
	numbers: array(() => '1'),
	'empty objects': array(() => '{}'),
	'secrets in texts': array((at) => `{"signing_secret_${at}":"svc_live_${at}voice_agent_token=a"}`),
	'records in records': (bytes) => `${'{"data":'.repeat(bytes / 9)}1${'}'.repeat(bytes / 9)}`,
	'a long text': text('a', 'summary'),
	'a text of times': text('1900000000.', 'summary'),
	'a text of blanks': text(' ', 'customer_name'),
	'a text of tokens': text('voice_agent_token=a ', 'from'),
	'a text of escapes': text('\\u0061', 'summary'),
	'a long name': (bytes) => `{"${'callId'.repeat(bytes / 6)}":1}`,
};

/** Bodies of deliveries. */
export const hostileEvents: Bodies = {
	...ofAnySize,
	events: array((at) => `{"id":${at},"type":"call.completed"}`),
	'events in a list': (bytes) => `{"events":${array(() => '{"type":"call.moved"}')(bytes)}}`,
	'lists of events': object((at) => `"l${at}":[{"type":"call.completed"}]`),
	'types of an event': object((at) => `"${spelled(at)}type":"${'aA'.repeat(99)}"`),
	'added fields': object((at) => `"callDetails_${at}":1,"delivery_${at}":1`, ADDED),
	'numbers of both sides': object((at) => `${phone('agent', at)},${phone('customer', at)}`),
	envelopes: object((at) => `"${spelled(at)}data":{"name":"x"}`),
	'values of all kinds': object((at) => fieldOfAKind(at)),
	'texts that are almost values': object((at) => fieldOfAKind(at, [30, 240, 3_900][at % 3])),
	'a long name of an envelope': (bytes) =>
		object(
			(at) => `"agent_phone${spelled(at)}":"+49301234000"`,
			`"data${'-'.repeat(bytes / 2)}":{`,
		)(bytes) + '}',
	legs: object((at) => `"${spelled(at)}legs":[{"from":1,"to":2}]`),
	speakers: (bytes) =>
		`{"transcript":${array((at) => `{"role":"user ${at}","word":"Hi"}`)(bytes)}}`,
	turns: (bytes) => `{"transcript":${array(() => '{"role":"user","text":"Hi"}')(bytes)}}`,
};

/** Answers of the service. */
export const hostileAnswers: Bodies = {
	...ofAnySize,
	'parts of a record': object((at) => `"part${at}":{"url":"u"}`, '"id":"wh_1",'),
	'records of an answer': object((at) => `"wh_${at}":{"id":"wh_${at}","url":"u"}`),
	'event types': array((at) => `{"type":"call.event${at}"}`),
	'names of event types': object((at) => `"call.event${at}":{}`),
};
