import {
	judge,
	type Delivery,
	type DeliverySettings,
	type NodeState,
} from '../../nodes/VoiceAgent/delivery/judge';

/*
 * Deliveries in the forms of well-known services, and their verdicts. The selection is `call.completed`.
 */

function judged(
	delivery: Partial<Delivery>,
	settings: Partial<DeliverySettings> = {},
	state: Partial<NodeState> = {},
) {
	return judge(
		{ headers: {}, query: {}, rawBody: Buffer.alloc(0), body: undefined, ...delivery },
		{ catalog: CATALOG, secrets: [], manual: false, now: 1_700_000_000, ...state },
		{
			events: ['call.completed'],
			verification: { scheme: 'none' },
			callDetails: false,
			deliveryDetails: false,
			...settings,
		},
	);
}

/** The items that start the workflow, or the kind of the verdict if it does not start. */
function outcomeOf(...sent: Parameters<typeof judged>): unknown {
	const verdict = judged(...sent);
	return verdict.kind === 'accepted' ? verdict.events.map(({ json }) => json) : verdict.kind;
}

const CATALOG = ['call.started', 'call.completed', 'call.failed', 'chat.ended', 'agent.updated'];
const CALL = {
	call_id: 'call_81',
	direction: 'inbound',
	from: '+14155550100',
	to: '+493055501',
	started_at: '2026-01-31T09:01:00Z',
	ended_at: '2026-01-31T09:04:10Z',
	duration_seconds: 190,
};
const TURNS = [
	{ role: 'agent', content: 'Hello' },
	{ role: 'user', content: 'Hi' },
];
const STARTED = { id: 'e1', type: 'call.started', data: CALL };
const COMPLETED = { id: 'e2', type: 'call.completed', data: CALL };
const FAILED = { id: 'e3', type: 'call.failed', data: CALL };
const MOVED = { id: 'e4', type: 'call.moved', data: CALL };
const PAST = [{ type: 'call.started' }, { type: 'call.failed' }];

type Case = [name: string, body: unknown, headers?: Delivery['headers']];

describe('starts the workflow with the whole body', () => {
	const testWords: Case[] = [
		['a webhook called Test', { webhook: { name: 'Test' }, call: CALL }],
		['a webhook of type test', { webhook: { type: 'test', id: 'wh_1' }, ...CALL }],
		['a webhook and a subscription', { subscription: { name: 'Test' }, webhook: { type: 'test' } }],
		['a hook called ping', { hook: { event: 'ping' }, data: CALL }],
		['a subscription', { subscription: { type: 'test', events: ['call.started'] }, ...CALL }],
		['a subscription of another type', { subscription: { topic: 'call.started' }, call: CALL }],
		['a trigger called Verification', { trigger: { name: 'Verification' }, call: CALL }],
		['a trigger type', { trigger: { type: 'test_call' }, ...CALL }],
		['an event source', { event_source: 'test' }],
		['an event source in camel case', { eventSource: 'call.started', call: CALL }],
		['a source beside an unknown type', { source: 'test', event: 'zorb' }],
		['an environment', { environment: 'test', mode: 'test', id: 1 }],
		['an environment in a header', { call: CALL }, { 'x-event-environment': 'test' }],
		['a mode in a header', CALL, { 'x-webhook-mode': 'test' }],
		['a test call', { test: true, is_test: true, ...CALL }],
		['the type test with a call', { type: 'test', ...CALL }],
		['the type test with the ID of a call', { type: 'test', call: { id: 'c1' } }],
		['the type test with a conversation', { type: 'test', data: { conversation: { id: 'c' } } }],
		['the type test with a call below', { type: 'webhook.test', data: { call: CALL } }],
		['the type test with a selected type', { type: 'test', event: { type: 'call.completed' } }],
		['the type test with an unknown type', { type: 'test', event: 'zorb' }],
		['the type test, an unknown type below', { type: 'test', data: { type: 'agent.moved' } }],
		['the type ping with an unknown type', { type: 'ping', event: 'zorb' }],
		['a header ping with a call', { data: CALL }, { 'x-acme-event': 'ping' }],
		['a campaign called Test', { campaign: { name: 'Test', type: 'test' }, ...CALL }],
		['an assistant called Ping', { assistant: { name: 'Ping' }, ...CALL }],
		['a record called Test', { id: 7, name: 'Test', email: 'ada@example.com' }],
		['a step of verification', { type: 'identity.verification', caller: { name: 'Ada' } }],
		['a confirmed callback', { type: 'callback.confirmed' }],
		['a verified event', { type: 'event.verified' }],
		['a test drive', { type: 'test_drive.booked', customer: { name: 'Ada' } }],
		['a call test', { type: 'call.test', data: {} }],
		['the type latest', { type: 'latest' }],
		['the type testimonial', { type: 'testimonial' }],
		['an entered contest', { type: 'contest.entered' }],
		['a validation', { event: 'endpoint.url_validation', payload: { plainToken: 'abc' } }],
		['a confirmation of a subscription', { Type: 'SubscriptionConfirmation', Token: 'abc' }],
	];
	const otherTypes: Case[] = [
		['call.events beside a transcript', { call: { ...CALL, events: PAST }, transcript: 'Hi' }],
		['call.events and turns', { call: { id: 'c1', events: PAST }, transcript: TURNS }],
		['call.events alone', { call: { id: 'c1', events: PAST } }],
		['session.events', { session: { id: 's', events: [{ name: 'call.started' }] } }],
		['a timeline', { ...CALL, timeline: PAST, transcript: 'Hi' }],
		['a timeline of other keys', { timeline: [{ name: 'call.started' }], messages: TURNS }],
		['a timeline beside a summary', { id: 'c1', summary: 'Asked for a date', timeline: PAST }],
		['a timeline beside a status', { id: 'c1', status: 'done', timeline: PAST }],
		['a timeline beside a call', { call: { id: 'c1' }, timeline: PAST }],
		['a history', { ...CALL, history: [{ type: 'call.started' }, { type: 'chat.ended' }] }],
		['a history below', { data: { ...CALL, history: PAST } }],
		['a history in camel case', { callId: 'c1', eventHistory: [{ eventType: 'call.started' }] }],
		['a history of statuses', { callSid: 'CA1', statusHistory: PAST }],
		['the type of a past event', { previous_event: 'call.started', last_event: 'call.failed' }],
		['a past event in camel case', { previousEventType: 'call.started', lastEventType: 'x' }],
		['a last event', { last_event: { type: 'call.started' }, call: CALL }],
		['a parent event', { parent: { event: 'call.started' }, parent_event: 'call.started' }],
		['a source event', { source_event: 'call.started', from_event: 'call.started' }],
		['a first event', { initial_event: 'call.failed' }],
		['a related event', { related_event: { type: 'call.started' } }],
		['a next action', { next_action: 'call.started', ...CALL }],
		['a previous call', { previous_call: { event: 'call.started', type: 'call.failed' }, ...CALL }],
		['a header of the last event', CALL, { 'x-last-event': 'call.started' }],
		['metadata of the user', { metadata: { type: 'call.started', event: 'call.failed' }, ...CALL }],
		['variables of the user', { variables: { event: 'call.started' }, ...CALL }],
		['a trigger', { trigger: { event: 'call.started' }, workflow: { event: 'call.started' } }],
		['a type of the agent', { agent: { type: 'call.started' }, agent_type: 'call.failed' }],
		['an event of the agent', { agent: { event: 'call.started' } }],
		['a summary that names one', { ...CALL, summary: 'call.started' }],
		['participants', { ...CALL, participants: [{ type: 'external' }, { type: 'user' }] }],
		['tools', { agent_id: 'a1', tools: [{ type: 'function', name: 'book' }] }],
		['an empty list in a call', { data: { ...CALL, events: [] } }],
		['an empty list beside an ID', { id: 'c1', events: [] }],
		['a status', { status: 'call.started', ...CALL }],
		['a type too deep', { data: { event: { type: 'call.started' } } }],
		['a type in an array', { data: { types: ['call.started'] } }],
		['a type too long', { type: `call.started ${'x'.repeat(300)}` }],
		['a type with spaces, too long', { type: 'call.started'.padEnd(300) }],
		['text in a message', { Type: 'Notification', Message: '{"type":"call.started"}' }],
	];
	const undecided: Case[] = [
		['an action that the catalog lacks', { action: 'moved' }, { 'x-github-event': 'call' }],
		['an action that is selected', { action: 'completed' }, { 'X-GitHub-Event': 'call' }],
		['an action below', { data: { action: 'started' } }, { 'x-event': 'call' }],
		['an action without a header', { action: 'started', call: CALL }],
		['an action beside a type', { action: 'started', type: 'call' }],
		['a part of a name', { type: 'started', data: CALL }],
		['a name with more words behind it', { type: 'call.started.late' }],
		['a name of other words', { type: 'recall.started' }],
		['a selected name with a version', { event: 'call.completed.v3' }],
		['a selected name with a namespace', { event: 'acme.voice/v1/call.completed' }],
		['a type of any delivery', { type: 'event' }],
		['a type of any call', { type: 'notification', data: { type: 'phone.inbound' } }],
		['a type that is a number', { type: 5 }],
		['an empty type', { type: '' }],
		['no type, but a type below', { type: null, data: { type: 'x' } }],
		['a short name', { event: { name: 'x' } }],
		['no type', { id: 1 }],
		['nothing', {}],
	];

	test.each([...testWords, ...otherTypes, ...undecided])('%s', (...[, body, headers = {}]) =>
		expect(outcomeOf({ body, headers })).toEqual([body]),
	);

	test.each([
		[7, { body: 7 }],
		['call.started', { body: 'call.started' }],
		['ping', { body: 'ping' }],
		[false, { body: false }],
		[null, {}],
		[undefined, {}],
	])('a body that is no object: %j becomes the item %j', (body, item) =>
		expect(outcomeOf({ body })).toEqual([item]),
	);

	test('a type in a prototype', () => {
		const body = Object.assign(Object.create({ type: 'call.started' }) as object, { id: 1 });
		expect(outcomeOf({ body })).toEqual([body]);
		const header = JSON.parse('{"__proto__": {"x-event-type": "call.started"}}') as object;
		expect(outcomeOf({ body: { id: 1 }, headers: header as never })).toEqual([{ id: 1 }]);
	});
});

describe('names the event type', () => {
	test.each<Case>([
		['a previous event behind it', { type: 'call.completed', previous_event: 'call.started' }],
		['a previous event before it', { previous_event: 'call.started', type: 'call.completed' }],
		['other names below', { type: 'call.completed', data: { name: 'x', type: 'call.started' } }],
		['a name above it', { name: 'call.started', data: { type: 'call.completed' } }],
		['a history', { type: 'call.completed', history: PAST }],
		['an event in the event', { event: { type: 'call.completed', previous: { event: PAST[0] } } }],
		['a last type', { type: 'webhook_event', event: 'call.completed', last_type: 'call.started' }],
		['another type below', { kind: 'call.completed', data: { type: 'call.started' } }],
		['another type above', { event: 'call.started', data: { type: 'call.completed' } }],
		['another type beside it', { type: 'call.started', event: 'call.completed' }],
		['another action', { type: 'call.completed', action: 'call.started' }],
		['another type than the header', { type: 'call.started' }, { 'x-event': 'call.completed' }],
	])('that is selected, beside %s', (...[, body, headers = {}]) =>
		expect(judged({ body, headers })).toEqual({
			kind: 'accepted',
			events: [{ type: 'call.completed', json: body }],
		}),
	);

	test.each<[body: object, type: string | undefined, headers?: Delivery['headers']]>([
		[{ type: 'call.moved', previous_event: 'call.started' }, 'call.moved'],
		[{ type: 'call.moved', data: { type: 'call.started' } }, 'call.moved'],
		[{ event: { type: 'call.moved' }, data: { type: 'call.started' } }, 'call.moved'],
		[{ type: 'voicemail.left', data: { event: 'call.started' } }, 'voicemail.left'],
		[{ data: { type: 'call.started' } }, 'call_moved', { 'x-acme-event': 'call_moved' }],
		[{ type: 'call.moved', history: [{ type: 'call.started' }] }, 'call.moved'],
		[{ type: 'summary', history: [{ type: 'call.started' }] }, 'summary'],
		[{ type: 'voice.transcript', event: { type: 'call.transcribed' } }, 'voice.transcript'],
		[{ type: 'notification', event: 'zorb' }, 'zorb'],
		[{ id: 1, previous_event: 'call.started' }, undefined],
		[{ call: { type: 'phone_call' } }, undefined],
	])('that the catalog lacks: %j has %s', (body, type, headers = {}) =>
		expect(judged({ body, headers })).toEqual({
			kind: 'accepted',
			events: [{ type, json: body }],
		}),
	);

	test.each([[[]], [['*']]])('in the surest place, if %j selects every type', (events) => {
		const body = { type: 'webhook_event', name: 'Ada', event: 'call.started' };
		expect(judged({ body }, { events })).toMatchObject({ events: [{ type: 'call.started' }] });
	});
});

describe('starts nothing', () => {
	const notSelected: Case[] = [
		['detail-type', { 'detail-type': 'call.started', source: 'acme', detail: CALL }],
		['detail-type, another type below', { 'detail-type': 'call.started', detail: { type: 'x' } }],
		['DetailType', { DetailType: 'call.started', Detail: '{}' }],
		['changeType', { changeType: 'call.started', resource: 'calls/1', ...CALL }],
		['a header and an action', { action: 'started', call: CALL }, { 'x-voice-event': 'call' }],
		['a header and an action in capitals', { action: 'STARTED' }, { 'X-Voice-Event': 'Call' }],
		['a header of the whole type', { action: 'created' }, { 'x-github-event': 'call.started' }],
		['a topic in a header', CALL, { 'x-shopify-topic': 'call/started' }],
		['an event in a header', CALL, { 'x-gitlab-event': 'Call Started' }],
		['an event type in a header', CALL, { 'x-twilio-event-type': 'call.started' }],
		['an event type in a header alone', CALL, { 'x-event-type': 'call.started' }],
		['an event name in a header', CALL, { 'x-event-name': 'call.started' }],
		['an event key in a header', CALL, { 'X-Event-Key': 'call:started' }],
		['a webhook event in a header', CALL, { 'x-webhook-event': 'call.started' }],
		['a header beside other types', { type: 'inbound_call' }, { 'x-acme-event': 'call.started' }],
		['CloudEvents', { specversion: '1.0', type: 'com.acme.call.started', data: CALL }],
		['CloudEvents in headers', CALL, { 'ce-type': 'com.acme.call.started.v1' }],
		['Event Grid', CALL, { 'aeg-event-type': 'call.started' }],
		['Stripe', { id: 'evt_1', object: 'event', type: 'call.started', data: { object: CALL } }],
		['Svix', { type: 'call.started', timestamp: '2026-01-31T09:01:00Z', data: CALL }],
		['Twilio', { StatusCallbackEvent: 'call.started', CallSid: 'CA1' }],
		['Telnyx', { data: { record_type: 'event', event_type: 'call.started', payload: CALL } }],
		['Vapi', { message: { type: 'call.started', call: { type: 'inbound' } } }],
		['Segment', { type: 'track', event: 'Call Started', properties: CALL }],
		['JSON:API', { data: { type: 'events', attributes: { event_type: 'call.started' } } }],
		['attributes', { id: '1', attributes: { type: 'call.started', ...CALL } }],
		['attributes below', { data: { id: 1, attributes: { event_name: 'call.started' } } }],
		['HubSpot', { subscriptionType: 'call.started', objectId: 1 }],
		['Calendly', { event: 'call.started', payload: { event_type: { name: 'Intro' } } }],
		['Zoom', { event: 'call.started', event_ts: 1, payload: { object: { id: 1 } } }],
		['JSON-RPC', { jsonrpc: '2.0', method: 'notify', params: { event: 'call.started' } }],
		['event_type', { event_type: 'call.started' }],
		['eventType', { eventType: 'call.started' }],
		['eventName', { eventName: 'CallStarted', call: CALL }],
		['event_name', { event_name: 'call-started', call: CALL }],
		['Type', { Type: 'CallStarted' }],
		['kind', { kind: 'call.started' }],
		['topic', { topic: 'call.started' }],
		['action', { type: 'call', action: 'call.started' }],
		['an event object', { event: { name: 'call.started', id: 'e1' }, data: CALL }],
		['the kind of an event object', { event: { kind: 'call.started' } }],
		['a name', { type: 'event', name: 'call.started' }],
		['@type', { '@type': 'urn:acme:events:call.started', call: CALL }],
		['webhookEvent', { webhookEvent: 'call:started', issue: {} }],
		['triggerEvent', { triggerEvent: 'CALL_STARTED', payload: CALL }],
		['notification_type', { notification_type: 'call_started' }],
		['payload.event', { payload: { event: 'call.started', call: CALL } }],
		['body.event_type', { body: { event_type: 'call.started' } }],
		['message.event', { message: { event: 'call_started' } }],
		['detail.eventType', { detail: { eventType: 'call.started' } }],
		['eventData.type', { eventData: { type: 'call.started' } }],
		['data.type', { type: 'notification', data: { type: 'call.started' } }],
		['data.kind', { data: { kind: 'call.started' } }],
		['data.topic', { data: { topic: 'call.started' } }],
		['data.action', { data: { action: 'call.started' } }],
		['a type in capitals', { type: 'CALL.STARTED' }],
		['a long namespace', { type: 'providers/acme/calls/events/call.started' }],
		['a version', { type: 'call.started.v2' }],
		['a version before it', { type: 'v2.call.started' }],
		[
			'a type of any delivery above it',
			{ type: 'event_callback', event: { type: 'call.started' } },
		],
		['a type of any delivery beside it', { type: 'event', event: 'call.started' }],
		['another type of the catalog, too', { type: 'call.started', data: { event: 'call.failed' } }],
		['a previous event that was selected', { ...STARTED, previous_event: 'call.completed' }],
		['a next event that was selected', { ...STARTED, next: { event: 'call.completed' } }],
		['a selected type deep down', { ...STARTED, a: { b: { c: { type: 'call.completed' } } } }],
		['a subscription to the selected', { ...STARTED, subscription: ['call.completed'] }],
		['a timeline of the selected', { ...STARTED, timeline: [{ type: 'call.completed' }] }],
		['the status of the selected', { ...STARTED, data: { status: 'call.completed' } }],
		['an unknown type below', { type: 'call.started', data: { type: 'phone.inbound' } }],
	];

	test.each(notSelected)('a type that was not selected: %s', (...[, body, headers = {}]) => {
		const sent = { body, headers };
		const started = { events: [{ type: 'call.started' }] };
		expect(judged(sent)).toEqual({ kind: 'ignored' });
		// In the same place, the type is read if it was selected.
		expect(judged(sent, { events: ['call.started'] })).toMatchObject(started);
		expect(judged(sent, { events: [] })).toMatchObject(started);
		expect(judged(sent, {}, { catalog: undefined }).kind).toBe('accepted');
		expect(judged(sent, {}, { manual: true }).kind).toBe('accepted');
	});

	test.each<Case>([
		['ping', { type: 'ping' }],
		['test', { type: 'test', message: 'Hello' }],
		['Test', { type: 'Test', data: {} }],
		['a test with a flag', { type: 'test', test: true }],
		['a ping of a webhook', { event: 'ping', webhook_id: 'wh' }],
		['a test event', { event: 'test_event', id: 'evt_1' }],
		['a test event with an agent', { event: 'Test Event', data: { agent: { id: 'a' } } }],
		['a topic', { topic: 'test', data: null }],
		['webhook.test', { event_type: 'webhook.test', data: { message: 'It works' } }],
		['WebhookTest', { eventType: 'WebhookTest' }],
		['GitHub', { hook: { type: 'Repository', name: 'web' } }, { 'x-github-event': 'ping' }],
		['a header', {}, { 'x-acme-event-type': 'test' }],
		['CloudEvents', { specversion: '1.0', type: 'ping', source: '/', id: '1' }],
		['an event object', { type: 'webhook_event', event: { type: 'ping', id: 1 } }],
		['data', { type: 'notification', data: { type: 'test' } }],
	])('a probe: %s', (...[, body, headers = {}]) => {
		const sent = { body, headers };
		expect(judged(sent)).toEqual({ kind: 'ignored' });
		expect(judged(sent, {}, { catalog: undefined })).toEqual({ kind: 'ignored' });
		expect(judged(sent, { events: [] })).toEqual({ kind: 'ignored' });
		expect(judged(sent, {}, { manual: true }).kind).toBe('accepted');
	});

	test('a probe, unless its type is selected', () => {
		const probe = { body: { type: 'ping' } };
		expect(judged(probe, { events: ['ping'] }).kind).toBe('accepted');
		expect(judged(probe, { events: [] }, { catalog: ['ping', 'x.y'] }).kind).toBe('accepted');
	});
});

describe('a batch gives its selected and unknown events', () => {
	const all = [STARTED, COMPLETED, FAILED, MOVED];
	const runs = [COMPLETED, MOVED];
	const untyped = [{ id: 1 }, { id: 2 }];
	const headers = { 'x-acme-event': 'call.started' };
	const selecting = { 'x-acme-event': 'call.completed' };
	const ofBatch = { 'content-type': 'application/cloudevents-batch+json' };

	test.each<[name: string, body: unknown, items: unknown[], headers?: Delivery['headers']]>([
		['an array', all, runs],
		['an array of CloudEvents', all, runs, ofBatch],
		[
			'an array with a text',
			[COMPLETED, 'text', null],
			[COMPLETED, { body: 'text' }, { body: null }],
		],
		['events', { events: all }, runs],
		['events beside metadata', { id: 'b1', sent_at: '2026-01-31', count: 4, events: all }, runs],
		['events beside an account', { account: { id: 1, plan: 'pro' }, events: all }, runs],
		['Records', { Records: all }, runs],
		['batch', { batch: all, sentAt: '2026-01-31T09:01:00Z' }, runs],
		['data', { object: 'list', has_more: false, data: all }, runs],
		['results', { count: 4, next: null, results: all }, runs],
		['a list called call', { call: all }, runs],
		['an envelope', { data: { events: all } }, runs],
		['an envelope and a page', { meta: { page: 1 }, payload: { items: all } }, runs],
		['call_events in an envelope', { data: { call_events: all } }, runs],
		['a type of any batch', { type: 'events.batch', events: all }, runs],
		['an envelope and a type', { type: 'event_batch', data: { items: all } }, runs],
		['an empty list beside it', { events: all, errors: [] }, runs],
		['EventBridge', { Entries: [{ DetailType: 'call.failed' }, COMPLETED] }, [COMPLETED]],
		['Microsoft Graph', { value: [{ changeType: 'call.started' }, COMPLETED] }, [COMPLETED]],
		['HubSpot', [{ subscriptionType: 'call.failed' }, COMPLETED], [COMPLETED]],
		['JSON:API', { data: [{ type: 'events', attributes: { event: 'call.failed' } }] }, []],
		['several lists', { first: [STARTED, COMPLETED], second: [FAILED, MOVED] }, runs],
		['lists of events with types', { started: [STARTED], completed: [COMPLETED] }, [COMPLETED]],
		[
			'lists called started and completed',
			{ started: [{ id: 1 }], completed: [{ id: 2 }] },
			untyped,
		],
		['lists called completed and failed', { completed: [{ id: 1 }], failed: [{ id: 2 }] }, untyped],
		['lists of names', { 'call.started': [{ id: 1 }], 'call.completed': [{ id: 2 }] }, [{ id: 2 }]],
		['lists in camel case', { callStarted: [{ id: 1 }], callCompleted: [{ id: 2 }] }, [{ id: 2 }]],
		['unknown events', { events: [MOVED, { type: 'zorb' }] }, [MOVED, { type: 'zorb' }]],
		['a probe in it', [{ type: 'ping' }, COMPLETED, STARTED], [COMPLETED]],
		['a header that was not selected', { events: all }, runs, headers],
		['such a header, and an event without a type', [{ id: 1 }, COMPLETED], [COMPLETED], headers],
		['such a header, and an unknown type', [MOVED], [MOVED], headers],
		[
			'a header that was selected',
			[STARTED, COMPLETED, { id: 1 }],
			[COMPLETED, { id: 1 }],
			selecting,
		],
	])('%s', (...[, body, items, headers = {}]) =>
		expect(outcomeOf({ body, headers })).toEqual(items.length > 0 ? items : 'ignored'),
	);

	test.each([[[STARTED, FAILED]], [[]], [{ events: [] }]])(
		'and starts nothing without: %j',
		(body) => expect(outcomeOf({ body })).toBe('ignored'),
	);

	test('with the type of the header, if they have none', () =>
		expect(judged({ body: [{ id: 1 }], headers: selecting })).toMatchObject({
			events: [{ type: 'call.completed' }],
		}));

	test.each<Case>([
		['with a call beside it', { ...CALL, events: all }],
		['with a call beside it, below', { call: CALL, data: { events: all } }],
		['with an ID of a call beside it', { id: 1, call_events: [STARTED], call: { id: 2 } }],
		[
			'with messages of a call',
			{ messages: [{ type: 'call.started' }, { type: 'text' }], ...CALL },
		],
		['with another list beside it', { events: all, transcript: TURNS }],
		['with tags beside it', { account: { id: 1, tags: ['a'] }, events: all }],
		['with another list below', { data: { turns: TURNS }, timeline: [{ type: 'call.started' }] }],
		['of texts', { events: ['call.started', 'call.failed'] }],
		['of turns', { events: TURNS }],
		['of calls', { calls: [{ id: 1, status: 'done' }] }],
		['of calls in an envelope', { data: [{ call_id: 'x' }] }],
		['of changes', { object: 'page', entry: [{ changes: [{ field: 'calls' }] }] }],
		['with an unknown type of its own', { event: 'summary.ready', events: [STARTED] }],
		['with a selected type of its own', { type: 'call.completed', events: [STARTED] }],
		['that a header selects', { id: 'b1', events: [STARTED] }, selecting],
		['of no events', { campaign: 'c1', contacts: [{ type: 'lead' }, { type: 'customer' }] }],
	])('but not %s', (...[, body, headers = {}]) =>
		expect(outcomeOf({ body, headers })).toEqual([body]),
	);
});

describe('a challenge', () => {
	const inBody = { kind: 'challenge', challenge: 'abc', isPlainText: false };
	const inQuery = { ...inBody, isPlainText: true };
	type Sent = Partial<Delivery>;

	test.each<[string, Sent, object]>([
		['alone', { body: { challenge: 'abc' } }, inBody],
		['with a time', { body: { challenge: 'abc', timestamp: 1 } }, inBody],
		['with a type', { body: { type: 'url_verification', challenge: 'abc', token: 'x' } }, inBody],
		['of a validation', { body: { challenge: 'abc', event: 'endpoint.validation' } }, inBody],
		['of a webhook', { body: { challenge: 'abc', type: 'webhook.verify' } }, inBody],
		['with a header', { body: { challenge: 'abc' }, headers: { 'x-acme-event': 'ping' } }, inBody],
		['of WebSub', { query: { 'hub.mode': 'subscribe', 'hub.challenge': 'abc' } }, inQuery],
		['of Microsoft Graph', { query: { validationToken: 'abc' }, body: {} }, inQuery],
	])('%s is answered', (_name, sent, challenge) => {
		expect(judged(sent)).toEqual(challenge);
		expect(judged(sent, {}, { manual: true })).toEqual(challenge);
		expect(judged(sent, {}, { catalog: undefined })).toEqual(challenge);
		expect(judged(sent, { events: [] })).toEqual(challenge);
		// The signing secret may be part of the answer to the creation, and is still unknown.
		expect(judged(sent, { verification: { scheme: 'standardWebhooks' } })).toEqual(challenge);
	});

	const challenge = 'abc';
	test.each<[string, Sent]>([
		['of a selected type', { body: { type: 'call.completed', challenge } }],
		['of an unknown type', { body: { type: 'agent.challenged', challenge } }],
		['of an unknown type of one word', { body: { event: 'survey', challenge } }],
		['of an unknown header', { body: { challenge }, headers: { 'x-event': 'agent.moved' } }],
		['of a type below', { body: { challenge, data: { event: 'call.completed' } } }],
		['of a call', { body: { ...CALL, challenge } }],
		['with the ID of a call', { body: { challenge, call: { id: 'c' } } }],
		['of a call to verify', { body: { event: 'verification', challenge, call: CALL } }],
		['with a number as challenge', { body: { challenge: 7 } }],
		['with an empty challenge', { body: { challenge: '' } }],
		['with an object as challenge', { body: { challenge: { challenge } } }],
		['with a challenge below', { body: { data: { challenge } } }],
		['with a challenge in the analysis', { body: { type: 'x.y', analysis: { challenge } } }],
		['with another name', { body: { biggest_challenge: 'hiring', mainChallenge: 'time' } }],
		['with a query', { body: COMPLETED, query: { 'hub.challenge': challenge } }],
		['with a query and a call', { body: { data: CALL }, query: { 'hub.challenge': challenge } }],
		['with a query of a list', { query: { validationToken: [challenge, 'def'] } }],
		['with another query', { query: { challenge } }],
		['in a batch', { body: { events: [{ type: 'call.completed', challenge }] } }],
		['beside a batch', { body: { challenge, events: [COMPLETED] } }],
		['with a query, in a batch', { body: [COMPLETED], query: { validationToken: challenge } }],
	])('is no part of an event %s', (_name, sent) => {
		expect(judged(sent).kind).toBe('accepted');
		expect(judged(sent, { events: [] }, { catalog: undefined }).kind).toBe('accepted');
	});
});

describe('a catalog of single words', () => {
	const catalog = ['completed', 'started', 'transferred', 'updated'];
	const both = { event: 'Completed', action: 'transferred' };

	test.each<[name: string, body: unknown, outcome: unknown]>([
		['a type', { type: 'started' }, 'ignored'],
		['a namespace', { type: 'com.acme.started' }, 'ignored'],
		['a type of two words', { type: 'payment.started' }, [{ type: 'payment.started' }]],
		['a selected type', both, [both]],
		['lists', { started: [{ id: 1 }], completed: [{ id: 2 }] }, [{ id: 2 }]],
	])('%s', (_name, body, outcome) =>
		expect(outcomeOf({ body }, { events: ['completed'] }, { catalog })).toEqual(outcome),
	);
});

test.each(['*', 'call.*', 'call:*', '*.moved'])('%s selects the types that fit it', (wildcard) => {
	const catalog = ['*', 'call.*', '*.moved', 'call.moved', 'chat.started'];
	const typed = (type: string) => judged({ body: { type } }, { events: [wildcard] }, { catalog });
	for (const type of ['call.moved', 'CALL_MOVED', 'v1.call.moved']) {
		expect(typed(type)).toMatchObject({ events: [{ type: 'call.moved' }] });
	}
	expect(typed('chat.started').kind).toBe(wildcard === '*' ? 'accepted' : 'ignored');
});
