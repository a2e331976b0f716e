import { readEventTypes } from '../../nodes/VoiceAgent/answers/catalog';
import {
	findList as findWhole,
	readRecord,
	type Resource,
} from '../../nodes/VoiceAgent/answers/lists';
import { parseJson } from '../../nodes/VoiceAgent/matcher/json';
import {
	readApiKey,
	readCreatedEndpoint,
	readEndpoint,
	readSigningSecret,
} from '../../nodes/VoiceAgent/answers/records';
import { looksMasked } from '../../nodes/VoiceAgent/api/secrets';
import { fc } from '../support/random';

const entriesIn = (body: unknown, resource: Resource) => findWhole(body, resource)?.entries;
const HOOKS = [
	{ id: '1', url: 'https://a.example/1', events: ['call.completed'] },
	{ id: '2', url: 'https://a.example/2', events: [] },
];
const KEYS = [{ id: '1', name: 'A', prefix: 'svc_live_ab', scopes: [] }];
const LOG = [{ status: 200 }, { status: 500 }];

describe('a list is the array whose entries have the fields of the contract', () => {
	test.each<[Resource, string, unknown, unknown]>([
		['webhooks', 'bare', HOOKS, HOOKS],
		['webhooks', 'in any envelope', { zorp: HOOKS }, HOOKS],
		['webhooks', 'at any depth', { zorp: { quux: { list: HOOKS } } }, HOOKS],
		['webhooks', 'beside arrays of other things', { data: [{ id: 'w' }], zorp: HOOKS }, HOOKS],
		['webhooks', 'beside texts', { features: ['a', 'b'], zorp: HOOKS, errors: [] }, HOOKS],
		['webhooks', 'with an id of its own', { id: 'list_1', url: '/webhooks', data: HOOKS }, HOOKS],
		['webhooks', 'beside what has fewer', { agents: [{ id: 'a', url: 'u' }], zorp: HOOKS }, HOOKS],
		[
			'webhooks',
			'outside of what is nested',
			{ zorp: HOOKS, meta: { last: HOOKS.slice(1) } },
			HOOKS,
		],
		['webhooks', 'of two that are alike by its name', { last: HOOKS.slice(1), data: HOOKS }, HOOKS],
		['apiKeys', 'in any envelope', { zorp: KEYS, items: [{ id: 'w', name: 'W' }] }, KEYS],
		[
			'deliveries',
			'by its name, for its fields are not shown',
			{ agents: [{}], attempts: LOG },
			LOG,
		],
		['deliveries', 'which is the only one', { zorp: LOG, features: ['a'] }, LOG],
		['webhooks', 'which is the only one', { zorp: [{ id: '1' }] }, [{ id: '1' }]],
	])('%s, %s', (resource, _where, body, list) => expect(entriesIn(body, resource)).toEqual(list));

	test.each([
		['below their id', { id: '1', type: 'webhook', attributes: { url: 'u', events: [] } }],
		['above their id', { url: 'u', events: [], meta: { id: '1' } }],
		['in a node', { cursor: 'abc', node: { id: '1', url: 'u', events: [] } }],
	])('%s, whose fields are one level off', (_where, entry) => {
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
		webhooks: HOOKS,
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

	test('and paging stands beside it, not in its records', () => {
		const body = { webhooks: mapOf(HOOKS), total: 9 };
		expect(findWhole(body, 'webhooks')?.holders.at(-1)).toBe(body);
	});

	test.each([
		['whose names are no ids', { primary: HOOKS[0], other: HOOKS[1] }],
		['with other things in it', { ...mapOf(HOOKS), count: 2 }],
	])('unlike an object %s', (_what, body) => expect(entriesIn(body, 'webhooks')).toBeUndefined());
});

describe('an empty list', () => {
	test.each([
		['bare', []],
		['null', null],
		['the only array', { zorp: [] }],
		['beside arrays of texts', { zorp: [], features: ['a'] }],
		['beside what an empty list often has', { zorp: [], errors: [] }],
		['null in its place', { webhooks: null, next: null }],
		['null in the only place', { zorp: null }],
		['a count of zero', { zorp: {}, meta: { total_count: '0' } }],
		['an empty map', {}],
		['an empty map in the only place', { data: {} }],
		['an empty map by its name', { data: {}, next_cursor: null }],
		['beside other things', { zorp: [], workspaces: [{ id: 'w', name: 'W' }] }],
	])('%s', (_where, body) => expect(entriesIn(body, 'webhooks')).toEqual([]));

	test.each([
		['nothing', undefined],
		['a text', 'data'],
		['a number', 3],
		['an object in its place', { data: { a: 1 } }],
		['a number in its place', { data: 2 }],
		['IDs alone', { webhooks: ['1', '2'] }],
		['only errors', { errors: [{ message: 'No' }] }],
		['a count of something else', { error_count: 0, data: { a: 1 } }],
		['two lists that are alike', { one: HOOKS, other: HOOKS }],
		['a record, whose own arrays are no lists', HOOKS[1]],
		['too deep', { a: { a: { a: { a: { a: { a: { a: { a: { a: HOOKS } } } } } } } } }],
	])('is not seen in %s', (_name, body) => expect(entriesIn(body, 'webhooks')).toBeUndefined());

	test('changes no prototype', () => {
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
		['with more of the fields within', { ...record, owner: { ...record, id: 'usr_1', url: 'u' } }],
		['beside an older one', { old: { ...record, id: 'wh_0', url: `${url}d` }, data: record }],
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
		'is known by its address, however that is shown: %s',
		(shown) => {
			const body = { id: 'req_77', data: { ...record, url: shown } };
			expect(readCreatedEndpoint(body, url)).toMatchObject({ id: 'wh_1', url: shown });
		},
	);

	test.each([
		['the URL is hidden', { id: 'wh_1', events: [] }, 'wh_1'],
		['it is another', { id: 'wh_1', url: 'https://b.example' }, 'wh_1'],
		['only the id is shown', { data: { id: 7 } }, '7'],
		[
			'the URL has two ids near it',
			{ id: 'req_77', data: { url, meta: { id: 'wh_1' } } },
			'req_77',
		],
	])('has to be confirmed by the list where %s', (_where, body, id) => {
		expect(readCreatedEndpoint(body, url)).toMatchObject({ id, url: undefined });
	});

	test.each([undefined, null, 'id', 5, [], {}, { id: null }, { id: { id: {} } }, { url }])(
		'is not seen in %j',
		(body) => expect(readCreatedEndpoint(body, url)).toBeUndefined(),
	);
});

describe('an endpoint of a list', () => {
	test.each([
		[
			{ id: 1, url: 'u' },
			{
				id: '1',
				url: 'u',
				events: undefined,
				isDisabled: false,
				isRemoved: false,
				isUnverified: false,
			},
		],
		[{ id: 'a' }, { id: 'a', url: '' }],
		[
			{ id: 'a', url: null, events: '*' },
			{ url: '', events: undefined },
		],
		[
			{ id: 'a', url: 'u', events: [{ type: 'call.completed' }, '*', 4] },
			{ events: ['call.completed', '*'] },
		],
		[
			{ id: 'a', url: 'u', owner: { id: 'b', url: 'v' } },
			{ id: 'a', url: 'u' },
		],
		[
			{ id: 'a', attributes: { url: 'u', events: [] }, owner: { id: 'b', url: 'v' } },
			{ id: 'a', url: 'u' },
		],
	])('%j', (entry, endpoint) => expect(readEndpoint(entry)).toMatchObject(endpoint));

	test.each([null, 'a', 3, [], { url: 'https://a.example' }])('is not seen in %j', (entry) =>
		expect(readEndpoint(entry)).toBeUndefined(),
	);

	test.each([
		[{ enabled: false }, true],
		[{ isActive: false }, true],
		[{ disabled: true }, true],
		[{ status: 'disabled' }, true],
		[{ state: 'PAUSED' }, true],
		[{ attributes: { url: 'u', status: 'suspended' } }, true],
		[{ status: 'failing' }, false],
		[{ status: 'pending', enabled: true, disabled: false }, false],
		[{ enabled: null, active: 0, disabled: 'no' }, false],
	])('with %j is disabled: %s', (fields, isDisabled) =>
		expect(readEndpoint({ id: '1', ...fields })?.isDisabled).toBe(isDisabled),
	);

	test.each([
		[{ status: 'deleted' }, true],
		[{ state: 'Removed' }, true],
		[{ deleted: true }, true],
		[{ isRemoved: true }, true],
		[{ deleted_at: '2026-01-02T03:04:05Z' }, true],
		[{ attributes: { url: 'u', removedOn: 1767323045 } }, true],
		[{ deleted_at: null, removedAt: '', deleted: false, status: 'active' }, false],
		[{ deleted: 'never', status: 'disabled' }, false],
	])('with %j is removed: %s', (fields, isRemoved) =>
		expect(readEndpoint({ id: '1', ...fields })?.isRemoved).toBe(isRemoved),
	);
});

test.each([
	[{ status: 'pending' }, true],
	[{ status: 'PENDING_VERIFICATION' }, true],
	[{ verification_status: 'awaiting_confirmation' }, true],
	[{ verified: false }, true],
	[{ isConfirmed: false }, true],
	[{ verified_at: null }, true],
	[{ pendingVerification: true }, true],
	[{ attributes: { url: 'u', verified: false } }, true],
	[{ verified: true, verified_at: '2026-01-02T03:04:05Z', status: 'active' }, false],
	[{ verification_status: 'verified', needs_verification: false }, false],
	[{ status: 'failing', description: 'pending' }, false],
])('an endpoint of a list with %j waits for verification: %s', (fields, isUnverified) =>
	expect(readEndpoint({ id: '1', ...fields })?.isUnverified).toBe(isUnverified),
);

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
		['beside what is masked', { ...record, key: 'svc_live_ab****', value: key }],
		[
			'beside another thing called key',
			{ idempotency: { key: 'request-1' }, data: { ...record, key } },
		],
	])('is whole: %s', (_where, body) => expect(readApiKey(body)).toEqual({ ...record, key }));

	test('need not begin like one, nor have a record', () => {
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

describe('wherever services put things', () => {
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
	/** Puts a thing into envelopes with nonsense names and noise beside it. */
	const nested = <Thing>(thing: Thing) =>
		fc
			.array(fc.tuple(word, noise, fc.option(fc.uuid(), { nil: undefined })), { maxLength: 3 })
			.map((envelopes) =>
				envelopes.reduce<unknown>(
					(inner, [name, beside, id]) => ({ ...(id && { id }), ...beside, [name]: inner }),
					thing,
				),
			);
	const bare = fc.record({ id: fc.uuid(), url: fc.webUrl(), events: fc.array(word) });
	/** An endpoint in one of the forms that keep to the contract. */
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

	test('empty lists are found, but where there are lists of other things', () => {
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
