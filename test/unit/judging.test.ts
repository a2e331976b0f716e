import { judge, type Delivery } from '../../nodes/VoiceAgent/delivery/judge';

/*
 * Deliveries as services send them, and the verdict that a reader of the rules gives. The selection is
 * `call.completed`.
 */

const CATALOG = ['call.started', 'call.completed', 'call.failed', 'chat.ended', 'agent.updated'];

function judged(delivery: Partial<Delivery>, catalog = CATALOG) {
	return judge(
		{ headers: {}, query: {}, rawBody: Buffer.alloc(0), body: undefined, ...delivery },
		{ catalog, secrets: [], manual: false, now: 1_700_000_000 },
		{
			events: catalog === CATALOG ? ['call.completed'] : [catalog[0]!],
			verification: { scheme: 'none' },
			callDetails: false,
			deliveryDetails: false,
		},
	);
}

/** The items that start the workflow; empty if it does not start. */
function itemsOf(body: unknown, headers: Delivery['headers'] = {}, catalog = CATALOG): unknown[] {
	const verdict = judged({ body, headers }, catalog);
	if (verdict.kind !== 'accepted') expect(verdict.kind).toBe('ignored');
	return verdict.kind === 'accepted' ? verdict.events.map(({ json }) => json) : [];
}

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

type Case = [name: string, body: unknown, headers?: Delivery['headers']];

describe('starts the workflow whole', () => {
	const words: Case[] = [
		['a challenge in the data', { data: { ...CALL, challenge: 'price' } }],
		['a challenge at the top of a call', { ...CALL, challenge: 'price' }],
		[
			'an extracted main challenge',
			{ event: 'call.ended', call: CALL, extracted: { main_challenge: 'time' } },
		],
		['a biggest challenge', { ...CALL, biggest_challenge: 'hiring' }],
		['a challenge in camel case', { call: { ...CALL, mainChallenge: 'hiring' } }],
		['a challenge in analysis', { type: 'call.analyzed', analysis: { challenge: 'budget' } }],
		['a webhook called Test', { webhook: { name: 'Test' }, call: CALL }],
		['a webhook of type test', { webhook: { type: 'test', id: 'wh_1' }, ...CALL }],
		['a hook called ping', { hook: { event: 'ping' }, data: CALL }],
		['a subscription', { subscription: { type: 'test', events: ['call.started'] }, ...CALL }],
		['a subscription of another type', { subscription: { topic: 'call.started' }, call: CALL }],
		['a trigger called Verification', { trigger: { name: 'Verification' }, call: CALL }],
		['a trigger type', { trigger: { type: 'test_call' }, ...CALL }],
		['an event source', { event_source: 'test', ...CALL }],
		['an event source in camel case', { eventSource: 'call.started', call: CALL }],
		['an environment', { call: CALL }, { 'x-event-environment': 'test' }],
		['a header of a mode', { ...CALL }, { 'x-webhook-mode': 'test' }],
		['the type test with a call', { type: 'test', ...CALL }],
		['the type test with a call below', { type: 'webhook.test', data: { call: CALL } }],
		['a header ping with a call', { data: CALL }, { 'x-acme-event': 'ping' }],
		['a verification with a call', { event: 'verification', challenge: 'abc', call: CALL }],
		['a campaign called Test', { campaign: { name: 'Test', type: 'test' }, ...CALL }],
		['an assistant called Ping', { assistant: { name: 'Ping' }, ...CALL }],
		['a thing called Test', { id: 7, name: 'Test', email: 'ada@example.com' }],
		['a step of verification', { type: 'identity.verification', caller: { name: 'Ada' } }],
		['a test drive', { type: 'test_drive.booked', customer: { name: 'Ada' } }],
		['a call test', { type: 'call.test', data: {} }],
		[
			'an endpoint to be validated',
			{ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } },
		],
		[
			'a confirmation of a subscription',
			{ Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL: 'https://x.example' },
		],
	];
	const timelines: Case[] = [
		[
			'call.events beside a transcript',
			{
				call: { ...CALL, events: [{ type: 'call.started' }, { type: 'call.failed' }] },
				transcript: 'Hi',
			},
		],
		[
			'call.events and an array of turns',
			{ call: { id: 'c1', events: [{ type: 'call.started' }] }, transcript: TURNS },
		],
		[
			'a timeline',
			{
				...CALL,
				timeline: [{ event: 'call.started' }, { event: 'call.failed' }],
				transcript: 'Hi',
			},
		],
		[
			'a timeline of other keys',
			{ id: 'c1', timeline: [{ name: 'call.started' }], messages: TURNS },
		],
		['a history', { ...CALL, history: [{ type: 'call.started' }, { type: 'chat.ended' }] }],
		['a history below', { data: { ...CALL, history: [{ type: 'call.started' }] } }],
		[
			'a history in camel case',
			{ callId: 'c1', durationMs: 9_000, eventHistory: [{ eventType: 'call.started' }] },
		],
		[
			'a history of statuses',
			{
				callSid: 'CA1',
				statusHistory: [{ type: 'call.started' }],
				recordingUrl: 'https://x.example/1.mp3',
			},
		],
		[
			'the type of a previous event',
			{ ...CALL, previous_event: 'call.started', last_event: 'call.failed' },
		],
		['a last event', { last_event: { type: 'call.started' }, call: CALL }],
		[
			'a last event in camel case',
			{ lastEvent: 'call.started', lastEventType: 'call.failed', call: CALL },
		],
		[
			'a parent event',
			{ parent: { event: 'call.started' }, parent_event: 'call.started', ...CALL },
		],
		['a next action', { next_action: 'call.started', ...CALL }],
		['a previous call', { previous_call: { event: 'call.started', type: 'call.failed' }, ...CALL }],
		['a header of the last event', CALL, { 'x-last-event': 'call.started' }],
		['metadata of the user', { metadata: { type: 'call.started', event: 'call.failed' }, ...CALL }],
		['variables of the user', { variables: { event: 'call.started' }, ...CALL }],
		[
			'a type of the agent',
			{ agent: { type: 'call.started' }, agent_type: 'call.failed', ...CALL },
		],
		['a summary that names one', { ...CALL, summary: 'call.started' }],
		['participants', { ...CALL, participants: [{ type: 'external' }, { type: 'user' }] }],
		['tools', { agent_id: 'a1', tools: [{ type: 'function', name: 'book' }] }],
		['an empty list in a call', { data: { ...CALL, events: [] } }],
		['a single list of nothing', { id: 'c1', events: [] }],
	];
	const types: Case[] = [
		['a kind above another type', { kind: 'call.completed', data: { type: 'call.started' } }],
		['a type below another event', { event: 'call.started', data: { type: 'call.completed' } }],
		['a header above another type', { type: 'call.started' }, { 'x-event': 'call.completed' }],
		['a type beside another action', { type: 'call.completed', action: 'call.started' }],
		['an unknown type above another', { type: 'call.moved', data: { type: 'call.started' } }],
		[
			'an unknown type of another family',
			{ type: 'voicemail.left', data: { event: 'call.started' } },
		],
		['an unknown event object', { event: { type: 'call.moved' }, data: { type: 'call.started' } }],
		[
			'an unknown header above another',
			{ data: { type: 'call.started' } },
			{ 'x-acme-event': 'call_moved' },
		],
		[
			'an action that the catalog lacks',
			{ action: 'moved', call: CALL },
			{ 'x-github-event': 'call' },
		],
		['a status', { status: 'call.started', ...CALL }],
		['a type too deep', { data: { event: { type: 'call.started' } } }],
		['a type in an array', { data: { types: ['call.started'] } }],
		['a type too long', { type: `call.started ${'x'.repeat(300)}` }],
		['a part of a name', { type: 'started', data: CALL }],
		['a name with more behind it', { type: 'call.started.late' }],
		['a name of other words', { type: 'recall.started' }],
		['text in a message', { Type: 'Notification', Message: '{"type":"call.started"}' }],
		['no type', { id: 1 }],
		['nothing', {}],
		['text', 'call.started'],
	];

	test.each([...words, ...timelines, ...types])('%s', (...[, body, headers]) => {
		const item = typeof body === 'object' ? body : { body };
		expect(itemsOf(body, headers)).toEqual([item]);
	});
});

describe('starts nothing', () => {
	const notSelected: Case[] = [
		['detail-type', { 'detail-type': 'call.started', source: 'acme', detail: CALL }],
		['DetailType', { DetailType: 'call.started', Detail: '{}' }],
		['changeType', { changeType: 'call.started', resource: 'calls/1', ...CALL }],
		['a header and an action', { action: 'started', call: CALL }, { 'x-voice-event': 'call' }],
		['a header and an action in capitals', { action: 'STARTED' }, { 'X-Voice-Event': 'Call' }],
		['a header of the whole type', { action: 'created' }, { 'x-github-event': 'call.started' }],
		['a topic in a header', CALL, { 'x-shopify-topic': 'call/started' }],
		['an event in a header', CALL, { 'x-gitlab-event': 'Call Started' }],
		['CloudEvents', { specversion: '1.0', type: 'com.acme.call.started', data: CALL }],
		['CloudEvents in headers', CALL, { 'ce-type': 'com.acme.call.started.v1' }],
		['Stripe', { id: 'evt_1', object: 'event', type: 'call.started', data: { object: CALL } }],
		['Svix', { type: 'call.started', timestamp: '2026-01-31T09:01:00Z', data: CALL }],
		['Twilio', { StatusCallbackEvent: 'call.started', CallSid: 'CA1' }],
		['Telnyx', { data: { record_type: 'event', event_type: 'call.started', payload: CALL } }],
		['Vapi', { message: { type: 'call.started', call: CALL } }],
		['Segment', { type: 'track', event: 'Call Started', properties: CALL }],
		['JSON:API', { data: { type: 'events', attributes: { event_type: 'call.started' } } }],
		['attributes', { id: '1', attributes: { type: 'call.started', ...CALL } }],
		['HubSpot', { subscriptionType: 'call.started', objectId: 1 }],
		['Calendly', { event: 'call.started', payload: { event_type: { name: 'Intro' } } }],
		['Zoom', { event: 'call.started', event_ts: 1, payload: { object: { id: 1 } } }],
		['JSON-RPC', { jsonrpc: '2.0', method: 'notify', params: { event: 'call.started' } }],
		['eventName', { eventName: 'CallStarted', call: CALL }],
		['event_name', { event_name: 'call-started', call: CALL }],
		['an event object', { event: { name: 'call.started', id: 'e1' }, data: CALL }],
		['a name', { type: 'event', name: 'call.started' }],
		['@type', { '@type': 'urn:acme:events:call.started', call: CALL }],
		['webhookEvent', { webhookEvent: 'call:started', issue: {} }],
		['triggerEvent', { triggerEvent: 'CALL_STARTED', payload: CALL }],
		['notification_type', { notification_type: 'call_started' }],
		['a long namespace', { type: 'providers/acme/calls/events/call.started' }],
		['a version', { type: 'call.started.v2' }],
		['a version before it', { type: 'v2.call.started' }],
		['a quiet type above it', { type: 'event_callback', event: { type: 'call.started' } }],
		['another type of the catalog, too', { type: 'call.started', data: { event: 'call.failed' } }],
		['a previous event that was selected', { ...STARTED, previous_event: 'call.completed' }],
		[
			'a subscription to the selected',
			{ ...STARTED, subscription: { events: ['call.completed'] } },
		],
		['a timeline of the selected', { ...FAILED, timeline: [{ type: 'call.completed' }] }],
		['the status of the selected', { ...FAILED, data: { status: 'call.completed' } }],
		['an unknown type below', { type: 'call.started', data: { type: 'phone.inbound' } }],
	];
	const probes: Case[] = [
		['ping', { type: 'ping' }],
		['test', { type: 'test', message: 'Hello' }],
		['a test event', { event: 'test_event', id: 'evt_1' }],
		['webhook.test', { event_type: 'webhook.test', data: { message: 'It works' } }],
		['WebhookTest', { eventType: 'WebhookTest' }],
		[
			'GitHub',
			{ zen: 'Keep it simple', hook_id: 1, hook: { type: 'Repository', name: 'web' } },
			{ 'x-github-event': 'ping' },
		],
		['a header', {}, { 'x-acme-event-type': 'test' }],
		['CloudEvents', { specversion: '1.0', type: 'ping', source: '/', id: '1' }],
		['an event object', { event: { type: 'ping', id: 1 } }],
		['data', { type: 'notification', data: { type: 'test' } }],
	];

	test.each([...notSelected, ...probes])('%s', (...[, body, headers]) => {
		expect(itemsOf(body, headers)).toEqual([]);
	});
});

describe('a batch gives its selected and unknown events', () => {
	const all = [STARTED, COMPLETED, FAILED, MOVED];
	const runs = [COMPLETED, MOVED];
	const untyped = [{ id: 1 }, { id: 2 }];

	test.each<[name: string, body: unknown, items: unknown[], headers?: Delivery['headers']]>([
		['an array', all, runs],
		[
			'an array of CloudEvents',
			all,
			runs,
			{ 'content-type': 'application/cloudevents-batch+json' },
		],
		['events', { events: all }, runs],
		[
			'events beside metadata',
			{ batch_id: 'b1', sent_at: '2026-01-31T09:01:00Z', count: 4, events: all },
			runs,
		],
		['Records', { Records: all }, runs],
		['batch', { batch: all, sentAt: '2026-01-31T09:01:00Z' }, runs],
		['data', { object: 'list', has_more: false, data: all }, runs],
		['an envelope', { data: { events: all } }, runs],
		['an envelope and a page', { meta: { page: 1 }, payload: { items: all } }, runs],
		['a type that says batch', { type: 'events.batch', events: all }, runs],
		['an envelope and a type', { type: 'event_batch', data: { items: all } }, runs],
		['an empty list beside it', { events: all, errors: [] }, runs],
		[
			'EventBridge',
			{ Entries: [{ DetailType: 'call.completed' }, { DetailType: 'call.failed' }] },
			[{ DetailType: 'call.completed' }],
		],
		[
			'JSON:API',
			{ data: [{ type: 'events', attributes: { name: 'x', event: 'call.failed' } }] },
			[],
		],
		[
			'HubSpot',
			[{ subscriptionType: 'call.completed' }, { subscriptionType: 'call.failed' }],
			[{ subscriptionType: 'call.completed' }],
		],
		['several lists', { first: [STARTED, COMPLETED], second: [FAILED, MOVED] }, runs],
		[
			'started and completed, with types',
			{ started: [STARTED], completed: [COMPLETED] },
			[COMPLETED],
		],
		[
			'started and completed, without types',
			{ started: [{ id: 1 }], completed: [{ id: 2 }] },
			untyped,
		],
		['lists of names', { 'call.started': [{ id: 1 }], 'call.completed': [{ id: 2 }] }, [{ id: 2 }]],
		[
			'lists of names in camel case',
			{ callStarted: [{ id: 1 }], callCompleted: [{ id: 2 }] },
			[{ id: 2 }],
		],
		['unknown events', { events: [MOVED, { type: 'zorb' }] }, [MOVED, { type: 'zorb' }]],
		['a probe in it', [{ type: 'ping' }, COMPLETED], [COMPLETED]],
		['a header that was not selected', { events: all }, runs, { 'x-acme-event': 'call.started' }],
		[
			'a header for those without a type',
			[{ id: 1 }, COMPLETED],
			[COMPLETED],
			{ 'x-acme-event': 'call.started' },
		],
		['a header beside an unknown type', [MOVED], [MOVED], { 'x-acme-event': 'call.started' }],
		['nothing but those', [STARTED, FAILED], []],
		['nothing', [], []],
		['a single empty list', { events: [] }, []],
	])('%s', (...[, body, items, headers]) => expect(itemsOf(body, headers)).toEqual(items));

	test.each<Case>([
		['with a call beside it', { ...CALL, events: all }],
		['with a call beside it, below', { call: CALL, data: { events: all } }],
		['with another list beside it', { events: all, transcript: TURNS }],
		['with another list below', { data: { turns: TURNS }, timeline: [{ type: 'call.started' }] }],
		['of texts', { events: ['call.started', 'call.failed'] }],
		['with an unknown type of its own', { event: 'summary.ready', events: [STARTED] }],
		['with a selected type of its own', { type: 'call.completed', events: [STARTED] }],
		[
			'that a header selects',
			{ id: 'b1', events: [STARTED] },
			{ 'x-acme-event': 'call.completed' },
		],
		['of no events', { campaign: 'c1', contacts: [{ type: 'lead' }, { type: 'customer' }] }],
	])('but not %s', (...[, body, headers]) => expect(itemsOf(body, headers)).toEqual([body]));
});

describe('a catalog of single words', () => {
	const catalog = ['completed', 'started', 'transferred', 'updated'];

	test.each<[name: string, body: unknown, items: unknown[]]>([
		['a type', { type: 'started' }, []],
		['a namespace', { type: 'com.acme.started' }, []],
		['a type of two words', { type: 'payment.started' }, [{ type: 'payment.started' }]],
		[
			'a selected one',
			{ event: 'Completed', action: 'transferred' },
			[{ event: 'Completed', action: 'transferred' }],
		],
		['lists', { started: [{ id: 1 }], completed: [{ id: 2 }] }, [{ id: 2 }]],
	])('%s', (_name, body, items) => expect(itemsOf(body, {}, catalog)).toEqual(items));
});

/** `runs` whole, is `ignored`, is a `challenge`, a `plain` one, or a batch of so many items that run. */
describe('further deliveries', () => {
	test.each<[string, unknown, Delivery['headers']?, Delivery['query']?]>([
		['runs', { call: { id: 'c1' }, timeline: [{ type: 'call.started' }, { type: 'call.failed' }] }],
		['runs', { call: { id: 'c1', events: [{ type: 'call.started' }] } }],
		['runs', { id: 'c1', summary: 'Asked for a date', timeline: [{ type: 'call.started' }] }],
		['runs', { id: 'c1', status: 'done', timeline: [{ type: 'call.started' }] }],
		['runs', { session: { id: 's', events: [{ name: 'call.started' }] } }],
		['runs', { type: 'test', call: { id: 'c1' } }],
		['runs', { type: 'test', data: { conversation: { id: 'c' } } }],
		['runs', { challenge: 'x', call: { id: 'c' } }],
		['runs', { challenge: 'x', type: 'agent.created' }],
		['runs', { challenge: 'x', event: 'survey' }],
		['1', { challenge: 'x', events: [STARTED, COMPLETED] }],
		['1', [STARTED, COMPLETED], {}, { validationToken: 'x' }],
		['challenge', { challenge: 'x', token: 't', type: 'url_verification' }],
		['challenge', { challenge: 'x', event: 'endpoint.validation' }],
		['challenge', { challenge: 'x', type: 'webhook.verify', callback_url: 'https://x' }],
		['challenge', { challenge: 'x', timestamp: 1 }],
		[
			'plain',
			undefined,
			{},
			{ 'hub.mode': 'subscribe', 'hub.challenge': '77', 'hub.verify_token': 'a' },
		],
		['plain', {}, {}, { validationToken: 'a b' }],
		['runs', COMPLETED, {}, { validationToken: 'a b' }],
		['runs', { data: CALL }, {}, { 'hub.challenge': 'a b' }],
		['ignored', { type: 'CALL.STARTED' }],
		['ignored', { Type: 'CallStarted' }],
		['ignored', { event: { kind: 'call.started' } }],
		['ignored', { payload: { event: 'call.started', call: CALL } }],
		['ignored', { body: { event_type: 'call.started' } }],
		['ignored', { message: { event: 'call_started' } }],
		['ignored', { detail: { eventType: 'call.started' } }],
		['ignored', { eventData: { type: 'call.started' } }],
		['ignored', { data: { kind: 'call.started' } }],
		['ignored', { data: { topic: 'call.started' } }],
		['ignored', { data: { action: 'call.started' } }],
		['ignored', { event: 'call.started', previous_event: 'call.completed' }],
		['ignored', { event: 'call.started', next: { event: 'call.completed' } }],
		['ignored', CALL, { 'x-twilio-event-type': 'call.started' }],
		['ignored', CALL, { 'X-Event-Key': 'call:started' }],
		['ignored', CALL, { 'x-event-name': 'call.started' }],
		['ignored', CALL, { 'x-hook-event-type': 'call.started' }],
		['ignored', CALL, { 'aeg-event-type': 'call.started' }],
		['ignored', CALL, { 'x-goog-event-type': 'call.started' }],
		['ignored', { action: 'started', call: CALL }, { 'X-GitHub-Event': 'call' }],
		['ignored', { action: 'updated', agent: {} }, { 'x-acme-topic': 'agent' }],
		['runs', { action: 'completed', call: CALL }, { 'X-GitHub-Event': 'call' }],
		['runs', { action: 'started', call: CALL }],
		['runs', { action: 'started', type: 'call' }],
		['runs', { data: { action: 'started' } }, { 'x-event': 'call' }],
		['runs', { event: 'call.completed.v3' }],
		['runs', { event: 'acme.voice/v1/call.completed' }],
		['runs', { last_event: 'call.started' }],
		[
			'runs',
			{
				previousEventType: 'call.started',
				from_event: 'call.started',
				initial_event: 'call.failed',
				source_event: 'call.started',
			},
		],
		['runs', { related_event: { type: 'call.started' } }],
		['runs', { trigger: { event: 'call.started' }, workflow: { event: 'call.started' } }],
		['runs', { agent: { event: 'call.started' } }],
		['runs', { type: 'voice.transcript', event: { type: 'call.transcribed' } }],
		['runs', { type: 'call.started', event: 'call.completed' }],
		[
			'runs',
			{ subscription: { name: 'Test' }, webhook: { name: 'Test', type: 'test' }, note: 'x' },
		],
		['runs', { event_source: 'test' }],
		['runs', { source: 'test', event: 'zorb' }],
		['runs', { environment: 'test', mode: 'test', id: 1 }],
		['runs', { test: true, event: 'call.completed' }],
		['runs', { test: true, ...CALL }],
		['runs', { is_test: true, id: 1 }],
		['ignored', { type: 'test', test: true }],
		['ignored', { event: 'ping', webhook_id: 'wh' }],
		['ignored', { event: 'Test Event', data: { message: 'Hello', agent: { id: 'a' } } }],
		['ignored', {}, { 'x-github-event': 'ping' }],
		['ignored', { topic: 'test', data: null }],
		['runs', { type: 'ping', event: 'zorb' }],
		['runs', { type: 'latest' }],
		['runs', { type: 'testimonial' }],
		['runs', { type: 'contest.entered' }],
		['runs', { events: TURNS }],
		['runs', { messages: [{ type: 'call.started' }, { type: 'text' }], ...CALL }],
		['runs', { calls: [{ id: 1, status: 'done' }] }],
		['runs', { data: [{ call_id: 'x' }] }],
		[
			'runs',
			{ entry: [{ id: '1', changes: [{ field: 'calls', value: { event: 'call.completed' } }] }] },
		],
		['runs', { object: 'page', entry: [{ changes: [{ field: 'calls' }] }] }],
		['ignored', { value: [{ changeType: 'call.started', resource: 'x' }] }],
		['1', { value: [{ changeType: 'call.started' }, { changeType: 'call.completed' }] }],
		['1', { data: { call_events: [STARTED, COMPLETED] } }],
		['runs', { id: 1, call_events: [STARTED], call: { id: 2 } }],
		['1', { count: 2, next: null, results: [STARTED, COMPLETED] }],
		['1', { account: { id: 1, plan: 'pro' }, events: [STARTED, COMPLETED] }],
		['runs', { account: { id: 1, tags: ['a'] }, events: [STARTED, COMPLETED] }],
		['1', [STARTED, COMPLETED, { type: 'ping' }]],
		['2', [COMPLETED, 'text']],
		['ignored', [[STARTED]].flat()],
		['2', { completed: [{ id: 1 }], failed: [{ id: 2 }] }],
		['1', { call: [STARTED, COMPLETED] }],
		['runs', { type: 'call.completed', started: [STARTED], completed: [COMPLETED] }],
		['runs', 7],
		['runs', 'ping'],
	])('%s: %j %j', (...[expected, body, headers = {}, query = {}]) => {
		const verdict = judged({ body, headers, query });
		const { kind } = verdict;
		if (kind === 'challenge') expect(verdict.isPlainText ? 'plain' : kind).toBe(expected);
		else if (kind !== 'accepted') expect(kind).toBe(expected);
		else if (expected !== 'runs') expect(String(verdict.events.length)).toBe(expected);
		else
			expect(verdict.events.map(({ json }) => json)).toEqual([
				typeof body === 'object' ? body : { body },
			]);
	});
});
