import { readEventTypes } from '../../nodes/VoiceAgent/answers/catalog';
import { findList, readRecord, type Resource } from '../../nodes/VoiceAgent/answers/lists';
import { parseJson } from '../../nodes/VoiceAgent/matcher/json';
import {
	readApiKey,
	readCreatedEndpoint,
	readEndpoint,
	readSigningSecret,
} from '../../nodes/VoiceAgent/answers/records';
import { looksMasked } from '../../nodes/VoiceAgent/api/secrets';
import { fc } from '../support/random';

const entriesIn = (body: unknown, resource: Resource) => findList(body, resource)?.entries;
const WEBHOOKS = [
	{ id: '1', url: 'https://a.example/1', events: ['call.completed'] },
	{ id: '2', url: 'https://a.example/2', events: [] },
];
const KEYS = [{ id: '1', name: 'A', prefix: 'svc_live_ab', scopes: [] }];
const LOG = [{ status: 200 }, { status: 500 }];

describe('a list is the array whose entries have the fields of the resource', () => {
	const lists = { webhooks: WEBHOOKS, apiKeys: KEYS, deliveries: LOG };

	test.each<[keyof typeof lists, string, unknown]>([
		['webhooks', 'bare', WEBHOOKS],
		['webhooks', 'in any envelope', { zorp: WEBHOOKS }],
		['webhooks', 'at any depth', { zorp: { quux: { list: WEBHOOKS } } }],
		['webhooks', 'beside arrays of other records', { data: [{ id: 'w' }], zorp: WEBHOOKS }],
		['webhooks', 'beside texts', { features: ['a', 'b'], zorp: WEBHOOKS, errors: [] }],
		['webhooks', 'with its own ID', { id: 'list_1', url: '/webhooks', data: WEBHOOKS }],
		['webhooks', 'beside entries with fewer fields', { x: [{ id: 'a', url: 'u' }], y: WEBHOOKS }],
		['webhooks', 'beside a nested one', { zorp: WEBHOOKS, meta: { last: WEBHOOKS.slice(1) } }],
		['webhooks', 'of two, by its name', { last: WEBHOOKS.slice(1), data: WEBHOOKS }],
		['apiKeys', 'in any envelope', { zorp: KEYS, items: [{ id: 'w', name: 'W' }] }],
		['deliveries', 'by its name', { agents: [{}], attempts: LOG }],
		['deliveries', 'that is the only one', { zorp: LOG, features: ['a'] }],
	])('%s, %s', (resource, _where, body) =>
		expect(entriesIn(body, resource)).toEqual(lists[resource]),
	);

	test('or the only array', () =>
		expect(entriesIn({ zorp: [{ id: '1' }] }, 'webhooks')).toEqual([{ id: '1' }]));

	test.each([
		['below its ID', { id: '1', type: 'webhook', attributes: { url: 'u', events: [] } }],
		['above its ID', { url: 'u', events: [], meta: { id: '1' } }],
		['in a node', { cursor: 'abc', node: { id: '1', url: 'u', events: [] } }],
	])('an entry with its fields %s', (_where, entry) => {
		const body = { zorp: [entry], included: [{ type: 'workspace', id: 'w' }] };
		expect(entriesIn(body, 'webhooks')).toHaveLength(1);
		expect(readRecord(entry, 'webhooks')).toMatchObject({ id: '1', url: 'u', events: [] });
		expect(readEndpoint(entry)).toMatchObject({ id: '1', url: 'u', events: [] });
	});
});

describe('a map of records by their ids is a list', () => {
	const mapOf = (records: object[]) =>
		Object.fromEntries(records.map((record) => [(record as { id: string }).id, record]));
	const attempts = [{ status: 200 }, { status: 500 }];
	const lists: Record<Exclude<Resource, 'eventTypes'>, object[]> = {
		webhooks: WEBHOOKS,
		apiKeys: [...KEYS, { id: 'k2', name: 'B', prefix: 'svc_live_cd', scopes: ['calls:read'] }],
		deliveries: [
			{ id: 'dlv_1', status: 200, attempts },
			{ id: 'dlv_2', status: 500, attempts, endpoint: { id: 'wh_1', url: 'https://a.example' } },
		],
	};

	test.each(Object.keys(lists) as Array<keyof typeof lists>)(
		'of %s, in any envelope',
		(resource) => {
			const list = lists[resource];
			expect(entriesIn(mapOf(list), resource)).toEqual(list);
			expect(entriesIn({ data: mapOf(list), next: null }, resource)).toEqual(list);
			expect(entriesIn({ data: { [resource]: mapOf(list) }, errors: [] }, resource)).toEqual(list);
			expect(entriesIn(mapOf(list.slice(1)), resource)).toEqual(list.slice(1));
		},
	);

	test('of event types', () => {
		const types = ['call.started', 'call.completed'].map((name, n) => ({ id: `et_${n}`, name }));
		expect(readEventTypes(entriesIn(mapOf(types), 'eventTypes') ?? [])).toEqual(
			types.map(({ name }) => ({ name })),
		);
	});

	test('with the fields of paging beside it', () => {
		const body = { webhooks: mapOf(WEBHOOKS), total: 9 };
		expect(findList(body, 'webhooks')?.holders.at(-1)).toBe(body);
	});

	test.each([
		['whose names are no IDs', { primary: WEBHOOKS[0], other: WEBHOOKS[1] }],
		['with other things in it', { ...mapOf(WEBHOOKS), count: 2 }],
	])('but not an object %s', (_what, body) => expect(entriesIn(body, 'webhooks')).toBeUndefined());
});

describe('an empty list is read from', () => {
	test.each([
		['bare', []],
		['null', null],
		['the only array', { zorp: [] }],
		['beside arrays of texts', { zorp: [], features: ['a'] }],
		['beside other empty lists', { zorp: [], errors: [] }],
		['null under its name', { webhooks: null, next: null }],
		['null in the only field', { zorp: null }],
		['a count of zero', { zorp: {}, meta: { total_count: '0' } }],
		['an empty map', {}],
		['an empty map in the only field', { data: {} }],
		['an empty map under a usual name', { data: {}, next_cursor: null }],
		['beside other things', { zorp: [], workspaces: [{ id: 'w', name: 'W' }] }],
	])('%s', (_where, body) => expect(entriesIn(body, 'webhooks')).toEqual([]));

	test.each([
		['nothing', undefined],
		['a text', 'data'],
		['a number', 3],
		['an object under a usual name', { data: { a: 1 } }],
		['a number under a usual name', { data: 2 }],
		['IDs alone', { webhooks: ['1', '2'] }],
		['only errors', { errors: [{ message: 'No' }] }],
		['a count of something else', { error_count: 0, data: { a: 1 } }],
		['two lists with equal fields', { one: WEBHOOKS, other: WEBHOOKS }],
		['a record with an array', WEBHOOKS[1]],
		['a list too deep', { a: { a: { a: { a: { a: { a: { a: { a: { a: WEBHOOKS } } } } } } } } }],
	])('but not from %s', (_name, body) => expect(entriesIn(body, 'webhooks')).toBeUndefined());

	test('and changes no prototype', () => {
		entriesIn(parseJson('{"__proto__": {"data": [1]}, "constructor": {"items": []}}'), 'webhooks');
		expect(({} as Record<string, unknown>).data).toBeUndefined();
	});
});

describe('a created endpoint', () => {
	const url = 'https://n8n.example/webhook/1?voice_agent_token=abc';
	const record = { id: 'wh_1', url, events: ['call.completed'] };

	test.each([
		['bare', record],
		['in any envelope', { zorp: { quux: record } }],
		['in a list', { data: [{ id: 'wh_0', url: 'https://b.example' }, record] }],
		['beside the id of the request', { id: 'req_77', data: record }],
		['beside the id of the workspace', { workspace: { id: 'ws', url: 'u' }, zorp: record }],
		['beside an echo of the request', { id: 'req_77', request: { url }, data: record }],
		['around another record', { ...record, owner: { ...record, id: 'usr_1', url: 'u' } }],
		['beside an older record', { old: { ...record, id: 'wh_0', url: `${url}d` }, data: record }],
		[
			'with its fields below the id',
			{ data: { id: 'wh_1', attributes: { url, events: record.events } } },
		],
		['with its fields above the id', { url, events: record.events, meta: { id: 'wh_1' } }],
		['in a map by its id', { webhooks: { wh_1: record } }],
		[
			'in a map by the ids of all',
			{ wh_0: { id: 'wh_0', url: 'https://b.example' }, wh_1: record },
		],
	])('%s, has the URL that was sent', (_where, body) => {
		const { id, url: shown, events, record: whole } = readCreatedEndpoint(body, url)!;
		expect({ id, url: shown, events }).toEqual(record);
		expect(whole).toMatchObject(record);
	});

	test.each(['https://N8N.example:443/webhook/1/?***', 'https://n8n.example/webhook/1'])(
		'is identified by its URL in any spelling: %s',
		(shown) => {
			const body = { id: 'req_77', data: { ...record, url: shown } };
			expect(readCreatedEndpoint(body, url)).toMatchObject({ id: 'wh_1', url: shown });
		},
	);

	test.each([
		['the URL is hidden', { id: 'wh_1', events: [] }, 'wh_1'],
		['the URL is another', { id: 'wh_1', url: 'https://b.example' }, 'wh_1'],
		['only the id is shown', { data: { id: 7 } }, '7'],
		['two IDs are near the URL', { id: 'req_77', data: { url, meta: { id: 'wh_1' } } }, 'req_77'],
	])('must be confirmed by the list if %s', (_where, body, id) => {
		expect(readCreatedEndpoint(body, url)).toMatchObject({ id, url: undefined });
	});

	test.each([undefined, null, 'id', 5, [], {}, { id: null }, { id: { id: {} } }, { url }])(
		'is not read from %j',
		(body) => expect(readCreatedEndpoint(body, url)).toBeUndefined(),
	);
});

describe('an endpoint of a list', () => {
	const NONE = { isDisabled: false, isRemoved: false, isUnverified: false };
	const owner = { id: 'b', url: 'v' };

	test.each([
		[
			{ id: 1, url: 'u' },
			{ id: '1', url: 'u', events: undefined, ...NONE },
		],
		[{ id: 'a' }, { id: 'a', url: '' }],
		[
			{ id: 'a', url: null, events: '*' },
			{ url: '', events: undefined },
		],
		[{ id: 'a', url: 'u', events: [{ type: 'x.y' }, '*', 4] }, { events: ['x.y', '*'] }],
		[
			{ id: 'a', url: 'u', owner },
			{ id: 'a', url: 'u' },
		],
		[
			{ id: 'a', attributes: { url: 'u', events: [] }, owner },
			{ id: 'a', url: 'u' },
		],
	] as Array<[entry: object, endpoint: object]>)('%j', (entry, endpoint) =>
		expect(readEndpoint(entry)).toMatchObject(endpoint),
	);

	test.each([null, 'a', 3, [], { url: 'https://a.example' }])('is not read from %j', (entry) =>
		expect(readEndpoint(entry)).toBeUndefined(),
	);

	const [disabled, removed, unverified] = [
		{ ...NONE, isDisabled: true },
		{ ...NONE, isRemoved: true },
		{ ...NONE, isUnverified: true },
	];
	const AT = '2026-01-02T03:04:05Z';

	test.each<[fields: object, states: object]>([
		[{ enabled: false }, disabled],
		[{ isActive: false }, disabled],
		[{ disabled: true }, disabled],
		[{ status: 'disabled' }, disabled],
		[{ state: 'PAUSED' }, disabled],
		[{ attributes: { url: 'u', status: 'suspended' } }, disabled],
		[{ status: 'failing' }, NONE],
		[{ enabled: null, active: 0, disabled: 'no' }, NONE],
		[{ status: 'deleted' }, removed],
		[{ state: 'Removed' }, removed],
		[{ deleted: true }, removed],
		[{ isRemoved: true }, removed],
		[{ deleted_at: AT }, removed],
		[{ attributes: { url: 'u', removedOn: 1767323045 } }, removed],
		[{ deleted_at: null, removedAt: '', deleted: false, status: 'active' }, NONE],
		[{ deleted: 'never', status: 'disabled' }, disabled],
		[{ status: 'pending', enabled: true, disabled: false }, unverified],
		[{ status: 'PENDING_VERIFICATION' }, unverified],
		[{ verification_status: 'awaiting_confirmation' }, unverified],
		[{ verified: false }, unverified],
		[{ isConfirmed: false }, unverified],
		[{ verified_at: null }, unverified],
		[{ pendingVerification: true }, unverified],
		[{ attributes: { url: 'u', verified: false } }, unverified],
		[{ verified: true, verified_at: AT, status: 'active' }, NONE],
		[{ verification_status: 'verified', needs_verification: false }, NONE],
		[{ status: 'failing', description: 'pending' }, NONE],
	])('with %j has the state %j', (fields, states) =>
		expect(readEndpoint({ id: '1', ...fields })).toMatchObject(states),
	);
});

describe('a created API key', () => {
	const key = 'svc_live_abcdefgh';
	const record = { id: 'k1', name: 'A', prefix: 'svc_live_ab', scopes: ['calls:write'] };

	test.each([
		['bare', { ...record, key }],
		['in any envelope', { zorp: { quux: { ...record, key } } }],
		['above its record', { api_key: record, key }],
		['above its record, beside another id', { id: 'req_1', api_key: record, key }],
		['below its id', { id: 'k1', attributes: { ...record, key } }],
		['in a map by its id', { k1: { ...record, key } }],
		['under any name', { data: { ...record, zorp: key } }],
		['beside its record', { key_record: record, plaintext: { value: key } }],
		['beside a masked value', { ...record, key: 'svc_live_ab****', value: key }],
		['beside another field `key`', { idempotency: { key: 'request-1' }, data: { ...record, key } }],
	])('is whole: %s', (_where, body) => expect(readApiKey(body)).toEqual({ ...record, key }));

	test('is read without the prefix of keys, and without a record', () => {
		expect(readApiKey({ data: { key: 'other' } })).toMatchObject({ key: 'other' });
		expect(readApiKey([{ id: '1', key: 'other' }])).toEqual({ id: '1', key: 'other' });
		expect(readApiKey(key)).toEqual({ key });
	});

	test.each([
		[null],
		[{}],
		[{ ok: true }],
		[record],
		[{ ...record, key: 'svc_live_ab…' }],
		[{ ...record, hint: 'svc_live_ab' }],
		[{ key: null }],
	])('has no value in %j', (body) => expect(readApiKey(body)).toBeUndefined());
});

describe('a signing secret', () => {
	test.each([
		[{ secret: 'whsec_a' }, 'whsec_a'],
		[{ data: { id: 'a', zorpSecret: 'abc' } }, 'abc'],
		[{ SIGNING_KEY: 'def' }, 'def'],
		[{ signingKey: 'def' }, 'def'],
		[{ client_secret: 'a', signing: { value: 'whsec_e' } }, 'whsec_e'],
		[{ secret: { id: 1 } }, undefined],
		[{ secret: '' }, undefined],
		[{ secret: true, secretary: 'Ann' }, undefined],
		[{ secret: 'whsec_****' }, undefined],
		[{ secret: '••••••••' }, undefined],
		[{ secret: 'whsec_abc…' }, undefined],
		[{ secret: 'xxxxxxxxxxxx' }, undefined],
		[{}, undefined],
	])('of %j is %s', (body, secret) => expect(readSigningSecret(body)).toBe(secret));
});

describe('in envelopes of any name', () => {
	const word = fc
		.stringMatching(/^[a-z]{3,8}$/)
		.filter((name) => !/^(id|url|key|events)$/.test(name));
	const noise = fc.dictionary(
		word.map((name) => `x${name}`),
		fc.oneof(
			fc.integer({ min: 1 }),
			fc.string(),
			fc.array(word),
			fc.record({ id: fc.uuid(), name: word }),
			fc.array(fc.record({ id: fc.uuid(), name: word }), { minLength: 1 }),
		),
		{ maxKeys: 4 },
	);
	/** Puts a value into envelopes with random names and random fields beside it. */
	const nested = <T>(value: T) =>
		fc
			.array(fc.tuple(word, noise, fc.option(fc.uuid(), { nil: undefined })), { maxLength: 3 })
			.map((envelopes) =>
				envelopes.reduce<unknown>(
					(inner, [name, beside, id]) => ({ ...(id && { id }), ...beside, [name]: inner }),
					value,
				),
			);
	const bare = fc.record({ id: fc.uuid(), url: fc.webUrl(), events: fc.array(word) });
	/** An endpoint in one of the forms of the contract. */
	const entry = bare.chain(({ id, ...fields }) =>
		fc.tuple(
			fc.constant({ id, ...fields }),
			fc.oneof(
				fc.constant({ id, ...fields }),
				word.map((name) => ({ id, [name]: fields })),
				word.map((name) => ({ ...fields, [name]: { id } })),
				word.map((name) => ({ [name]: { id, ...fields } })),
			),
		),
	);

	test('lists are found', () => {
		fc.assert(
			fc.property(
				fc
					.array(entry, { minLength: 1, maxLength: 5 })
					.chain((entries) =>
						fc.tuple(
							fc.constant(entries.map(([plain]) => plain)),
							nested(entries.map(([, shown]) => shown)),
						),
					),
				([plain, body]) => {
					const list = entriesIn(body, 'webhooks')?.map(readEndpoint);
					expect(list).toMatchObject(plain);
				},
			),
		);
	});

	test('empty lists are found', () => {
		fc.assert(
			fc.property(nested([]), (body) => {
				expect(entriesIn(body, 'webhooks')).toEqual([]);
			}),
		);
	});

	test('created endpoints are found', () => {
		fc.assert(
			fc.property(
				bare.chain((plain) => fc.tuple(fc.constant(plain), nested(plain))),
				([plain, body]) => {
					expect(readCreatedEndpoint(body, plain.url)).toMatchObject(plain);
				},
			),
		);
	});

	test('created keys are found', () => {
		const key = fc
			.tuple(word, word)
			.map((words) => `svc_live_1${words.join('-')}`)
			.filter((text) => !looksMasked(text));
		fc.assert(
			fc.property(
				fc
					.record({
						id: fc.uuid(),
						name: word,
						key,
						prefix: fc.constant('svc_live_'),
						scopes: fc.array(word),
					})
					.chain((plain) => fc.tuple(fc.constant(plain), nested(plain))),
				([plain, body]) => expect(readApiKey(body)).toEqual(plain),
			),
		);
	});

	test('catalogs are found', () => {
		const name = fc.tuple(word, word).map((words) => words.join('.'));
		const entryOf = fc.constantFrom(
			(text: string): unknown => text,
			(text: string) => ({ name: text, description: 'Some words' }),
			(text: string) => ({ id: 'b7f3', label: 'Call', slug: text }),
			(text: string) => ({ zorp: text, name: 'A label' }),
			(text: string) => ({ node: { type: text } }),
		);
		fc.assert(
			fc.property(
				fc
					.tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), entryOf)
					.chain(([names, form]) => fc.tuple(fc.constant(names), nested(names.map(form)))),
				([names, body]) => {
					const types = readEventTypes(entriesIn(body, 'eventTypes') ?? []);
					expect(types.map((type) => type.name)).toEqual(names);
				},
			),
		);
	});
});
