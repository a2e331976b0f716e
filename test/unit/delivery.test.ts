import fc from 'fast-check';

import { judge, type Delivery, type Known } from '../../nodes/VoiceAgent/trigger/delivery';
import type { Settings } from '../../nodes/VoiceAgent/trigger/settings';

const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const OTHER = TOKEN.replace('a', 'b');

const settings: Settings = {
	events: ['call.completed'],
	verification: { scheme: 'none' },
	deliveryDetails: false,
	requestSample: true,
};
const known: Known = { token: TOKEN, secrets: [], manual: false, now: 1_700_000_000 };
const delivery = (body: unknown, headers: Delivery['headers'] = {}): Delivery => ({
	headers,
	query: { voice_agent_token: TOKEN },
	rawBody: Buffer.from(JSON.stringify(body) ?? ''),
	body,
});
const itemsOf = (verdict: ReturnType<typeof judge>) =>
	verdict.kind === 'accepted' ? verdict.events.map(({ json }) => json) : verdict.kind;

describe('the callback token', () => {
	const sent = (token: unknown): Delivery => ({
		...delivery({ type: 'call.completed' }),
		query: token === undefined ? {} : { voice_agent_token: token },
	});

	test.each([
		['missing', undefined],
		['empty', ''],
		['masked', '***'],
		['doubled', [TOKEN, TOKEN]],
		['an object', { 0: TOKEN }],
		['too long', TOKEN + TOKEN],
		['very long', TOKEN.repeat(100_000)],
		['with another alphabet', `${TOKEN.slice(1)}+`],
		['with a zero byte', `${TOKEN}\0`],
	])('is refused without asking anyone when it is %s', (_name, token) => {
		expect(judge(sent(token), known, settings)).toEqual({ kind: 'stranger' });
		expect(judge(sent(token), { ...known, token: undefined }, settings)).toEqual({
			kind: 'stranger',
		});
	});

	test('is to be looked up where it is not the stored one', () => {
		const verdict = { kind: 'unknownToken', token: OTHER };
		expect(judge(sent(OTHER), known, settings)).toEqual(verdict);
		expect(judge(sent(OTHER), { ...known, token: undefined }, settings)).toEqual(verdict);
		expect(judge(sent(OTHER), { ...known, manual: true }, settings)).toEqual(verdict);
	});

	test('lets the delivery in', () => {
		expect(judge(sent(TOKEN), known, settings).kind).toBe('accepted');
	});

	test('is not asked for while a test listener has none stored', () => {
		const listening = { ...known, token: undefined, manual: true };
		expect(judge(sent(undefined), listening, settings).kind).toBe('accepted');
	});
});

describe('the event type', () => {
	const places: Array<[string, (type: string) => Delivery]> = [
		['type', (type) => delivery({ type })],
		['event', (type) => delivery({ event: type })],
		['event_type', (type) => delivery({ event_type: type })],
		['eventType', (type) => delivery({ eventType: type })],
		['event.type', (type) => delivery({ event: { type } })],
		['topic', (type) => delivery({ topic: type })],
		['type, in capitals', (type) => delivery({ type: type.toUpperCase() })],
		['type, as CloudEvents has it', (type) => delivery({ type: `com.example.${type}` })],
		['x-event-type', (type) => delivery({ id: 1 }, { 'x-event-type': type })],
		['x-webhook-event', (type) => delivery({ id: 1 }, { 'x-webhook-event': type })],
		['an array', (type) => delivery([{ type }])],
		[
			'a header beside a type of something else',
			(type) => delivery({ type: 'inbound' }, { 'x-event-type': type }),
		],
		['a field beside a type of something else', (type) => delivery({ type: 'event', event: type })],
	];

	test.each(places)('is found at %s', (_name, at) => {
		expect(itemsOf(judge(at('call.completed'), known, settings))).toHaveLength(1);
		expect(judge(at('call.started'), known, settings).kind).toBe('ignored');
		expect(judge(at('call.started'), known, { ...settings, events: [] }).kind).toBe('accepted');
		expect(judge(at('ping'), { ...known, manual: true }, settings).kind).toBe('accepted');
	});

	test.each([
		{ name: 'call.completed' },
		{ type: 'event', name: 'call.completed' },
		{ type: 'webhook', event_name: 'call.completed' },
		{ type: 'call', action: 'call.completed' },
		{ type: 'notification', data: { type: 'call.completed' } },
	])('is found where it may be something else, if it was chosen: %j', (body) => {
		const verdict = judge(delivery(body), known, settings);
		expect(verdict).toMatchObject({ events: [{ type: 'call.completed' }] });
	});

	test.each([
		{ type: 'webhook.failed', name: 'call.completed' },
		{ type: 'call.started', data: { type: 'call.completed' } },
		{ type: 'chat.call.completed' },
	])('is not taken from elsewhere where it is told: %j', (body) =>
		expect(judge(delivery(body), known, settings).kind).toBe('ignored'),
	);

	test('is the one that was chosen, rather than one that ends like it', () => {
		const events = ['session.ended', 'com.chat.session.ended'];
		const body = { type: 'com.chat.session.ended' };
		expect(judge(delivery(body), known, { ...settings, events })).toMatchObject({
			events: [{ type: 'com.chat.session.ended' }],
		});
	});

	test('is ignored where the chosen ones have no parts either', () => {
		const chosen = { ...settings, events: ['callEnded'] };
		expect(judge(delivery({ type: 'callStarted' }), known, chosen).kind).toBe('ignored');
		expect(judge(delivery({ type: 'callEnded' }), known, chosen).kind).toBe('accepted');
		expect(judge(delivery({ type: 'event', name: 'callEnded' }), known, chosen)).toMatchObject({
			events: [{ type: 'callEnded' }],
		});
	});

	test.each(['ping', 'Test', 'verification', 'call_started', 'call:started', 'agent.call'])(
		'%s was not chosen',
		(type) => {
			expect(judge(delivery({ type }), known, settings).kind).toBe('ignored');
			expect(judge(delivery({ type }), known, { ...settings, events: [] }).kind).toBe('accepted');
		},
	);

	test.each([
		[{ type: 'event' }],
		[{ type: 'call', action: 'completed' }],
		[{ type: 'notification', data: { type: 'phone.inbound' } }],
		[{ id: 1 }],
		[{ type: 5 }],
		[{ type: '' }],
		[{ type: null, data: { type: 'x' } }],
		[{ event: { name: 'x' } }],
		['text'],
		[7],
		[null],
		[undefined],
		[{}],
	])('that cannot be told in %j passes', (body) =>
		expect(itemsOf(judge(delivery(body), known, settings))).toHaveLength(1),
	);

	test('is not taken from a prototype', () => {
		const body: unknown = JSON.parse('{"__proto__": {"type": "call.started"}, "id": 1}');
		expect(judge(delivery(body), known, settings).kind).toBe('accepted');
		const header = JSON.parse('{"__proto__": {"x-event-type": "call.started"}}') as object;
		expect(judge(delivery({ id: 1 }, header as never), known, settings).kind).toBe('accepted');
	});
});

describe('items', () => {
	test('are the delivered body, unchanged', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
				const [item] = itemsOf(
					judge(delivery(body), known, { ...settings, events: [] }),
				) as object[];
				expect(JSON.stringify(item)).toBe(JSON.stringify(body));
			}),
		);
	});

	test('are the elements of an array, without those not chosen', () => {
		const body = [
			{ type: 'call.completed', n: 1 },
			{ type: 'call.started', n: 2 },
			{ n: 3 },
			4,
			null,
		];
		expect(itemsOf(judge(delivery(body), known, settings))).toEqual([
			{ type: 'call.completed', n: 1 },
			{ n: 3 },
			{ body: 4 },
			{ body: null },
		]);
		expect(judge(delivery([]), known, settings).kind).toBe('ignored');
	});

	test.each([
		[7, { body: 7 }],
		['text', { body: 'text' }],
		[false, { body: false }],
		[null, {}],
		[undefined, {}],
	])('of %j are %j', (body, item) =>
		expect(itemsOf(judge(delivery(body), known, settings))).toEqual([item]),
	);
});

describe('delivery details', () => {
	const detailed = { ...settings, deliveryDetails: true };
	const detailsOf = (sent: Delivery) =>
		(itemsOf(judge(sent, known, detailed)) as Array<{ delivery: Record<string, unknown> }>)[0]!
			.delivery;

	test('add the type, the id, the time and the headers', () => {
		const body = { type: 'call.completed', id: 'evt_1' };
		const details = detailsOf(delivery(body, { 'x-delivery-id': 'msg_1', 'content-type': 'a/b' }));
		expect(details).toEqual({
			id: 'msg_1',
			eventType: 'call.completed',
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
			headers: { 'x-delivery-id': 'msg_1', 'content-type': 'a/b' },
		});
	});

	test.each([
		[delivery({ id: 'evt_1' }), 'evt_1'],
		[delivery({ event: { id: 'evt_1', type: 'call.completed' } }), 'evt_1'],
		[delivery({ id: 'evt_1' }, { 'webhook-id': 'msg_1' }), 'msg_1'],
		[delivery([{ id: 'evt_1' }]), 'evt_1'],
		[delivery({}), null],
		[delivery('text'), null],
	])('tell the id %#', (sent, id) => expect(detailsOf(sent).id).toBe(id));

	test('name the chosen one of several types', () => {
		const sent = delivery({ type: 'inbound' }, { 'x-event-type': 'call.completed' });
		expect(detailsOf(sent).eventType).toBe('call.completed');
		expect(detailsOf(delivery({})).eventType).toBeNull();
	});

	test('hold no secrets', () => {
		const names = [
			'authorization',
			'proxy-authorization',
			'cookie',
			'set-cookie',
			'x-signature',
			'webhook-signature',
			'x-hub-signature-256',
			'x-api-key',
			'x-apikey',
			'x-auth-token',
			'x-webhook-secret',
			'x-original-url',
			'x-forwarded-uri',
		];
		const secret = `voice_agent_token=${TOKEN}`;
		const details = detailsOf(
			delivery({}, { ...Object.fromEntries(names.map((name) => [name, secret])), accept: '*/*' }),
		);
		expect(JSON.stringify(details)).not.toContain(TOKEN);
		expect(details.headers).toMatchObject({ accept: '*/*' });
	});
});

test('no delivery makes it throw', () => {
	const verifications: Array<Settings['verification']> = [
		{ scheme: 'none' },
		{ scheme: 'standardWebhooks' },
		{ scheme: 'hmac', header: 'x-signature', hash: 'sha256', encoding: 'hex', prefix: '' },
	];
	fc.assert(
		fc.property(
			fc.record({
				headers: fc.dictionary(
					fc.constantFrom(
						'webhook-id',
						'webhook-timestamp',
						'webhook-signature',
						'x-signature',
						'a',
					),
					fc.oneof(fc.string(), fc.array(fc.string())),
				),
				query: fc.dictionary(fc.constantFrom('voice_agent_token', 'a'), fc.anything()),
				rawBody: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
				body: fc.anything(),
			}),
			fc.record({
				token: fc.option(fc.constant(TOKEN), { nil: undefined }),
				secrets: fc.array(fc.string()),
				manual: fc.boolean(),
				now: fc.nat(),
			}),
			fc.constantFrom(...verifications),
			fc.boolean(),
			(sent, state, verification, deliveryDetails) => {
				judge(sent, state, { ...settings, verification, deliveryDetails });
			},
		),
		{ numRuns: 500 },
	);
});
