import { readEventTypes } from '../../nodes/VoiceAgent/lists/catalog';
import { findList } from '../../nodes/VoiceAgent/lists/lists';

const namesIn = (body: unknown) =>
	readEventTypes(findList(body, 'eventTypes')?.entries ?? []).map(({ name }) => name);

describe('the catalog', () => {
	const NAMES = ['call.started', 'call.completed', 'chat.started'];

	test.each<[string, unknown]>([
		['bare texts', NAMES],
		['objects in any envelope', { zorp: NAMES.map((quux) => ({ quux })) }],
		['a map beside an id', { id: 'r', ...Object.fromEntries(NAMES.map((name) => [name, null])) }],
		['groups of full names', { calls: NAMES.slice(0, 2), chats: NAMES.slice(2) }],
		['objects that refer to others', NAMES.map((name) => ({ a: { type: NAMES[1] }, name }))],
		['other names with dots beside it', { hosts: ['a.example'], events: NAMES }],
	])('is read from %s', (_form, body) => expect(namesIn(body)).toEqual(NAMES));

	test('in edges gives names, not cursors', () => {
		for (const names of [NAMES, ['call_started', 'call_completed'], ['ringing', 'busy']]) {
			const edges = names.map((name) => ({ cursor: `a.${name}`, node: { id: 'et_1', name } }));
			expect(namesIn({ data: { eventTypes: { edges, pageInfo: { endCursor: 'a.b' } } } })).toEqual(
				names,
			);
		}
	});

	test.each<[body: unknown, names: string[]]>([
		[{ call: ['call_completed'], chat: ['chat_started'] }, ['call_completed', 'chat_started']],
		[{ columns: ['id'], zorp: { quux: ['ping'] }, data: ['pong'] }, ['pong']],
		[
			[
				{ name: 'call', events: ['call.completed'] },
				{ name: 'chat', events: ['chat_opened'] },
			],
			['call.completed', 'chat_opened'],
		],
		[{ '*': 'All', 'call.completed': '' }, ['*', 'call.completed']],
		[
			[{ events: ['call.completed'] }, { events: ['event.sent'] }],
			['call.completed', 'event.sent'],
		],
	])('is read from %j', (body, names) => expect(namesIn(body)).toEqual(names));

	test('is not read from other answers', () => {
		for (const body of ['call.completed', { data: { a: 1 } }, { zorp: ['ping'], quux: ['beta'] }]) {
			expect(findList(body, 'eventTypes')).toBeUndefined();
		}
	});
});

describe('an event type', () => {
	test.each([
		[{ eventType: 'call.completed' }, 'call.completed'],
		[{ id: 'call.completed', name: 'Call completed' }, 'call.completed'],
		[{ id: '3f2504e0-4f89', name: 'call_started' }, 'call_started'],
		[{ type: 'event_type', name: 'call.started' }, 'call.started'],
		[{ id: '3f2504e0', name: 'Call', slug: 'call.started' }, 'call.started'],
		[{ type: 'ping' }, 'ping'],
	])('of %j is %s', (entry, name) =>
		expect(readEventTypes([entry]).map((type) => type.name)).toEqual([name]),
	);

	test.each<[string, object, object]>([
		['beside a list', { name: 'call_started', types: ['in', 'out'] }, { name: 'call_started' }],
		['with a description', { name: 'a', description: 'One' }, { name: 'a', description: 'One' }],
		['with a summary', { name: 'a', summary: 'One' }, { name: 'a', description: 'One' }],
	])('is read %s', (_where, entry, type) => expect(readEventTypes([entry])).toEqual([type]));

	test.each([null, '', 4, [], {}, { name: '' }, { name: 'Call completed' }, { name: {} }])(
		'is not read from %j',
		(entry) => expect(readEventTypes([entry])).toEqual([]),
	);
});
