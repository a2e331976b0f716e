import { placesOf, placesOfHeaders } from '../../nodes/VoiceAgent/events/places';
import { type EventKind, typeReader } from '../../nodes/VoiceAgent/events/reader';

const CATALOG = ['call.started', 'call.completed', 'call.failed'];

test.each([
	[{ type: 'a' }, [{ text: 'a', level: 0, isLabel: false }]],
	[{ name: 'a' }, [{ text: 'a', level: 0, isLabel: true }]],
	[{ event: { name: 'a' } }, [{ text: 'a', level: 0, isLabel: false }]],
	[{ data: { name: 'a' } }, []],
	[{ 'event-data': { type: 'a' } }, [{ text: 'a', level: 1, isLabel: false }]],
	[{ data: { data: { type: 'a' } } }, []],
	[{ attributes: { type: 'a' } }, [{ text: 'a', level: 0, isLabel: false }]],
	[{ call: { type: 'a' } }, []],
	[{ last_event: 'a' }, []],
	[{ type: 'a'.repeat(201) }, []],
	[{ type: 'a'.repeat(200) }, [{ text: 'a'.repeat(200), level: 0, isLabel: false }]],
])('the places of an event type in a body %j', (body, places) =>
	expect(placesOf(body)).toEqual(places),
);

test.each([
	[{ 'x-acme-event': 'call' }, { action: 'started' }, ['call', 'call.started']],
	[{ 'x-acme-event': 'call' }, { action: '' }, ['call']],
	[{ 'content-type': 'call' }, {}, []],
	[{ 'x-acme-event': ['call'] }, {}, []],
	[{ 'x-webhook-name': 'call-started', referer: 'call/started' }, {}, []],
])('the headers %j with the body %j have the texts %j', (headers, body, texts) =>
	expect(placesOfHeaders(headers, body).map(({ text }) => text)).toEqual(texts),
);

const at = (text: string, level = 0) => ({ text, level });

test.each([
	['selected', [at('call.completed')], 'selected', 'call.completed'],
	['selected in another spelling', [at('CALL_COMPLETED')], 'selected', 'call.completed'],
	['below', [at('call.started'), at('call.completed', 1)], 'selected', 'call.completed'],
	['not selected', [at('call_started')], 'notSelected', 'call.started'],
	['above', [at('call.failed', 1), at('call.started')], 'notSelected', 'call.started'],
	['unknown above', [at('call.started', 1), at('call.moved')], 'unknown', 'call.moved'],
	['below a word', [at('call.started', 1), at('call')], 'notSelected', 'call.started'],
	['unknown', [at('call.moved')], 'unknown', 'call.moved'],
	['unknown below the top', [at('call.moved', 1)], 'unknown', undefined],
	['of test words', [at('webhook.test')], 'test', 'webhook.test'],
	['of words of any delivery', [at('webhook')], 'none', undefined],
	['missing', [], 'none', undefined],
] as const)('the type of an event that is %s', (_name, places, kind, name) => {
	const type = typeReader(['call.completed'], CATALOG)([...places]);
	expect([type.kind, type.name]).toEqual([kind, name]);
});

test.each<[string[], string, EventKind]>([
	[[], 'call.started', 'selected'],
	[['call.*'], 'chat.moved', 'unknown'],
])('the type of an event with the selection %j, %s is %s', (chosen, text, kind) =>
	expect(typeReader(chosen, CATALOG)([at(text)]).kind).toBe(kind),
);
