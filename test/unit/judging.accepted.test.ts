import { CALL, judged, outcomeOf, PAST, type Case } from '../support/events/judging';

const testWords: Case[] = [
	['a webhook of type test', { webhook: { type: 'test', id: 'wh_1' }, ...CALL }],
	['an event source', { event_source: 'test' }],
	['a test call', { test: true, is_test: true, ...CALL }],
	['the type test with a call', { type: 'test', ...CALL }],
	['the type test with a call below', { type: 'webhook.test', data: { call: CALL } }],
	['the type test with an unknown type', { type: 'test', event: 'zorb' }],
	['a test drive', { type: 'test_drive.booked', customer: { name: 'Ada' } }],
	['a validation', { event: 'endpoint.url_validation', payload: { plainToken: 'abc' } }],
];
const otherTypes: Case[] = [
	['call.events beside a transcript', { call: { ...CALL, events: PAST }, transcript: 'Hi' }],
	['a timeline', { ...CALL, timeline: PAST, transcript: 'Hi' }],
	['the type of a past event', { previous_event: 'call.started', last_event: 'call.failed' }],
	['metadata of the user', { metadata: { type: 'call.started', event: 'call.failed' }, ...CALL }],
	['a type of the agent', { agent: { type: 'call.started' }, agent_type: 'call.failed' }],
	['an empty list', { events: [] }],
	['a type in an array', { data: { types: ['call.started'] } }],
	['text in a message', { Type: 'Notification', Message: '{"type":"call.started"}' }],
];
const undecided: Case[] = [
	['an action that the catalog lacks', { action: 'moved' }, { 'x-github-event': 'call' }],
	['an action without a header', { action: 'started', call: CALL }],
	['a type of any call', { type: 'notification', data: { type: 'phone.inbound' } }],
	['nothing', {}],
];

// Promise: A delivery starts the workflow with its whole body, unless a rule excludes it.
test.each([...testWords, ...otherTypes, ...undecided])(
	'the whole body starts the workflow: %s',
	(...[, body, headers = {}]) => expect(outcomeOf({ body, headers })).toEqual([body]),
);

test.each([
	['call.started', { body: 'call.started' }],
	[null, {}],
	[undefined, {}],
])('a body that is no object starts the workflow: %j becomes %j', (body, item) =>
	expect(outcomeOf({ body })).toEqual([item]),
);

test('a type in a prototype is no type', () => {
	const body = Object.assign(Object.create({ type: 'call.started' }) as object, { id: 1 });
	expect(outcomeOf({ body })).toEqual([body]);
	const header = JSON.parse('{"__proto__": {"x-event-type": "call.started"}}') as object;
	expect(outcomeOf({ body: { id: 1 }, headers: header as never })).toEqual([{ id: 1 }]);
});

test.each<Case>([
	['a previous event behind it', { type: 'call.completed', previous_event: 'call.started' }],
	['a name above it', { name: 'call.started', data: { type: 'call.completed' } }],
	['another type beside it', { type: 'call.started', event: 'call.completed' }],
	['another type than the header', { type: 'call.started' }, { 'x-event': 'call.completed' }],
])('names the event type that is selected, beside %s', (...[, body, headers = {}]) =>
	expect(judged({ body, headers })).toMatchObject({
		kind: 'accepted',
		events: [{ type: 'call.completed', sent: body, json: body }],
	}),
);

test.each([[[]], [['*']]])('with the selection %j, the surest place counts', (events) => {
	const body = { type: 'webhook_event', name: 'Ada', event: 'call.started' };
	expect(judged({ body }, { events })).toMatchObject({ events: [{ type: 'call.started' }] });
});
