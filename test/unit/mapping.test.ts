import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { parsePath, readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';

/** Paths as n8n's editor shows, copies and pastes them. */
const nested = ['data', 'anrufer', 'nummer'];

test.each<[string, string[]]>([
	['data.anrufer.nummer', nested],
	[' data.anrufer.nummer\n', nested],
	['legs[0].from', ['legs', '0', 'from']],
	["data['caller number']", ['data', 'caller number']],
	['["caller number"]', ['caller number']],
	["data['it\\'s']", ['data', "it's"]],
	['data["a]b.c{{d}}"]', ['data', 'a]b.c{{d}}']],
	['data.caller-id.2nd_leg', ['data', 'caller-id', '2nd_leg']],
	['daten.Rückruf', ['daten', 'Rückruf']],
	['{{ $json.फ़ोन.เบอร์ }}', ['फ़ोन', 'เบอร์']],
	['json.data', ['json', 'data']],
	['={{ $json.data.anrufer.nummer }}', nested],
	['={{\n$json.data.anrufer.nummer\n}}', nested],
	['$json.data.anrufer.nummer', nested],
	['{{ $json[0].a }}', ['0', 'a']],
	['{{ $json.data?.anrufer?.["nummer"] }}', nested],
	['{{ data.anrufer.nummer }}', nested],
	['=data.anrufer.nummer', nested],
	['{{ $node["Voice Agent Trigger"].json.data["anrufer"].nummer }}', nested],
	['{{ $node["Say \\"hi\\""].json.from }}', ['from']],
	['{{ $node["A].json.x["].json.from }}', ['from']],
	['{{ $node.Trigger.json.from }}', ['from']],
	['{{ $item("0").$node["Voice Agent Trigger"].json["data"]["anrufer"]["nummer"] }}', nested],
	['{{ $item(0).$node["Voice Agent Trigger"].json["data"]["anrufer"]["nummer"] }}', nested],
	["{{ $('Voice Agent Trigger').item.json.data.anrufer.nummer }}", nested],
	['={{ $("Voice Agent Trigger").first().json.data.anrufer.nummer }}', nested],
	["{{ $('A call (1)').last().json.from }}", ['from']],
	["{{ $('Trigger').all()[0].json.from }}", ['from']],
	['{{ $input.item.json.from }}', ['from']],
])('the path %j is read', (text, keys) => {
	expect(parsePath(text)).toEqual(keys);
});

test.each([
	undefined,
	'',
	'={{ }}',
	'==data.from',
	'data.',
	"data['from",
	'data.caller number',
	'{{ $json }}',
	'$json.from }}',
	'{{ $json.a + $json.b }}',
	'{{ $json.from.trim() }}',
	'{{ $json[$json.key] }}',
	'{{ $jsonb.from }}',
	'{{ $node["Trigger"].data.from }}',
	"{{ $('Trigger').item.binary.data }}",
	"{{ $('Trigger').all()[1].json.from }}",
	'{{ process.exit() }}',
])('%j is no path', (text) => {
	expect(parsePath(text)).toBeUndefined();
});

const rowsOf = (...fields: unknown[]) => readMapping({ fields });
/** The summary, mapped by a row with this path. */
const summaryAt = (path: string, event: object) =>
	rowsOf({ detail: 'summary', path }).mapping?.(event as IDataObject).summary;

test('a path is looked up in own fields, and gives null without them', () => {
	const event = JSON.parse(
		'{"legs": [{"from": "+4930"}], "off": false, "no": null, "text": "abc", "__proto__": {"x": "1"}}',
	) as object;
	expect(summaryAt('legs[0].from', event)).toBe('+4930');
	expect(summaryAt('__proto__.x', event)).toBe('1');
	const missing = ['no.x', 'off', 'legs[1].from', 'text[0]', 'text.length.x'];
	const inherited = ['constructor.name', 'legs.map.name', 'text.at.name'];
	for (const path of [...missing, ...inherited]) {
		expect([path, summaryAt(path, event)]).toEqual([path, null]);
	}
});

test.each<[string, unknown, number | null]>([
	['duration_minutes', 3.5, 210],
	['dauer', '3m 7s', 187],
	['dauer', 3.5, null],
])('the mapped duration %s: %j is %p seconds', (name, value, durationSeconds) => {
	const { mapping } = rowsOf({ detail: 'durationSeconds', path: `data.${name}` });
	expect(mapping?.({ data: { [name]: value } })).toEqual({ durationSeconds });
});

test('mapped details are normalised like others, and the parts of a name are joined', () => {
	const { mapping, problem } = rowsOf(
		{ detail: 'customer.phone', path: '={{ $json.data.tel }}' },
		{ detail: 'customer.email', path: 'data.mail' },
		{ detail: 'customer.name', path: 'data.vorname' },
		{ detail: 'customer.name', path: 'data.nachname' },
		{ detail: 'agent.name', path: 'data.zweiter' },
		{ detail: 'agent.name', path: 'data.nachname' },
		{ detail: 'durationSeconds', path: "data['Länge']" },
		{ detail: 'startedAt', path: 'data.beginn' },
		{ detail: 'recordingUrl', path: 'data.datei' },
	);
	expect(problem).toBeUndefined();
	const data = {
		tel: '030 / 23125\u200b-014',
		mail: 'a\u200b@b.example',
		vorname: ' Grace ',
		nachname: 'Hopper',
		Länge: '184',
		beginn: '2026-01-31T10:01:00+01:00',
		datei: 'no address',
	};
	expect(mapping?.({ data })).toEqual({
		'customer.phone': '03023125014',
		'customer.email': 'a@b.example',
		'customer.name': 'Grace Hopper',
		'agent.name': 'Hopper',
		durationSeconds: 184,
		startedAt: '2026-01-31T09:01:00.000Z',
		recordingUrl: null,
	});
	expect(mapping?.({})).toEqual(
		Object.fromEntries(Object.keys(mapping?.({ data }) ?? {}).map((detail) => [detail, null])),
	);
});

test.each<[Record<string, string>, number | null, object?]>([
	[{ startedAt: 'von', endedAt: 'bis' }, 5400],
	[{ startedAt: 'von' }, 5400, { call_id: 'c1', ended_at: '2026-11-01T11:30:00Z' }],
	[{ startedAt: 'bis', endedAt: 'von' }, null],
	[{ startedAt: 'von', endedAt: 'bis', durationSeconds: 'dauer' }, null],
])('the duration beside the mapped %j is %p', (paths, durationSeconds, more = {}) => {
	const [von, bis] = ['2026-11-01T10:00:00Z', '2026-11-01T11:30:00Z'];
	const { mapping } = rowsOf(...Object.entries(paths).map(([detail, path]) => ({ detail, path })));
	expect(readCallDetails({ von, bis, ...more }, { mapping })).toMatchObject({ durationSeconds });
});

// Promise: A mapped detail is read from its path and from nowhere else.
test.each([
	['direction', 'outgoing', undefined, '+14155550142', 'Ann Lee'],
	['direction', 'sideways', undefined, null, 'Ann Lee'],
	['customer.phone', '+14155550101', '+14155550101', '+14155550101', 'Ann Lee'],
	['customer.phone', '+14155550199', '+14155550101', '+14155550199', null],
	['customer.phone', undefined, '+14155550101', null, 'Ann Lee'],
])('the mapped %s %s decides who the customer is', (detail, chosen, own, phone, name) => {
	const { mapping } = readMapping({ fields: [{ detail, path: 'chosen' }] });
	const ends = { direction: 'inbound', from: '+14155550101', to: '+14155550142' };
	const call = { call_id: 'c1', ...ends, customer: { name: 'Ann Lee', phone: own }, chosen };
	expect(readCallDetails(call, { mapping }).customer).toMatchObject({ phone, name });
});

test.each([undefined, '={{ $json }}', { fields: '' }, { fields: [null, {}, { path: ' ' }] }])(
	'without rows with a path there is no mapping: %j',
	(stored) => {
		expect(readMapping(stored)).toEqual({ mapping: undefined, problem: undefined });
	},
);

const id = { detail: 'id', path: 'data.id' };
test.each<[string, unknown[], object]>([
	[
		"The field of Customer Phone in Call Details Mapping can't be read: ={{ $json.a || $json.b }}. Write the path of one field",
		[id, { detail: 'customer.phone', path: '={{ $json.a || $json.b }}' }],
		{ id: 'A1', 'customer.phone': null },
	],
	[
		'Call ID has two rows in Call Details Mapping, the second with the field data.nr. Remove one of them',
		[id, { detail: 'id', path: 'data.nr' }],
		{ id: null },
	],
	[
		'Call Details Mapping has no Detail "toString"',
		[id, { detail: 'toString', path: 'a' }],
		{ id: 'A1' },
	],
])('%s …, and nothing is read from an invalid row', (text, rows, values) => {
	const { mapping, problem } = rowsOf(...rows);
	expect(problem).toContain(text);
	expect(mapping?.({ data: { id: 'A1', nr: 'A2' } })).toEqual(values);
});
