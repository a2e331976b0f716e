import type { Dialect } from '../dialects';
import type { Endpoint } from './endpoints';
import { type DomainEvent, type EventType, spelled } from './events';
import { payload } from './payloads';

/**
 * The body of an event's delivery, and its additional headers.
 *
 * @param noise fields of the event's data beside its own
 */
export function envelope(
	{ id, type: name, created_at, data: stated }: DomainEvent,
	dialect: Dialect,
	noise: object = {},
): { body: object; headers: Record<string, string> } {
	const type = name && spelled(name, dialect.eventSpelling);
	const data = { ...noise, ...payload(stated, dialect.payload) };
	const plain = { id, type, created_at, data };
	switch (dialect.eventEnvelope) {
		case 'event.type':
			return { body: { event: { id, type, created_at }, data }, headers: {} };
		case 'event.name':
			return { body: { event: { id, name: type, created_at }, data }, headers: {} };
		case 'data.type': {
			const body = { id, type: 'webhook_event', created_at, data: { type, object: data } };
			return { body, headers: {} };
		}
		case 'array':
			return { body: [plain], headers: {} };
		case 'events':
			return { body: { batch_id: `batch_${id}`, events: [plain] }, headers: {} };
		case 'name':
			return { body: { id, type: 'event', name: type, created_at, data }, headers: {} };
		case 'cloudevents':
			return {
				body: {
					specversion: '1.0',
					id,
					source: '/voice-agent',
					type: type && `com.example.${type}`,
					time: created_at,
					data,
				},
				headers: { 'content-type': 'application/cloudevents+json' },
			};
		case 'ce-type':
			return {
				body: data,
				headers: {
					'ce-specversion': '1.0',
					'ce-id': id,
					'ce-source': '/voice-agent',
					'ce-time': created_at,
					...(type && { 'ce-type': type }),
				},
			};
		case 'header':
			return { body: { id, created_at, data }, headers: type ? { 'x-event-type': type } : {} };
		case 'vendor header':
			return {
				body: { id, type: 'inbound_call', created_at, data },
				headers: type ? { 'x-acme-event': type } : {},
			};
		default:
			return { body: { id, [dialect.eventEnvelope]: type, created_at, data }, headers: {} };
	}
}

/** Fields of a delivery's data with event types and addresses that are not the event's own. */
export function eventNoise(
	{ type }: DomainEvent,
	{ id, url }: Endpoint,
	dialect: Dialect,
	catalog: readonly EventType[],
): object {
	const other = catalog.find((entry) => entry.type !== type)?.type;
	switch (dialect.eventNoise) {
		case 'none':
			return {};
		case 'states':
			return {
				call_type: 'inbound',
				channel: { type: 'phone', name: 'Line 1' },
				status: 'completed',
				reason: 'customer.hangup',
			};
		case 'other type':
			return { previous_event: other, history: [{ step: other }] };
		case 'endpoint':
			return { webhook: { id, url } };
	}
}
