import { readEventTypes } from '../../nodes/VoiceAgent/answers/catalog';
import { findList } from '../../nodes/VoiceAgent/answers/lists';

const namesIn = (body: unknown) =>
	readEventTypes(findList(body, 'eventTypes')?.entries ?? []).map(({ name }) => name);

describe('the catalog', () => {
	const NAMES = ['call.started', 'call.completed', 'chat.started'];

	test.each<[string, unknown]>([
		['bare texts', NAMES],
		['objects in any envelope', { zorp: NAMES.map((quux) => ({ quux })) }],
		[
			'a map by the names',
			{ data: { 'call.started': 'A', 'call.completed': {}, 'chat.started': [] } },
		],
		[
			'a bare map beside an id',
			{ id: 'r', ...Object.fromEntries(NAMES.map((name) => [name, null])) },
		],
		[
			'entries whose fields are below an id',
			NAMES.map((name) => ({ id: 'et_1', type: 'event_type', attributes: { name } })),
		],
		['groups of full names', { call: NAMES.slice(0, 2), chat: NAMES.slice(2) }],
		['groups in an envelope', { events: { call: NAMES.slice(0, 2), chat: NAMES.slice(2) } }],
		[
			'groups of maps',
			{ call: { 'call.started': '', 'call.completed': '' }, chat: { 'chat.started': '' } },
		],
		[
			'groups as entries',
			[
				{ name: 'Calls', events: NAMES.slice(0, 2) },
				{ name: 'Chats', events: NAMES.slice(2) },
			],
		],
		[
			'beside texts of another form',
			{ scopes: ['calls:read'], zorp: NAMES, versions: ['1.0', '2.0'] },
		],
		['beside other names with dots', { hosts: ['a.example'], events: NAMES }],
		['beside records', { workspaces: [{ id: 'w', name: 'Main' }], zorp: NAMES }],
	])('is read from %s', (_form, body) => expect(namesIn(body)).toEqual(NAMES));

	test.each([
		['of letters', (name: string) => Buffer.from(name).toString('base64')],
		['with dots', (name: string) => `v1.${name.length}.abc`],
		['like names', (name: string) => `cursor.${name}`],
	])('in edges gives names, not cursors %s', (_form, cursorOf) => {
		for (const names of [NAMES, ['call_started', 'call_completed'], ['ringing', 'busy']]) {
			const edges = names.map((name) => ({ cursor: cursorOf(name), node: { id: 'et_1', name } }));
			expect(namesIn({ edges })).toEqual(names);
			const eventTypes = { edges, pageInfo: { hasNextPage: false, endCursor: 'a.b' } };
			expect(namesIn({ data: { eventTypes } })).toEqual(names);
		}
	});

	test('may have names without dots', () => {
		const names = ['call_started', 'call_completed'];
		expect(namesIn({ zorp: names, features: ['beta'] })).toEqual(names);
		expect(namesIn({ call: names, chat: ['chat_started'] })).toEqual([...names, 'chat_started']);
		expect(namesIn({ data: ['ping', 'pong'], features: ['beta'] })).toEqual(['ping', 'pong']);
		expect(namesIn({ zorp: ['ping', 'pong'] })).toEqual(['ping', 'pong']);
		expect(namesIn({ columns: ['id'], zorp: { quux: ['ping'] }, data: ['pong'] })).toEqual([
			'pong',
		]);
		expect(findList({ zorp: ['ping'], quux: ['beta'] }, 'eventTypes')).toBeUndefined();
	});

	test('keeps wildcards, and plain words among names with dots', () => {
		expect(namesIn({ data: ['*', 'call.*', 'call.completed', 'ping'] })).toEqual([
			'*',
			'call.*',
			'call.completed',
			'ping',
		]);
	});

	test('takes all names from the field of a known name, and keeps wildcards', () => {
		const spelled = [{ zorp: 'callStarted' }, { zorp: 'call.completed' }];
		expect(namesIn({ data: spelled })).toEqual(['callStarted', 'call.completed']);
		const grouped = [
			{ name: 'call', events: ['call.completed'] },
			{ name: 'chat', events: ['chat_opened'] },
		];
		expect(namesIn({ data: grouped })).toEqual(['call.completed', 'chat_opened']);
		const groups = [
			{ name: 'all', events: ['*'] },
			{ name: 'call', events: ['call.completed'] },
		];
		expect(namesIn({ data: groups })).toEqual(['*', 'call.completed']);
		expect(namesIn({ '*': 'All', 'call.completed': '' })).toEqual(['*', 'call.completed']);
	});

	test('may be empty, and is not read from other answers', () => {
		for (const body of [[], {}, null, { zorp: [] }, { data: {} }, { data: [], errors: [] }]) {
			expect(findList(body, 'eventTypes')?.entries).toEqual([]);
		}
		for (const body of ['call.completed', { data: { a: 1 } }, { total: 0 }]) {
			expect(findList(body, 'eventTypes')).toBeUndefined();
		}
	});
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
	])('of %j is %s', (entry, name) =>
		expect(readEventTypes([entry]).map((type) => type.name)).toEqual([name]),
	);

	test.each([
		[{ category: 'Calls', events: ['call.started', 'call.completed'] }],
		[{ name: 'Calls', types: [{ type: 'call.started' }, { type: 'call.completed' }] }],
		[{ name: 'All', events: [{ name: 'Calls', events: ['call.started', 'call.completed'] }] }],
	])('may stand in a group: %j', (group) =>
		expect(readEventTypes([group]).map(({ name }) => name)).toEqual([
			'call.started',
			'call.completed',
		]),
	);

	test('with other lists is no group', () => {
		for (const name of ['call.started', 'call_started']) {
			const entry = { name, types: ['inbound', 'outbound'] };
			expect(readEventTypes([entry])).toEqual([{ name }]);
		}
		expect(readEventTypes(['call.started'])).toEqual([{ name: 'call.started' }]);
		expect(readEventTypes([{ category: 'Calls' }])).toEqual([]);
	});

	test('has its description', () => {
		expect(readEventTypes([{ name: 'a', description: 'One' }])).toEqual([
			{ name: 'a', description: 'One' },
		]);
		expect(readEventTypes([{ name: 'a', summary: 'One' }])[0]?.description).toBe('One');
	});

	test.each([null, '', 4, [], {}, { name: '' }, { name: 'Call completed' }, { name: {} }])(
		'is not read from %j',
		(entry) => expect(readEventTypes([entry])).toEqual([]),
	);
});
