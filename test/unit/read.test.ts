import {
	beginning,
	hideSigningSecrets,
	isHtml,
	parseJson,
	readEndpoint,
	readErrorMessage,
	readEventType,
	readEventTypes,
	readList,
	readRecord,
	readSigningSecret,
	type Resource,
} from '../../nodes/VoiceAgent/transport/read';

const entries = [{ id: '1' }, { id: '2' }];
const parse = (json: string) => parseJson(json) as never;

describe('a list', () => {
	const resourceKeys: Array<[Resource, string]> = [
		['apiKeys', 'apiKeys'],
		['apiKeys', 'api_keys'],
		['apiKeys', 'keys'],
		['webhooks', 'webhooks'],
		['webhooks', 'endpoints'],
		['deliveries', 'deliveries'],
		['deliveries', 'attempts'],
		['eventTypes', 'eventTypes'],
		['eventTypes', 'event_types'],
		['eventTypes', 'events'],
	];

	test.each([
		['a bare array', entries],
		['data', { data: entries }],
		['items', { items: entries }],
		['results', { results: entries }],
		['a key of any other name', { subscriptions: entries }],
		['one more level down', { data: { items: entries } }],
		['beside an array of errors', { errors: [], data: entries }],
		['beside other data', { data: entries, meta: { page: 1 }, success: true }],
	])('is found: %s', (_name, body) => {
		expect(readList(body, 'webhooks')).toEqual(entries);
	});

	test.each(resourceKeys)('of %s is found under %s', (resource, key) => {
		expect(readList({ [key]: entries }, resource)).toEqual(entries);
		expect(readList({ data: { [key]: entries } }, resource)).toEqual(entries);
	});

	test('may be empty', () => {
		expect(readList([], 'webhooks')).toEqual([]);
		expect(readList({ data: [] }, 'webhooks')).toEqual([]);
		expect(readList(null, 'webhooks')).toEqual([]);
		expect(readList({ webhooks: null }, 'webhooks')).toEqual([]);
		expect(readList({ success: true, data: { items: null } }, 'webhooks')).toEqual([]);
		expect(readList({ webhooks: null, data: entries }, 'webhooks')).toEqual(entries);
	});

	test('of event types may be a map by their names', () => {
		const body = { data: { 'call.started': 'A call', 'call.completed': { title: 'Done' } } };
		expect(readList(body, 'eventTypes')?.flatMap(readEventTypes)).toEqual([
			{ name: 'call.started', description: 'A call' },
			{ name: 'call.completed' },
		]);
		expect(readList({}, 'eventTypes')).toBeUndefined();
	});

	test.each([
		['nothing', undefined],
		['the null of a failure', { data: null, error: { message: 'No' } }],
		['a failure that tells nothing', { success: false, data: null }],
		['a text', 'data'],
		['a number', 3],
		['an empty object', {}],
		['an object in place of the list', { data: { a: 1 } }],
		['a number in place of the list', { data: 2 }],
		['only errors', { errors: [{ message: 'No' }] }],
		['two arrays, neither of a known name', { one: entries, other: entries }],
		['too deep', { data: { data: { data: { data: entries } } } }],
		['a single record, whose own arrays are no list of records', { id: '1', scopes: ['a'] }],
		['an error with an array of details', { error: 'No', details: [] }],
	])('is not seen in %s', (_name, body) => {
		expect(readList(body, 'webhooks')).toBeUndefined();
	});

	test('is not taken from a prototype', () => {
		const body = parse('{"__proto__": {"data": [1]}, "constructor": {"items": [2]}}');
		expect(readList(body, 'webhooks')).toBeUndefined();
		expect(({} as Record<string, unknown>).data).toBeUndefined();
	});
});

describe('a record', () => {
	test.each([
		['bare', { id: 'a' }],
		['data', { data: { id: 'a' } }],
		['its name', { webhook: { id: 'a' } }],
		['one more level down', { data: { webhook: { id: 'a' } } }],
		['after the record of the request itself', { meta: { id: 'request' }, data: { id: 'a' } }],
		['after the owner', { data: { workspace: { id: 'w' }, webhook: { id: 'a' } } }],
	])('is found: %s', (_name, body) => {
		expect(readRecord(body)).toEqual({ id: 'a' });
	});

	test('has the secret that stands beside it', () => {
		const body = { success: true, signing_secret: 'whsec_1', webhook: { id: 'a' } };
		expect(readRecord(body)).toEqual({ id: 'a', signing_secret: 'whsec_1' });
	});

	test('has its id as a text', () => {
		expect(readRecord({ id: 7, name: 'x' })).toEqual({ id: '7', name: 'x' });
	});

	test.each([undefined, null, 'id', 5, [], [{ id: 'a' }], {}, { id: null }, { id: { id: {} } }])(
		'is not seen in %j',
		(body) => expect(readRecord(body)).toBeUndefined(),
	);
});

describe('an endpoint', () => {
	test.each([
		[
			{ id: 1, url: 'https://a.example' },
			{ id: '1', url: 'https://a.example' },
		],
		[{ id: 'a' }, { id: 'a', url: '' }],
		[
			{ id: 'a', url: 5, events: 'call.completed' },
			{ id: 'a', url: '' },
		],
		[
			{ id: 'a', url: 'u', events: [{ type: 'call.completed' }, 'b', 4] },
			{ id: 'a', url: 'u', events: ['call.completed', 'b'] },
		],
	])('%j', (entry, endpoint) => expect(readEndpoint(entry)).toEqual(endpoint));

	test.each([null, 'a', 3, [], { url: 'https://a.example' }])('is not seen in %j', (entry) =>
		expect(readEndpoint(entry)).toBeUndefined(),
	);
});

describe('an event type', () => {
	test.each([
		['call.completed', 'call.completed'],
		[{ name: 'call.completed' }, 'call.completed'],
		[{ type: 'call.completed' }, 'call.completed'],
		[{ event: 'call.completed' }, 'call.completed'],
		[{ event_type: 'call.completed' }, 'call.completed'],
		[{ eventType: 'call.completed' }, 'call.completed'],
		[{ key: 'call.completed' }, 'call.completed'],
		[{ id: 'call.completed' }, 'call.completed'],
		[{ id: 'call.completed', name: 'Call completed' }, 'call.completed'],
		[{ id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', name: 'call.completed' }, 'call.completed'],
		[{ type: 'event_type', name: 'call.completed' }, 'call.completed'],
		[{ value: 'call.completed', label: 'Call completed' }, 'call.completed'],
		[{ id: '3f2504e0', name: 'Call', slug: 'call.completed' }, 'call.completed'],
		[{ event_name: 'call.completed' }, 'call.completed'],
		[{ code: 'call.completed' }, 'call.completed'],
		[{ type: 'ping' }, 'ping'],
	])('of %j is %s', (entry, name) => expect(readEventType(entry)?.name).toBe(name));

	test.each([
		[{ category: 'Calls', events: ['call.started', { name: 'call.completed' }] }],
		[{ name: 'Calls', types: [{ type: 'call.started' }, { type: 'call.completed' }] }],
		[{ name: 'All', events: [{ name: 'Calls', events: ['call.started', 'call.completed'] }] }],
	])('may stand in a group: %j', (group) =>
		expect(readEventTypes(group).map(({ name }) => name)).toEqual([
			'call.started',
			'call.completed',
		]),
	);

	test('is no group for what else it lists', () => {
		for (const name of ['call.started', 'call_started']) {
			const entry = { name, types: ['inbound', 'outbound'] };
			expect(readEventTypes(entry)).toEqual([{ name }]);
		}
		expect(readEventTypes('call.started')).toEqual([{ name: 'call.started' }]);
		expect(readEventTypes({ category: 'Calls' })).toEqual([]);
	});

	test('has its description', () => {
		expect(readEventType({ name: 'a', description: 'One' })).toEqual({
			name: 'a',
			description: 'One',
		});
		expect(readEventType({ name: 'a', summary: 'One' })?.description).toBe('One');
	});

	test.each([null, '', 4, [], ['a'], {}, { name: '' }, { name: 'Call completed' }, { name: {} }])(
		'is not seen in %j',
		(entry) => expect(readEventType(entry)).toBeUndefined(),
	);
});

test.each([
	[{ secret: 'whsec_a' }, 'whsec_a'],
	[{ signingSecret: 'b' }, 'b'],
	[{ signing_secret: 'b' }, 'b'],
	[{ webhook_secret: 'c' }, 'c'],
	[{ signingKey: 'd' }, 'd'],
	[{ signing: { secret: 'e' } }, 'e'],
	[{ secret: { id: 1 } }, undefined],
	[{ secret: '' }, undefined],
	[{ secret: true }, undefined],
	[{}, undefined],
])('the signing secret of %j is %s', (record, secret) =>
	expect(readSigningSecret(record as never)).toBe(secret),
);

test.each([
	'secret',
	'signingSecret',
	'signing_secret',
	'webhookSecret',
	'webhook_secret',
	'signing_key',
])('a signing secret under %s is hidden, wherever that is', (key) => {
	const record = { id: '1', [key]: 'abc', signing: { [key]: 'def', next: null } };
	expect(hideSigningSecrets(record)).toEqual({
		id: '1',
		[key]: '***',
		signing: { [key]: '***', next: null },
	});
	expect(record[key]).toBe('abc');
});

test('a signing secret is known by its prefix, and what is none is left', () => {
	const record = { id: '1', current: 'whsec_1', secret: null, webhook_secret: '', keys: [1] };
	expect(hideSigningSecrets(record)).toEqual({ ...record, current: '***' });
});

describe('the message of an error', () => {
	test.each([
		['{"message": "No"}', 'No'],
		['{"error": "No"}', 'No'],
		['{"error": {"code": "x", "message": "No"}}', 'No'],
		['{"detail": "No"}', 'No'],
		['{"title": "No", "status": 404}', 'No'],
		['{"errors": [{"message": "No"}, {"message": "Never"}]}', 'No; Never'],
		['{"errors": ["No"]}', 'No'],
		['{"detail": [{"loc": ["url"], "message": "No"}]}', 'No'],
		['"No"', 'No'],
		['No', 'No'],
		['', ''],
		['<!doctype html><title>Bad\n gateway</title><h1>Oh', 'Bad gateway'],
		['<html><h1>Oh</h1>', '<html><h1>Oh</h1>'],
		['{"error": 42}', '{"error": 42}'],
		['{"error": null, "message": ""}', '{"error": null, "message": ""}'],
		['{"__proto__": {"message": "No"}}', '{"__proto__": {"message": "No"}}'],
		['{"message": "cu', '{"message": "cu'],
	])('%s', (text, message) => expect(readErrorMessage(text)).toBe(message));

	test('is found in an answer that is nested without end', () => {
		const depth = 50_000;
		expect(readErrorMessage(`${'['.repeat(depth)}"No"${']'.repeat(depth)}`)).toMatch(/^\[+…$/);
	});
});

test('what begins like a web page is one', () => {
	expect(['<!DOCTYPE html>', '\n <html lang="en">', '<HEAD>', '<body>'].every(isHtml)).toBe(true);
	expect(['', '{}', '"<html>"', '<?xml?>', 'a <html>'].some(isHtml)).toBe(false);
});

test('an error shows the beginning of a text, on one line', () => {
	expect(beginning(' a\n\t b ')).toBe('a b');
	expect(beginning('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
