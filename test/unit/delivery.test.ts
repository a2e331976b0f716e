import type { Delivery } from '../../nodes/VoiceAgent/delivery/judge';
import { anyCatalog, spellingsOf, unknownType } from '../support/eventTypes';
import { judged, outcomeOf } from '../support/judging';
import { fc, runs } from '../support/random';

describe('a delivery of any service', () => {
	/** A place of the event type, as the delivery that has a type there. */
	type Place = (type: string, data: object) => Pick<Delivery, 'headers' | 'body'>;
	const inBody =
		(wrap: (type: string, data: object) => object): Place =>
		(type, data) => ({ headers: {}, body: wrap(type, data) });
	const envelopes = ['data', 'payload', 'attributes', 'message', 'eventData', 'body'];
	const anyEnvelope = fc.constantFrom(...envelopes);
	const anyKey = fc.constantFrom('type', 'event', 'event_type', 'eventType', 'topic', 'eventName');
	const generalTypes = ['webhook_event', 'event_callback', 'notification', 'inbound_call'];
	const anyGeneralType = fc.constantFrom(...generalTypes);
	const anyHeader = fc.constantFrom('x-event-type', 'x-acme-event', 'x-zorb-topic', 'ce-type');
	const anyPlace: fc.Arbitrary<Place> = fc.oneof(
		anyKey.map((key) => inBody((type, data) => ({ id: 'evt_1', [key]: type, data }))),
		fc
			.tuple(anyKey, anyEnvelope)
			.map(([key, word]) =>
				inBody((type, data) => ({ id: 'evt_1', [word]: { [key]: type, data } })),
			),
		fc
			.tuple(fc.constantFrom('name', 'type', 'action'), anyGeneralType)
			.map(([key, general]) =>
				inBody((type, data) => ({ type: general, event: { [key]: type }, data })),
			),
		fc.tuple(anyHeader, anyGeneralType).map(
			([header, general]): Place =>
				(type, data) => ({
					headers: { [header]: type, 'content-type': 'application/json' },
					body: { type: general, ...data },
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
	/** A catalog, a selection of its names, one selected name and another one. */
	const anySelection = anyCatalog.chain((catalog) =>
		fc.subarray(catalog, { minLength: 1, maxLength: catalog.length - 1 }).chain((events) =>
			fc.record({
				catalog: fc.constant(catalog),
				events: fc.constant(events),
				selected: fc.constantFrom(...events),
				unselected: fc.constantFrom(...catalog.filter((name) => !events.includes(name))),
			}),
		),
	);
	const judgedAt = (
		{ catalog, events }: { catalog?: string[]; events: string[] },
		place: Place,
		type: string,
		data: object,
	) => judged(place(type, data), { events }, { catalog });
	const many = { numRuns: runs(1_000) };

	// Promise: A selected type is never ignored, in no spelling.
	test('a selected type starts the workflow, in every spelling and beside other types', () => {
		fc.assert(
			fc.property(anySelection, anyPlace, anyData, fc.nat(), (selection, place, data, spelling) => {
				const { selected, unselected } = selection;
				const mentioning = {
					...data,
					previous_event: unselected,
					next: { name: unselected, event_type: unselected },
					history: [{ type: unselected }, { type: unselected }],
				};
				for (const type of spellingsOf(selected, spelling)) {
					const events = [{ type: selected }];
					expect(judgedAt(selection, place, type, data)).toMatchObject({ events });
					expect(judgedAt(selection, place, type, mentioning)).toMatchObject({ events });
				}
			}),
			many,
		);
	});

	test('a type of the catalog that was not selected is ignored, in every spelling', () => {
		fc.assert(
			fc.property(anySelection, anyPlace, anyData, fc.nat(), (selection, place, data, spelling) => {
				for (const type of spellingsOf(selection.unselected, spelling)) {
					expect([type, judgedAt(selection, place, type, data).kind]).toEqual([type, 'ignored']);
				}
				expect(judgedAt({ events: selection.events }, place, selection.unselected, data).kind).toBe(
					'accepted',
				);
			}),
			many,
		);
	});

	// Promise: A delivery of unknown type starts the workflow.
	test('an unknown type starts the workflow, and so does every type if all are selected', () => {
		fc.assert(
			fc.property(anySelection, anyPlace, anyData, unknownType, (selection, place, data, type) => {
				expect(judgedAt(selection, place, type, data).kind).toBe('accepted');
				for (const events of [['*'], ['*', selection.selected], []]) {
					const every = { ...selection, events };
					expect(judgedAt(every, place, type, data).kind).toBe('accepted');
					expect(judgedAt(every, place, selection.unselected, data)).toMatchObject({
						events: [{ type: selection.unselected }],
					});
				}
			}),
			many,
		);
	});
});

test('the item of an event is the delivered body, unchanged', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
			const [item] = outcomeOf({ body }, { events: [] }) as object[];
			expect(JSON.stringify(item)).toBe(JSON.stringify(body));
		}),
	);
});

// Promise: No delivery makes the judgement throw.
test('no delivery makes the judgement throw', () => {
	fc.assert(
		fc.property(
			fc.record({
				headers: fc.dictionary(
					fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'a'),
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
			fc.boolean(),
			fc.boolean(),
			(sent, state, verifySignature, deliveryDetails) => {
				judged(sent, { verifySignature, deliveryDetails }, state);
			},
		),
		{ numRuns: runs(500) },
	);
});
