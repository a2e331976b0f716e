import {
	beginning,
	hideSigningSecret,
	isHtml,
	parseJson,
	readEndpoint,
	readErrorMessage,
	readEventType,
	readList,
	readNextPage,
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
	});

	test.each([
		['nothing', undefined],
		['null', null],
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
		[{ type: 'ping' }, 'ping'],
	])('of %j is %s', (entry, name) => expect(readEventType(entry)?.name).toBe(name));

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
	[{ secret: '' }, undefined],
	[{ secret: true }, undefined],
	[{}, undefined],
])('the signing secret of %j is %s', (record, secret) =>
	expect(readSigningSecret(record as never)).toBe(secret),
);

test.each(['secret', 'signingSecret', 'signing_secret', 'webhookSecret', 'webhook_secret'])(
	'a signing secret under %s is hidden',
	(key) => {
		const record = { id: '1', [key]: 'whsec_1' };
		expect(hideSigningSecret(record)).toEqual({ id: '1', [key]: '***' });
		expect(record[key]).toBe('whsec_1');
	},
);

describe('the next page', () => {
	const PAGE = 'https://api.example.com/v1/webhooks?page=2';

	test.each([
		[{ next: PAGE }, { page: PAGE }],
		[{ next: '/v1/webhooks?page=2' }, { page: '/v1/webhooks?page=2' }],
		[{ next: '?page=2' }, { page: '?page=2' }],
		[{ next_url: PAGE }, { page: PAGE }],
		[{ next_page: PAGE }, { page: PAGE }],
		[{ links: { next: PAGE } }, { page: PAGE }],
		[{ meta: { next_page_url: PAGE } }, { page: PAGE }],
		[{ next_cursor: 'abc' }, { query: { cursor: 'abc' } }],
		[{ pagination: { nextCursor: 'abc' } }, { query: { cursor: 'abc' } }],
		[{ next_page_token: '/+a' }, { query: { page_token: '/+a' } }],
		[{ nextPageToken: 'abc' }, { query: { pageToken: 'abc' } }],
		[{ next_page: 2 }, { query: { page: '2' } }],
		[{ page: 1, total_pages: 2 }, { query: { page: '2' } }],
		[{ data: { items: [], nextCursor: 'abc' } }, { query: { cursor: 'abc' } }],
		[{ has_more: true, next_cursor: 'abc' }, { query: { cursor: 'abc' } }],
	])('of %j', (body, page) => expect(readNextPage(body, {})).toEqual(page));

	test.each([
		{ has_more: true },
		{ meta: { hasMore: true } },
		{ next: 'an opaque cursor, for who knows what parameter' },
		{ links: { next: { href: PAGE } } },
	])('is somewhere: %j', (body) => expect(readNextPage(body, {})).toBe('unknown'));

	test.each([
		[undefined],
		[null],
		['next'],
		[[]],
		[{}],
		[{ next: null, next_cursor: null }],
		[{ next: '', next_cursor: '' }],
		[{ has_more: false }],
		[{ has_more: false, next_cursor: 'the last one read' }],
		[{ page: 2, total_pages: 2 }],
		[{ page: '1', total_pages: '2' }],
		[{ pagination: [] }],
	])('is none after %j', (body) => expect(readNextPage(body, {})).toBeUndefined());

	test.each([
		[`<${PAGE}>; rel="next"`, PAGE],
		[`<https://a.example>; rel="prev", <${PAGE}>; rel=next`, PAGE],
		[`<${PAGE}>; title="x"; rel="next", <https://a.example>; rel="last"`, PAGE],
	])('of the header Link: %s', (link, page) =>
		expect(readNextPage([], { link })).toEqual({ page }),
	);

	test.each(['', `<${PAGE}>; rel="prev"`, 'next', [PAGE]])(
		'is not in the header Link: %s',
		(link) => expect(readNextPage([], { link })).toBeUndefined(),
	);
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
