import {
	readApiKey,
	readCreatedEndpoint,
	readEndpoint,
	readSigningSecret,
} from '../../nodes/VoiceAgent/lists/records';

describe('a created endpoint', () => {
	const url = 'https://n8n.example/webhook/1?voice_agent_token=abc';
	const record = { id: 'wh_1', url, events: ['call.completed'] };
	const other = { id: 'wh_0', url: 'https://b.example' };

	test.each([
		['bare', record],
		['beside the id of the workspace', { workspace: { id: 'ws', url: 'u' }, zorp: record }],
		['beside an echo of the request', { id: 'req_77', request: { url }, data: record }],
		['beside an older record', { old: { ...record, id: 'wh_0', url: `${url}d` }, data: record }],
		['in a map by the ids of all', { wh_0: other, wh_1: record }],
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
		['its fields are below the id', { data: { id: 'wh_1', attributes: { url } } }, 'wh_1'],
		['two IDs are near the URL', { id: 'req_77', data: { url, meta: { id: 'wh_1' } } }, 'req_77'],
	])('must be confirmed by the list if %s', (_where, body, id) => {
		expect(readCreatedEndpoint(body, url)).toMatchObject({ id, url: undefined });
	});

	test.each([undefined, null, 'id', 5, [], {}, { id: null }, { id: { id: {} } }, { url }])(
		'is not read from %j',
		(body) => expect(readCreatedEndpoint(body, url)).toBeUndefined(),
	);
});

const NONE = { isDisabled: false, isRemoved: false, isUnverified: false };
const shown = { id: 'a', url: 'u' };
const owner = { id: 'b', url: 'v' };

test.each<[entry: object, endpoint: object]>([
	[
		{ ...shown, id: 1 },
		{ ...shown, id: '1', events: undefined, ...NONE },
	],
	[
		{ ...shown, url: null, events: '*' },
		{ ...shown, url: '', events: undefined },
	],
	[{ ...shown, events: [{ type: 'x.y' }, 4] }, { events: ['x.y'] }],
	[{ id: 'a', attributes: { url: 'u', events: [] }, owner }, shown],
])('an endpoint of a list %j', (entry, endpoint) =>
	expect(readEndpoint(entry)).toMatchObject(endpoint),
);

test.each([null, 'a', 3, [], { url: 'https://a.example' }])(
	'no endpoint is read from %j',
	(entry) => expect(readEndpoint(entry)).toBeUndefined(),
);

const disabled = { ...NONE, isDisabled: true };
const removed = { ...NONE, isRemoved: true };
const unverified = { ...NONE, isUnverified: true };
const AT = '2026-01-02T03:04:05Z';

test.each<[fields: object, states: object]>([
	[{ enabled: false }, disabled],
	[{ isActive: false }, disabled],
	[{ disabled: true }, disabled],
	[{ paused: true }, disabled],
	[{ status: 'blocked' }, disabled],
	[{ state: 'PAUSED' }, disabled],
	[{ status: 'inactive' }, disabled],
	[{ state: 'deleting' }, disabled],
	[{ attributes: { url: 'u', status: 'suspended' } }, disabled],
	[{ enabled: 0 }, disabled],
	[{ status: 'auto_disabled' }, disabled],
	[{ disabled_at: AT }, disabled],
	[{ disabled_at: AT, enabled: 1 }, NONE],
	[{ disabled_at: '0001-01-01T00:00:00Z' }, NONE],
	[{ paused_at: null, status: 'never disabled' }, NONE],
	[{ status: 'deleted' }, removed],
	[{ status: 'archived' }, removed],
	[{ archived: true }, removed],
	[{ deleted: true }, removed],
	[{ isRemoved: true }, removed],
	[{ deleted_at: AT }, removed],
	[{ attributes: { url: 'u', removedOn: 1767323045 } }, removed],
	[{ deleted_at: null, removedAt: '', deleted: false, status: 'active' }, NONE],
	[{ status: 'pending', active: false }, unverified],
	[{ verification_status: 'awaiting_confirmation' }, unverified],
	[{ verified: false }, unverified],
	[{ isConfirmed: false }, unverified],
	[{ verified: true, verified_at: AT, status: 'active' }, NONE],
	[{ status: 'failing', description: 'pending' }, NONE],
])('an endpoint of a list with %j has the state %j', (fields, states) =>
	expect(readEndpoint({ id: '1', ...fields })).toMatchObject(states),
);

const key = 'svc_live_abcdefgh';
const record = { id: 'k1', name: 'A', prefix: 'svc_live_ab', scopes: ['calls:write'] };

test.each([
	['in any envelope', { zorp: { quux: { ...record, key } } }],
	['above its record, beside another id', { id: 'req_1', api_key: record, key }],
	['under any name', { data: { ...record, zorp: key } }],
	['beside a note', { data: { ...record, key }, note: `${key} is shown once` }],
	['beside a masked value', { ...record, key: 'svc_live_ab****', value: key }],
	['beside another field `key`', { idempotency: { key: 'request-1' }, data: { ...record, key } }],
])('a created API key is whole: %s', (_where, body) =>
	expect(readApiKey(body)).toEqual({ ...record, key }),
);

test('a created API key is read without a record', () => expect(readApiKey(key)).toEqual({ key }));

test.each([
	[{}],
	[record],
	[{ ...record, key: 'svc_live_ab…' }],
	[{ id: '1', prefix: 'svc_live_ab', display: 'svc_live_ab' }],
])('a created API key has no value in %j', (body) => expect(readApiKey(body)).toBeUndefined());

const SECRET = 'c2lnbmluZyBzZWNyZXQgMQ';
const LONGER = 'whsec_c2lnbmluZyBzZWNyZXQgMQ';

// A marker, a prefix, an ID or a hint of a secret is shorter than 16 characters.
test.each([
	[{ data: { id: 'a', zorpSecret: SECRET } }, SECRET],
	[{ SIGNING_KEY: SECRET }, SECRET],
	[{ webhook: { secret: { value: SECRET } } }, SECRET],
	[{ signing: { key: SECRET }, secrets: ['short'] }, SECRET],
	[{ client_secret: SECRET, signing: { value: LONGER } }, LONGER],
	[{ hint: 'whsec_c2lnbm', signing_secret: SECRET }, SECRET],
	[{ display: 'whsec_c2lnbmluZyBz', value: LONGER }, LONGER],
	[{ secret: 'a 16-byte secret' }, 'a 16-byte secret'],
	[{ secret: 'a short secret:' }, undefined],
	[{ secret: true, secretary: 'Ann Lovelace-Byron' }, undefined],
	[{ secret: 'whsec_****************' }, undefined],
	[{}, undefined],
])('the signing secret of %j is %s', (body, secret) =>
	expect(readSigningSecret(body)).toBe(secret),
);
