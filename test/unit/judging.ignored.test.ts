import { CALL, judged, type Case } from '../support/events/judging';

const notSelected: Case[] = [
	['detail-type', { 'detail-type': 'call.started', source: 'acme', detail: CALL }],
	['changeType', { changeType: 'call.started', resource: 'calls/1', ...CALL }],
	['a header and an action', { action: 'started', call: CALL }, { 'x-voice-event': 'call' }],
	['Twilio', { StatusCallbackEvent: 'call.started', CallSid: 'CA1' }],
	['JSON:API', { data: { type: 'events', attributes: { event_type: 'call.started' } } }],
	['HubSpot', { subscriptionType: 'call.started', objectId: 1 }],
	['kind', { kind: 'call.started' }],
	['action', { type: 'call', action: 'call.started' }],
	['a name', { type: 'event', name: 'call.started' }],
	['@type', { '@type': 'urn:acme:events:call.started', call: CALL }],
	['triggerEvent', { triggerEvent: 'CALL_STARTED', payload: CALL }],
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
	['Vapi', 'end-of-call-report', { message: { type: 'status-update', call: {} } }, false],
	['Retell', 'call_analyzed, call_ended', { event: 'call_ended', call: {} }, true],
	['a wildcard', 'call_*', { event: 'call_started', call: {} }, true],
	['a wildcard', 'call_*', { event: 'chat_ended', chat: {} }, false],
	['every name', '', { event: 'call_started', call: {} }, true],
	['no name', 'call_ended', { status: 'completed', call_id: 'C1' }, true],
	['words of any call', 'call_ended', { call_type: 'inbound', call_id: 'C1' }, true],
	['a probe', '', { type: 'ping' }, false],
])('of a pasted webhook, %s with the names %j: %j starts: %s', (...[, names, body, starts]) => {
	const events = names.split(', ').filter(Boolean);
	const kind = starts ? 'accepted' : 'ignored';
	const kindOf = (manual: boolean) =>
		judged({ body }, { events, isPasted: true }, { catalog: undefined, manual }).kind;
	expect(kindOf(false)).toBe(kind);
	// _Execute step_ waits for a named event, too.
	expect(kindOf(true)).toBe(names ? kind : 'accepted');
});

// Promise: A probe starts nothing.
test.each<Case>([
	['ping', { type: 'ping' }],
	['a test event', { event: 'test_event', id: 'evt_1' }],
	['webhook.test', { event_type: 'webhook.test', data: { message: 'It works' } }],
	['GitHub', { hook: { type: 'Repository', name: 'web' } }, { 'x-github-event': 'ping' }],
	['CloudEvents', { specversion: '1.0', type: 'ping', source: '/', id: '1' }],
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

test.each(['*', 'call.*', 'call:*'])('%s selects the types that fit it', (wildcard) => {
	const catalog = ['*', 'call.*', 'call.moved', 'chat.started'];
	const typed = (type: string) => judged({ body: { type } }, { events: [wildcard] }, { catalog });
	for (const type of ['call.moved', 'CALL_MOVED', 'v1.call.moved']) {
		expect(typed(type)).toMatchObject({ events: [{ type: 'call.moved' }] });
	}
	expect(typed('chat.started').kind).toBe(wildcard === '*' ? 'accepted' : 'ignored');
});
