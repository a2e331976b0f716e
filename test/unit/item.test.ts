import type { Delivery } from '../../nodes/VoiceAgent/delivery/decide';
import { outcomeOf } from '../support/events/judging';

const itemsOf = (sent: Partial<Delivery>) =>
	outcomeOf(sent, { deliveryDetails: true }) as Array<{ delivery: Record<string, unknown> }>;
const detailsOf = (sent: Partial<Delivery>) => itemsOf(sent)[0]!.delivery;

test.each<[Partial<Delivery>, string | null]>([
	[{ body: { id: 'evt_1' } }, 'evt_1'],
	[{ body: { event: { id: 'evt_1', type: 'call.completed' } } }, 'evt_1'],
	[{ body: { id: 'evt_1' }, headers: { 'webhook-id': 'msg_1' } }, 'msg_1'],
	[{ body: [{ id: 'evt_1' }] }, 'evt_1'],
	[{ body: {} }, null],
])('delivery details have the ID of case %#', (sent, id) => expect(detailsOf(sent).id).toBe(id));

test('delivery details hold the ID of each event of a batch', () => {
	const events = [{ type: 'call.completed', event_id: 1 }, { type: 'call.completed' }];
	expect(itemsOf({ body: { events }, headers: { 'svix-id': 'msg_1' } })).toMatchObject([
		{ delivery: { id: '1' } },
		{ delivery: { id: 'msg_1' } },
	]);
});

test.each([
	[{ 'webhook-id': 'we_1', 'x-delivery-id': 'msg_1' }, 'msg_1'],
	[{ 'webhook-id': 'we_1' }, 'we_1 of the body'],
])("delivery details have no ID of the endpoint's headers %j", (headers, id) => {
	const sent = { body: { id: 'we_1 of the body' }, headers };
	const state = { endpointIds: ['we_0', 'we_1'] };
	expect(outcomeOf(sent, { deliveryDetails: true }, state)).toMatchObject([{ delivery: { id } }]);
});

test("delivery details leave an event's own field of that name as it is", () => {
	const body = { delivery: { status: 'done' }, delivery_1: 2 };
	expect(itemsOf({ body })).toEqual([
		{ ...body, delivery_2: expect.objectContaining({ eventType: null }) as object },
	]);
});

test('delivery details hold the selected one of several event types', () => {
	const sent = { body: { type: 'inbound' }, headers: { 'x-event-type': 'call.completed' } };
	expect(detailsOf(sent).eventType).toBe('call.completed');
	expect(detailsOf({ body: {} }).eventType).toBeNull();
});
