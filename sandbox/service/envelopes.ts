import type { Dialect } from '../dialects';
import { type DomainEvent, spelled } from './events';
import { payload } from './payloads';

/**
 * The body of an event's delivery, and its additional headers.
 * */
export function envelope(
	{ id, type: name, created_at, data: stated }: DomainEvent,
	dialect: Dialect,
): { body: object; headers: Record<string, string> } {
	const type = name && spelled(name, dialect.eventSpelling);
	const data = payload(stated, dialect.payload);
	const plain = { id, type, created_at, data };
	const bodies: Partial<Record<Dialect['eventEnvelope'], object>> = {
		'event.type': { event: { id, type, created_at }, data },
		array: [plain],
		cloudevents: {
			specversion: '1.0',
			id,
			source: '/voice-agent',
			type: type && `com.example.${type}`,
			time: created_at,
			data,
		},
		header: { id, created_at, data },
	};
	const headers: Partial<Record<Dialect['eventEnvelope'], Record<string, string>>> = {
		cloudevents: { 'content-type': 'application/cloudevents+json' },
		...(type && { header: { 'x-event-type': type } }),
	};
	const form = dialect.eventEnvelope;
	return {
		body: bodies[form] ?? { id, [form]: type, created_at, data },
		headers: headers[form] ?? {},
	};
}
