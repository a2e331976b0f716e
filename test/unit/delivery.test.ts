import type { Delivery } from '../../nodes/VoiceAgent/delivery/decide';
import { anyCatalog, spellingsOf, unknownType } from '../support/events/eventTypes';
import { judged, outcomeOf } from '../support/events/judging';
import { fc, runs } from '../support/jest/random';

/** A place of the event type, as the delivery that has a type there. */
type Place = (type: string, data: object) => Pick<Delivery, 'headers' | 'body'>;
const envelopes = ['data', 'payload', 'attributes', 'message', 'eventData', 'body'];
const anyEnvelope = fc.constantFrom(...envelopes);
const anyKey = fc.constantFrom('type', 'event', 'event_type', 'eventType', 'topic', 'eventName');
const generalTypes = ['webhook_event', 'event_callback', 'notification', 'inbound_call'];
const anyGeneralType = fc.constantFrom(...generalTypes);
const anyHeader = fc.constantFrom('x-event-type', 'x-acme-event', 'x-zorb-topic', 'ce-type');
const anyPlace = fc
	.record({
		place: fc.nat(3),
		key: anyKey,
		eventKey: fc.constantFrom('name', 'type', 'action'),
		envelope: anyEnvelope,
		header: anyHeader,
		general: anyGeneralType,
	})
	.map(({ place, key, eventKey, envelope, header, general }): Place => {
		return (type, data) =>
			[
				{ headers: {}, body: { id: 'evt_1', [key]: type, data } },
				{ headers: {}, body: { id: 'evt_1', [envelope]: { [key]: type, data } } },
				{ headers: {}, body: { type: general, event: { [eventKey]: type }, data } },
				{ headers: { [header]: type }, body: { type: general, ...data } },
			][place]!;
	});
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

// Promise: A selected type is never ignored, in no spelling.
// Promise: A delivery of unknown type starts the workflow.
test('a delivery of any service is ignored only for a type of the catalog that was not selected, in every spelling', () => {
	fc.assert(
		fc.property(
			fc.tuple(anySelection, unknownType, fc.nat()),
			anyPlace,
			anyData,
			([{ catalog, events, selected, unselected }, unknown, spelling], place, data) => {
				const judgedAt = (type: string, chosen = events, sent: object = data) =>
					judged(place(type, sent), { events: chosen }, { catalog });
				const mentioning = {
					...data,
					previous_event: unselected,
					next: { name: unselected, event_type: unselected },
					history: [{ type: unselected }, { type: unselected }],
				};
				for (const type of spellingsOf(selected, spelling)) {
					const started = { events: [{ type: selected }] };
					expect(judgedAt(type)).toMatchObject(started);
					expect(judgedAt(type, events, mentioning)).toMatchObject(started);
				}
				for (const type of spellingsOf(unselected, spelling)) {
					expect([type, judgedAt(type).kind]).toEqual([type, 'ignored']);
				}
				const withoutCatalog = judged(place(unselected, data), { events }, { catalog: undefined });
				expect(withoutCatalog.kind).toBe('accepted');
				expect(judgedAt(unknown).kind).toBe('accepted');
				for (const every of [['*'], ['*', selected], []]) {
					const started = { events: [{ type: unselected }] };
					expect(judgedAt(unknown, every).kind).toBe('accepted');
					expect(judgedAt(unselected, every)).toMatchObject(started);
				}
			},
		),
		{ numRuns: runs(330) },
	);
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
