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
	const bodies: Partial<Record<Dialect['eventEnvelope'], object>> = {
		'event.type': { event: { id, type, created_at }, data },
		'event.name': { event: { id, name: type, created_at }, data },
		'data.type': { id, type: 'webhook_event', created_at, data: { type, object: data } },
		array: [plain],
		events: { batch_id: `batch_${id}`, events: [plain] },
		name: { id, type: 'event', name: type, created_at, data },
		cloudevents: {
			specversion: '1.0',
			id,
			source: '/voice-agent',
			type: type && `com.example.${type}`,
			time: created_at,
			data,
		},
		'ce-type': data,
		header: { id, created_at, data },
		'vendor header': { id, type: 'inbound_call', created_at, data },
	};
	const typed = (header: string): Record<string, string> => (type ? { [header]: type } : {});
	const headers: Partial<Record<Dialect['eventEnvelope'], Record<string, string>>> = {
		cloudevents: { 'content-type': 'application/cloudevents+json' },
		'ce-type': {
			'ce-specversion': '1.0',
			'ce-id': id,
			'ce-source': '/voice-agent',
			'ce-time': created_at,
			...typed('ce-type'),
		},
		header: typed('x-event-type'),
		'vendor header': typed('x-acme-event'),
	};
	const form = dialect.eventEnvelope;
	return {
		body: bodies[form] ?? { id, [form]: type, created_at, data },
		headers: headers[form] ?? {},
	};
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
