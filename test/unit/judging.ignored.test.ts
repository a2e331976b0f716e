import { CALL, judged, outcomeOf, STARTED, type Case } from '../support/events/judging';

const notSelected: Case[] = [
	['detail-type', { 'detail-type': 'call.started', source: 'acme', detail: CALL }],
	['changeType', { changeType: 'call.started', resource: 'calls/1', ...CALL }],
	['a header and an action', { action: 'started', call: CALL }, { 'x-voice-event': 'call' }],
	['a header of the whole type', { action: 'created' }, { 'x-github-event': 'call.started' }],
	['a header beside other types', { type: 'inbound_call' }, { 'x-acme-event': 'call.started' }],
	['CloudEvents in headers', CALL, { 'ce-type': 'com.acme.call.started.v1' }],
	['Twilio', { StatusCallbackEvent: 'call.started', CallSid: 'CA1' }],
	['Vapi', { message: { type: 'call.started', call: { type: 'inbound' } } }],
	['JSON:API', { data: { type: 'events', attributes: { event_type: 'call.started' } } }],
	['attributes', { id: '1', attributes: { type: 'call.started', ...CALL } }],
	['HubSpot', { subscriptionType: 'call.started', objectId: 1 }],
	['Calendly', { event: 'call.started', payload: { event_type: { name: 'Intro' } } }],
	['kind', { kind: 'call.started' }],
	['action', { type: 'call', action: 'call.started' }],
	['an event object', { event: { name: 'call.started', id: 'e1' }, data: CALL }],
	['a name', { type: 'event', name: 'call.started' }],
	['@type', { '@type': 'urn:acme:events:call.started', call: CALL }],
	['triggerEvent', { triggerEvent: 'CALL_STARTED', payload: CALL }],
	['detail.eventType', { detail: { eventType: 'call.started' } }],
	['a vague type above it', { type: 'event_callback', event: { type: 'call.started' } }],
	['a previous event that was selected', { ...STARTED, previous_event: 'call.completed' }],
];

// Promise: A delivery of a catalog's type that was not selected starts nothing.
test.each(notSelected)('an unselected type starts nothing: %s', (...[, body, headers = {}]) => {
	const sent = { body, headers };
	const started = { events: [{ type: 'call.started' }] };
	expect(judged(sent).kind).toBe('ignored');
	// In the same place, the type is read if it was selected.
	expect(judged(sent, { events: ['call.started'] })).toMatchObject(started);
	expect(judged(sent, { events: [] })).toMatchObject(started);
	expect(judged(sent, {}, { catalog: undefined }).kind).toBe('accepted');
	expect(judged(sent, {}, { manual: true }).kind).toBe('accepted');
});

// Promise: To a pasted webhook, an event of another name than the chosen ones starts nothing.
test.each<[string, string, unknown, boolean]>([
	['Vapi', 'end-of-call-report', { message: { type: 'end-of-call-report', call: {} } }, true],
	['Vapi', 'end-of-call-report', { message: { type: 'status-update', call: {} } }, false],
	['Retell', 'call_analyzed, call_ended', { event: 'call_ended', call: {} }, true],
	['Retell', 'call_analyzed', { event: 'call_started', call: {} }, false],
	['a wildcard', 'call_*', { event: 'call_started', call: {} }, true],
	['a wildcard', 'call_*', { event: 'chat_ended', chat: {} }, false],
	['every name', '', { event: 'call_started', call: {} }, true],
	['no name', 'call_ended', { status: 'completed', call_id: 'C1' }, true],
	['words of any call', 'call_ended', { call_type: 'inbound', call_id: 'C1' }, true],
	['a probe', '', { type: 'ping' }, false],
])('of a pasted webhook, %s with the names %j: %j starts: %s', (...[, names, body, starts]) => {
	const events = names.split(', ').filter(Boolean);
	const kind = starts ? 'accepted' : 'ignored';
	expect(judged({ body }, { events, isPasted: true }, { catalog: undefined }).kind).toBe(kind);
});

// Promise: A probe starts nothing.
test.each<Case>([
	['ping', { type: 'ping' }],
	['test', { type: 'test', message: 'Hello' }],
	['a test event', { event: 'test_event', id: 'evt_1' }],
	['webhook.test', { event_type: 'webhook.test', data: { message: 'It works' } }],
	['GitHub', { hook: { type: 'Repository', name: 'web' } }, { 'x-github-event': 'ping' }],
	['a header', {}, { 'x-acme-event-type': 'test' }],
	['CloudEvents', { specversion: '1.0', type: 'ping', source: '/', id: '1' }],
	['an event object', { type: 'webhook_event', event: { type: 'ping', id: 1 } }],
	['data', { type: 'notification', data: { type: 'test' } }],
])('a probe starts nothing: %s', (...[, body, headers = {}]) => {
	const sent = { body, headers };
	expect(judged(sent).kind).toBe('ignored');
	expect(judged(sent, {}, { catalog: undefined }).kind).toBe('ignored');
	expect(judged(sent, { events: [] }).kind).toBe('ignored');
	expect(judged(sent, {}, { manual: true }).kind).toBe('accepted');
});

test('a probe whose type is selected starts the workflow', () => {
	const probe = { body: { type: 'ping' } };
	expect(judged(probe, { events: ['ping'] }).kind).toBe('accepted');
	expect(judged(probe, { events: [] }, { catalog: ['ping', 'x.y'] }).kind).toBe('accepted');
});

const catalog = ['completed', 'started', 'transferred', 'updated'];
const both = { event: 'Completed', action: 'transferred' };

test.each<[name: string, body: unknown, outcome: unknown]>([
	['a type', { type: 'started' }, 'ignored'],
	['a namespace', { type: 'com.acme.started' }, 'ignored'],
	['a type of two words', { type: 'payment.started' }, [{ type: 'payment.started' }]],
	['a selected type', both, [both]],
])('a catalog of single words %s', (_name, body, outcome) =>
	expect(outcomeOf({ body }, { events: ['completed'] }, { catalog })).toEqual(outcome),
);

test.each(['*', 'call.*', 'call:*', '*.moved'])('%s selects the types that fit it', (wildcard) => {
	const catalog = ['*', 'call.*', '*.moved', 'call.moved', 'chat.started'];
	const typed = (type: string) => judged({ body: { type } }, { events: [wildcard] }, { catalog });
	for (const type of ['call.moved', 'CALL_MOVED', 'v1.call.moved']) {
		expect(typed(type)).toMatchObject({ events: [{ type: 'call.moved' }] });
	}
	expect(typed('chat.started').kind).toBe(wildcard === '*' ? 'accepted' : 'ignored');
});
