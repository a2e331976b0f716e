import {
	judge,
	type Delivery,
	type NodeState,
	type DeliverySettings,
} from '../../nodes/VoiceAgent/delivery/judge';
import { anyCatalog, spellingsOf, unknownType } from '../support/eventTypes';
import { fc, runs } from '../support/random';

const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

const settings: DeliverySettings = {
	events: ['call.completed'],
	callDetails: false,
	reading: {},
	verification: { scheme: 'none' },
	deliveryDetails: false,
};
const known: NodeState = {
	catalog: ['call.started', 'call.completed', 'chat.ended'],
	secrets: [],
	manual: false,
	now: 1_700_000_000,
};
const delivery = (body: unknown, headers: Delivery['headers'] = {}): Delivery => ({
	headers,
	query: { voice_agent_token: TOKEN },
	rawBody: Buffer.from(JSON.stringify(body) ?? ''),
	body,
});
const itemsOf = (verdict: ReturnType<typeof judge>) =>
	verdict.kind === 'accepted' ? verdict.events.map(({ json }) => json) : verdict.kind;

describe('the event type', () => {
	const places: Array<[string, (type: string) => Delivery]> = [
		['type', (type) => delivery({ type })],
		['event', (type) => delivery({ event: type })],
		['event_type', (type) => delivery({ event_type: type })],
		['eventType', (type) => delivery({ eventType: type })],
		['event.type', (type) => delivery({ event: { type } })],
		['event.name', (type) => delivery({ type: 'webhook_event', event: { name: type } })],
		['data.type', (type) => delivery({ type: 'notification', data: { type } })],
		['payload.event_type', (type) => delivery({ id: 1, payload: { event_type: type } })],
		['message.type', (type) => delivery({ message: { type, call: { type: 'inbound' } } })],
		['detail-type', (type) => delivery({ 'detail-type': type, detail: { type: 'phone' } })],
		['changeType', (type) => delivery({ changeType: type })],
		['kind', (type) => delivery({ kind: type })],
		['attributes', (type) => delivery({ attributes: { event_type: type } })],
		['data.attributes', (type) => delivery({ data: { id: 1, attributes: { event_name: type } } })],
		[
			'a header and the action',
			(type) => {
				const [family = '', action] = type.split('.');
				return delivery({ action }, { 'x-voice-event': family });
			},
		],
		['topic', (type) => delivery({ topic: type })],
		['name', (type) => delivery({ type: 'event', name: type })],
		['action', (type) => delivery({ type: 'call', action: type })],
		['type, in capitals', (type) => delivery({ type: type.toUpperCase() })],
		['type, with underscores', (type) => delivery({ type: type.replace('.', '_') })],
		['type, with a version', (type) => delivery({ type: `${type}.v1` })],
		['type, as CloudEvents has it', (type) => delivery({ type: `com.example.${type}` })],
		['ce-type', (type) => delivery({ id: 1 }, { 'ce-type': `com.example.${type}` })],
		['x-event-type', (type) => delivery({ id: 1 }, { 'x-event-type': type })],
		['x-webhook-event', (type) => delivery({ id: 1 }, { 'x-webhook-event': type })],
		['x-acme-topic', (type) => delivery({ id: 1 }, { 'x-acme-topic': type })],
		['an array', (type) => delivery([{ type }])],
		['the header of an array', (type) => delivery([{ id: 1 }], { 'x-event-type': type })],
		['a batch', (type) => delivery({ id: 'batch_1', events: [{ type }] })],
		[
			'a header beside a type of something else',
			(type) => delivery({ type: 'inbound_call' }, { 'x-acme-event': type }),
		],
		['a field beside a type of something else', (type) => delivery({ type: 'event', event: type })],
	];

	test.each(places)('is found at %s', (_name, at) => {
		expect(judge(at('call.completed'), known, settings)).toMatchObject({
			events: [{ type: 'call.completed' }],
		});
		expect(judge(at('call.started'), known, settings)).toEqual({ kind: 'ignored' });
		expect(judge(at('call.started'), known, { ...settings, events: [] })).toMatchObject({
			events: [{ type: 'call.started' }],
		});
		expect(judge(at('call.started'), { ...known, catalog: undefined }, settings).kind).toBe(
			'accepted',
		);
		expect(judge(at('call.moved'), known, settings).kind).toBe('accepted');
		expect(judge(at('call.started'), { ...known, manual: true }, settings).kind).toBe('accepted');
		expect(judge(at('ping'), { ...known, manual: true }, settings).kind).toBe('accepted');
	});

	test.each([
		{ type: 'call.completed', previous_event: 'call.started' },
		{ previous_event: 'call.started', type: 'call.completed' },
		{ type: 'call.completed', data: { name: 'call.started', type: 'call.started' } },
		{ name: 'call.started', data: { type: 'call.completed' } },
		{ type: 'call.completed', history: [{ type: 'call.started' }, { type: 'call.started' }] },
		{ event: { type: 'call.completed', previous: { event: { type: 'call.started' } } } },
		{ type: 'webhook_event', event: 'call.completed', last_event_type: 'call.started' },
	])('is the chosen one of several: %j', (body) =>
		expect(judge(delivery(body), known, settings)).toMatchObject({
			events: [{ type: 'call.completed', json: body }],
		}),
	);

	test.each([
		{ type: 'call.started', previous_event: 'call.completed' },
		{ type: 'call.started', history: [{ type: 'call.completed' }] },
		{ type: 'call.started', subscription: { events: ['call.completed'] } },
		{ type: 'call.started', a: { b: { c: { d: { type: 'call.completed' } } } } },
	])('is not the chosen one that is only mentioned: %j', (body) =>
		expect(judge(delivery(body), known, settings)).toEqual({ kind: 'ignored' }),
	);

	test.each([
		[{ type: 'call.moved', previous_event: 'call.started' }, 'call.moved'],
		[{ type: 'call.moved', data: { type: 'call.started' } }, 'call.moved'],
		[{ id: 1, previous_event: 'call.started' }, undefined],
		[{ type: 'billing.paid' }, 'billing.paid'],
		[{ type: 'call.moved', history: [{ type: 'call.started' }] }, 'call.moved'],
		[{ type: 'summary', history: [{ type: 'call.started' }] }, 'summary'],
		[{ call: { type: 'phone_call' } }, undefined],
		[{ type: 'notification', event: 'zorb' }, 'zorb'],
	])('that the catalog does not have runs: %j', (body, type) =>
		expect(judge(delivery(body), known, settings)).toEqual({
			kind: 'accepted',
			events: [{ type, json: body }],
		}),
	);

	test('may be spelled without parts', () => {
		const catalog = ['callStarted', 'callEnded', 'ended', 'started'];
		const judged = (type: string, events: string[]) =>
			judge(
				delivery({ type: 'event', name: type }),
				{ ...known, catalog },
				{ ...settings, events },
			);
		expect(judged('callStarted', ['callEnded']).kind).toBe('ignored');
		expect(judged('call_ended', ['callEnded'])).toMatchObject({ events: [{ type: 'callEnded' }] });
		expect(judged('ended', ['callEnded']).kind).toBe('ignored');
		expect(judged('started', ['ended']).kind).toBe('ignored');
		expect(judged('Ended', ['ended'])).toMatchObject({ events: [{ type: 'ended' }] });
		expect(judged('payment.ended', ['started']).kind).toBe('accepted');
	});

	test.each([
		['call.completed', 'sub.call.completed'],
		['sub.call.completed', 'call.completed'],
		['call.completed', 'call_completed'],
		['call.completed.v1', 'call.completed.v2'],
	])('%s is not %s, where the catalog has both', (chosen, other) => {
		const both = { ...known, catalog: [other, chosen] };
		const judged = (type: string) =>
			judge(delivery({ type }), both, { ...settings, events: [chosen] });
		expect(judged(other)).toEqual({ kind: 'ignored' });
		expect(judged(chosen)).toMatchObject({ events: [{ type: chosen }] });
	});

	test.each(['*', 'call.*', 'call:*', '*.moved'])('is covered by the wildcard %s', (wildcard) => {
		const wild = { ...settings, events: [wildcard] };
		const catalog = ['*', 'call.*', '*.moved', 'call.moved', 'chat.started'];
		for (const type of ['call.moved', 'CALL_MOVED', 'v1.call.moved']) {
			expect(judge(delivery({ type }), { ...known, catalog }, wild)).toMatchObject({
				events: [{ type: 'call.moved' }],
			});
		}
		expect(judge(delivery({ type: 'chat.started' }), { ...known, catalog }, wild).kind).toBe(
			wildcard === '*' ? 'accepted' : 'ignored',
		);
	});

	test('is covered by a wildcard also where the catalog does not have it', () => {
		const body = { type: 'CALL_MOVED', data: { type: 'chat.ended' } };
		expect(judge(delivery(body), known, { ...settings, events: ['call.*'] })).toMatchObject({
			events: [{ type: 'CALL_MOVED' }],
		});
	});

	test('is the one that tells most, where every event is chosen by a wildcard', () => {
		const body = { type: 'webhook_event', name: 'Ada', event: 'call.started' };
		for (const events of [[], ['*']]) {
			expect(judge(delivery(body), known, { ...settings, events })).toMatchObject({
				events: [{ type: 'call.started' }],
			});
		}
	});

	test.each([
		{ type: 'ping' },
		{ type: 'Test', data: {} },
		{ type: 'webhook_event', event: { type: 'test_event', id: 1 } },
		{ type: 'webhook.test' },
	])('of a probe starts nothing: %j', (body) => {
		expect(judge(delivery(body), known, settings)).toEqual({ kind: 'ignored' });
		expect(judge(delivery(body), { ...known, catalog: undefined }, settings).kind).toBe('ignored');
		expect(judge(delivery(body), known, { ...settings, events: [] }).kind).toBe('ignored');
	});

	test.each([
		{ type: 'test', event: { type: 'call.completed' } },
		{ type: 'test', data: { type: 'agent.moved' } },
		{ type: 'test', event: 'zorb' },
		{ type: 'call.test' },
		{ type: 'callback.confirmed' },
		{ type: 'event.verified' },
	])('of an event makes it no probe: %j', (body) =>
		expect(judge(delivery(body), known, settings).kind).toBe('accepted'),
	);

	test('of a probe may be chosen', () => {
		const chosen = { ...settings, events: ['ping'] };
		expect(judge(delivery({ type: 'ping' }), known, chosen).kind).toBe('accepted');
		const offered = { ...known, catalog: ['ping', 'call.completed'] };
		expect(judge(delivery({ type: 'ping' }), offered, { ...settings, events: [] }).kind).toBe(
			'accepted',
		);
	});

	test.each([
		[{ type: 'event' }],
		[{ type: 'call', action: 'completed' }],
		[{ type: 'notification', data: { type: 'phone.inbound' } }],
		[{ id: 1 }],
		[{ type: 5 }],
		[{ type: '' }],
		[{ type: null, data: { type: 'x' } }],
		[{ type: 'call.started'.padEnd(300) }],
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
		const body = Object.assign(Object.create({ type: 'call.started' }) as object, { id: 1 });
		expect(judge(delivery(body), known, settings).kind).toBe('accepted');
		const header = JSON.parse('{"__proto__": {"x-event-type": "call.started"}}') as object;
		expect(judge(delivery({ id: 1 }, header as never), known, settings).kind).toBe('accepted');
	});
});

test('an entry of a batch has its own type, whatever type the header states', () => {
	const batch = [{ type: 'call.started' }, { type: 'call.completed' }, { id: 1 }];
	const verdict = judge(delivery(batch, { 'x-voice-event': 'call.completed' }), known, settings);
	expect(itemsOf(verdict)).toEqual(batch.slice(1));
});

describe('whatever service draws it', () => {
	/** Ways to say an event's type, by the data of the event. */
	type Place = (type: string, data: object) => Pick<Delivery, 'headers' | 'body'>;
	const inBody =
		(wrap: (type: string, data: object) => object): Place =>
		(type, data) => ({ headers: {}, body: wrap(type, data) });
	const anyWord = fc.constantFrom('data', 'payload', 'attributes', 'message', 'eventData', 'body');
	const anyKey = fc.constantFrom('type', 'event', 'event_type', 'eventType', 'topic', 'eventName');
	const anyQuiet = fc.constantFrom(
		'webhook_event',
		'event_callback',
		'notification',
		'inbound_call',
	);
	const anyHeader = fc.constantFrom('x-event-type', 'x-acme-event', 'x-zorb-topic', 'ce-type');
	const anyPlace: fc.Arbitrary<Place> = fc.oneof(
		anyKey.map((key) => inBody((type, data) => ({ id: 'evt_1', [key]: type, data }))),
		fc
			.tuple(anyKey, anyWord)
			.map(([key, word]) =>
				inBody((type, data) => ({ id: 'evt_1', [word]: { [key]: type, data } })),
			),
		fc
			.tuple(fc.constantFrom('name', 'type', 'action'), anyQuiet)
			.map(([key, quiet]) =>
				inBody((type, data) => ({ type: quiet, event: { [key]: type }, data })),
			),
		fc.tuple(anyHeader, anyQuiet).map(
			([header, quiet]): Place =>
				(type, data) => ({
					headers: { [header]: type, 'content-type': 'application/json' },
					body: { type: quiet, ...data },
				}),
		),
	);
	const anyData = fc.record(
		{
			call: fc.record({ id: fc.uuid(), type: fc.constantFrom('inbound', 'phone_call') }),
			agent: fc.record({ name: fc.constantFrom('Ada', 'Front Desk') }),
			from_number: fc.constant('+15550100'),
			transcript: fc.string({ maxLength: 300 }),
			turns: fc.array(fc.record({ role: fc.string(), type: fc.constant('text') })),
		},
		{ requiredKeys: [] },
	);
	/** A catalog of which some names are chosen, and one of each kind. */
	const anyChoice = anyCatalog.chain((catalog) =>
		fc.subarray(catalog, { minLength: 1, maxLength: catalog.length - 1 }).chain((events) =>
			fc.record({
				catalog: fc.constant(catalog),
				events: fc.constant(events),
				chosen: fc.constantFrom(...events),
				unchosen: fc.constantFrom(...catalog.filter((name) => !events.includes(name))),
			}),
		),
	);
	const judged = (
		{ catalog, events }: { catalog?: string[]; events: string[] },
		place: Place,
		type: string,
		data: object,
	) =>
		judge(
			{ ...delivery(undefined), ...place(type, data) },
			{ ...known, catalog },
			{ ...settings, events },
		);
	const many = { numRuns: runs(1_000) };

	test('a chosen type is never ignored, in no spelling', () => {
		fc.assert(
			fc.property(anyChoice, anyPlace, anyData, fc.nat(), (choice, place, data, spelling) => {
				for (const type of spellingsOf(choice.chosen, spelling)) {
					expect(judged(choice, place, type, data)).toMatchObject({
						events: [{ type: choice.chosen }],
					});
				}
			}),
			many,
		);
	});

	test('nor where the event mentions others', () => {
		fc.assert(
			fc.property(anyChoice, anyPlace, anyData, (choice, place, data) => {
				const { chosen, unchosen } = choice;
				const mentioning = {
					...data,
					previous_event: unchosen,
					next: { name: unchosen, event_type: unchosen },
					history: [{ type: unchosen }, { type: unchosen }],
				};
				expect(judged(choice, place, chosen, mentioning)).toMatchObject({
					events: [{ type: chosen }],
				});
			}),
			many,
		);
	});

	test('an unchosen type of the catalog is ignored, in every spelling', () => {
		fc.assert(
			fc.property(anyChoice, anyPlace, anyData, fc.nat(), (choice, place, data, spelling) => {
				for (const type of spellingsOf(choice.unchosen, spelling)) {
					expect([type, judged(choice, place, type, data).kind]).toEqual([type, 'ignored']);
				}
				expect(judged({ events: choice.events }, place, choice.unchosen, data).kind).toBe(
					'accepted',
				);
			}),
			many,
		);
	});

	test('an unknown type runs, and so does all where every event is chosen', () => {
		fc.assert(
			fc.property(anyChoice, anyPlace, anyData, unknownType, (choice, place, data, type) => {
				expect(judged(choice, place, type, data).kind).toBe('accepted');
				expect(judged({ ...choice, events: [] }, place, type, data).kind).toBe('accepted');
				expect(judged({ ...choice, events: [] }, place, choice.unchosen, data)).toMatchObject({
					events: [{ type: choice.unchosen }],
				});
			}),
			many,
		);
	});

	test('a batch is its events, and ignored only if each of them is', () => {
		const anyWrap = fc.oneof(
			fc.constant((events: object[]): unknown => events),
			fc
				.constantFrom('events', 'data', 'items', 'zorbs')
				.map((key) => (events: object[]): unknown => ({ id: 'batch_1', [key]: events, count: 9 })),
			anyWord.map((key) => (events: object[]): unknown => ({
				type: 'event_batch',
				[key]: { items: events },
			})),
		);
		const anyMix = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(anyChoice, anyKey, anyData, anyWrap, anyMix, (choice, key, data, wrap, mix) => {
				const { catalog, events, chosen, unchosen } = choice;
				const entries = mix.map((isChosen, id) => ({
					id,
					[key]: isChosen ? chosen : unchosen,
					data,
				}));
				const expected = entries.filter((_entry, at) => mix[at]);
				const judgedWith = (headers: Delivery['headers'] = {}) =>
					itemsOf(
						judge(delivery(wrap(entries), headers), { ...known, catalog }, { ...settings, events }),
					);
				expect(judgedWith()).toEqual(expected.length > 0 ? expected : 'ignored');
				expect(judgedWith({ 'x-acme-event': 'events' })).toEqual(judgedWith());
			}),
			many,
		);
	});
});

describe('a challenge', () => {
	const inBody = { kind: 'challenge', challenge: 'abc', isPlainText: false };
	const inQuery = { ...inBody, isPlainText: true };
	const asking = (query: object, body?: unknown) => ({
		...delivery(body),
		query: { voice_agent_token: TOKEN, ...query },
	});

	test.each<[string, Delivery, object]>([
		['alone', delivery({ challenge: 'abc' }), inBody],
		['with a type', delivery({ type: 'url_verification', challenge: 'abc', token: 'x' }), inBody],
		['with a header', delivery({ challenge: 'abc' }, { 'x-acme-event': 'ping' }), inBody],
		['as WebSub has it', asking({ 'hub.mode': 'subscribe', 'hub.challenge': 'abc' }), inQuery],
		['as Microsoft Graph has it', asking({ validationToken: 'abc' }, {}), inQuery],
	])('%s is answered', (_name, sent, challenge) => {
		expect(judge(sent, known, settings)).toEqual(challenge);
		expect(judge(sent, { ...known, manual: true }, settings)).toEqual(challenge);
		expect(judge(sent, { ...known, catalog: undefined }, settings)).toEqual(challenge);
		expect(judge(sent, known, { ...settings, events: [] })).toEqual(challenge);
		// A secret that comes with the answer to the creation can't be known yet.
		const verification = { scheme: 'standardWebhooks' } as const;
		expect(judge(sent, known, { ...settings, verification })).toEqual(challenge);
	});

	test.each<[string, Delivery]>([
		['of a selected type', delivery({ type: 'call.completed', challenge: 'abc' })],
		['of an unknown type', delivery({ type: 'agent.challenged', challenge: 'abc' })],
		[
			'of an unknown type in a header',
			delivery({ challenge: 'abc' }, { 'x-event': 'agent.moved' }),
		],
		['of a call', delivery({ call_id: 'call_1', duration_seconds: 9, challenge: 'abc' })],
		['of a type below', delivery({ challenge: 'abc', data: { event: 'call.completed' } })],
		['with a number', delivery({ challenge: 7 })],
		['with nothing', delivery({ challenge: '' })],
		['with an object', delivery({ challenge: { challenge: 'abc' } })],
		['with it deeper down', delivery({ data: { challenge: 'abc' } })],
		['with it in a query', asking({ 'hub.challenge': 'abc' }, { type: 'call.completed' })],
		['with it twice in a query', asking({ validationToken: ['abc', 'def'] })],
		['with another query', asking({ challenge: 'abc' })],
		['in a batch', delivery({ events: [{ type: 'call.completed', challenge: 'abc' }] })],
	])('is not in an event %s', (_name, sent) => {
		expect(judge(sent, known, settings).kind).toBe('accepted');
		expect(judge(sent, { ...known, catalog: undefined }, { ...settings, events: [] }).kind).toBe(
			'accepted',
		);
	});
});

describe('items', () => {
	test('are the delivered body, unchanged', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
				// A list of nothing alone holds no event.
				fc.pre(JSON.stringify(Object.values(body)) !== '[[]]');
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

	test('of a batch have each event its own id', () => {
		const sent = delivery(
			{ events: [{ type: 'call.completed', event_id: 1 }, { type: 'call.completed' }] },
			{ 'svix-id': 'msg_1' },
		);
		expect(itemsOf(judge(sent, known, detailed))).toMatchObject([
			{ delivery: { id: 1 } },
			{ delivery: { id: 'msg_1' } },
		]);
	});

	test.each(['svix-id', 'ce-id', 'x-acme-delivery', 'x-acme-event-id', 'x-acme-delivery-id'])(
		'tell the id in %s',
		(header) => expect(detailsOf(delivery({ id: 1 }, { [header]: 'msg_1' })).id).toBe('msg_1'),
	);

	test('name the chosen one of several types', () => {
		const sent = delivery({ type: 'inbound' }, { 'x-event-type': 'call.completed' });
		expect(detailsOf(sent).eventType).toBe('call.completed');
		expect(detailsOf(delivery({})).eventType).toBeNull();
	});
});

test('no delivery makes it throw', () => {
	const verifications: Array<DeliverySettings['verification']> = [
		{ scheme: 'none' },
		{ scheme: 'standardWebhooks' },
		{ scheme: 'timestampedHmac', header: 'x-signature', hash: 'sha256', encoding: 'hex' },
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
				catalog: fc.option(fc.array(fc.string()), { nil: undefined }),
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
		{ numRuns: runs(500) },
	);
});
