import { findList, readRecord, type Resource } from '../../nodes/VoiceAgent/lists/lists';
import { readEndpoint } from '../../nodes/VoiceAgent/lists/records';

const entriesIn = (body: unknown, resource: Resource) => findList(body, resource)?.entries;
const WEBHOOKS = [
	{ id: '1', url: 'https://a.example/1', events: ['call.completed'] },
	{ id: '2', url: 'https://a.example/2', events: [] },
];
const KEYS = [{ id: '1', name: 'A', prefix: 'svc_live_ab', scopes: [] }];
const LOG = [{ status: 200 }, { status: 500 }];

const lists = { webhooks: WEBHOOKS, apiKeys: KEYS, deliveries: LOG };

test.each<[keyof typeof lists, string, unknown]>([
	['webhooks', 'bare', WEBHOOKS],
	['webhooks', 'at any depth', { zorp: { quux: { list: WEBHOOKS } } }],
	['webhooks', 'with its own ID', { id: 'list_1', url: '/webhooks', data: WEBHOOKS }],
	['webhooks', 'beside entries with fewer fields', { x: [{ id: 'a', url: 'u' }], y: WEBHOOKS }],
	['webhooks', 'of two, by its name', { last: WEBHOOKS.slice(1), data: WEBHOOKS }],
	['apiKeys', 'in any envelope', { zorp: KEYS, items: [{ id: 'w', name: 'W' }] }],
	['deliveries', 'by its name', { agents: [{}], attempts: LOG }],
	['deliveries', 'that is the only one', { zorp: LOG, features: ['a'] }],
])('a list of %s is found %s', (resource, _where, body) =>
	expect(entriesIn(body, resource)).toEqual(lists[resource]),
);

test('a list of 200,000 entries is found', () => {
	const keys = Array.from({ length: 200_000 }, (_, at) => ({ id: at + 1, prefix: 'svc_live_a' }));
	expect(entriesIn(keys, 'apiKeys')).toHaveLength(200_000);
});

test.each([
	['below its ID', { id: '1', type: 'webhook', attributes: { url: 'u', events: [] } }],
	['above its ID', { url: 'u', events: [], meta: { id: '1' } }],
	['in a node', { cursor: 'abc', node: { id: '1', url: 'u', events: [] } }],
])('an entry of a list may have its fields %s', (_where, entry) => {
	const body = { zorp: [entry], included: [{ type: 'workspace', id: 'w' }] };
	expect(entriesIn(body, 'webhooks')).toHaveLength(1);
	expect(readRecord(entry, 'webhooks')).toMatchObject({ id: '1', url: 'u', events: [] });
	expect(readEndpoint(entry)).toMatchObject({ id: '1', url: 'u', events: [] });
});

test.each([
	['bare', []],
	['null', null],
	['beside arrays of texts', { zorp: [], features: ['a'] }],
	['beside other empty lists', { zorp: [], errors: [] }],
	['null under its name', { webhooks: null, next: null }],
	['an empty map', {}],
	['beside other things', { zorp: [], workspaces: [{ id: 'w', name: 'W' }] }],
])('an empty list is read from %s', (_where, body) =>
	expect(entriesIn(body, 'webhooks')).toEqual([]),
);

test.each([
	['nothing', undefined],
	['IDs alone', { webhooks: ['1', '2'] }],
	['records without a field of the contract', { zorp: [{ id: '1' }] }],
	['only errors', { errors: [{ message: 'No' }] }],
	['an object under a usual name', { error_count: 0, data: { a: 1 } }],
	['two lists with equal fields', { one: WEBHOOKS, other: WEBHOOKS }],
	['a record with an array', WEBHOOKS[1]],
	['a map of records with arrays', { webhooks: { wh_1: { url: 'u', headers: [] } } }],
	['a list too deep', { a: { a: { a: { a: { a: { a: { a: { a: { a: WEBHOOKS } } } } } } } } }],
])('no list is read from %s', (_name, body) => expect(entriesIn(body, 'webhooks')).toBeUndefined());
