import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects';

/** An entry of the catalog. */
export interface EventType {
	type: string;
	description: string;
}

/** Something that happened in the workspace. */
export interface DomainEvent {
	id: string;
	/** Undefined for a sample that does not tell its type. */
	type?: string;
	/** ISO 8601. */
	created_at: string;
	data: object;
}

/** What a person who simulates a call can say about it. */
export interface CallDetails {
	customer?: { name?: string; email?: string; phone?: string };
	outcome?: string;
	summary?: string;
	duration_seconds?: number;
}

/** The event types; only `call.completed` is the contract's own (section 6), the others are assumed. */
export const defaultCatalog: readonly EventType[] = [
	{ type: 'call.started', description: 'A call has begun' },
	{ type: 'call.completed', description: 'A call has ended as it should' },
	{ type: 'call.failed', description: 'A call could not be connected, or broke off' },
	{ type: 'call.transferred', description: 'A call was handed over to a person' },
	{ type: 'call.transcribed', description: "A call's transcript is ready" },
	{ type: 'chat.started', description: 'A chat has begun' },
	{ type: 'chat.completed', description: 'A chat has ended' },
	{ type: 'agent.updated', description: "An agent's settings were changed" },
	{ type: 'knowledge.updated', description: 'A knowledge source was read again' },
	{ type: 'tool.failed', description: 'A tool that an agent called has failed' },
];

/** A new event of this type; without data, a plausible sample's. */
export function createEvent(
	type: string | undefined,
	data: object = sampleData(type),
): DomainEvent {
	return { id: `evt_${randomUUID()}`, type, created_at: new Date().toISOString(), data };
}

/**
 * Plausible data for an event type, with what a CRM needs; people and numbers are made up
 * (`example.com`, and numbers kept for fiction).
 *
 * @param details override the sample's for calls and chats, and mean nothing elsewhere
 */
export function sampleData(type: string | undefined, details: CallDetails = {}): object {
	const [resource, happening] = (type ?? 'call.completed').split('.');
	const agent = { id: 'agent_front_desk', name: 'Front desk' };
	const duration = details.duration_seconds ?? 184;
	const now = Date.now();
	const customer = {
		name: 'Ada Lovelace',
		email: 'ada@example.com',
		phone: '+14155550123',
		...details.customer,
	};
	const conversation = {
		agent,
		customer,
		started_at: new Date(now - duration * 1000).toISOString(),
	};
	const ended = {
		ended_at: new Date(now).toISOString(),
		duration_seconds: duration,
		outcome: details.outcome ?? (happening === 'failed' ? 'no_answer' : 'appointment_booked'),
		summary: details.summary ?? 'The customer asked for a demo and booked one for Tuesday at 10.',
	};
	const call = {
		call_id: `call_${randomUUID()}`,
		direction: 'inbound',
		from: customer.phone,
		to: '+14155550100',
		...conversation,
	};
	const transcript = [
		{ role: 'agent', text: 'Front desk, how can I help you?' },
		{ role: 'customer', text: "I'd like to see a demo next week." },
	];
	switch (resource) {
		case 'call': {
			if (happening === 'started') return call;
			const recording_url = `https://media.example.com/recordings/${call.call_id}.mp3`;
			if (happening === 'transcribed') return { ...call, ...ended, recording_url, transcript };
			return happening === 'failed' ? { ...call, ...ended } : { ...call, ...ended, recording_url };
		}
		case 'chat': {
			const chat = { chat_id: `chat_${randomUUID()}`, channel: 'website', ...conversation };
			return happening === 'started' ? chat : { ...chat, ...ended, transcript };
		}
		case 'agent':
			return { agent, changed: ['instructions'], changed_by: 'grace@example.com' };
		case 'knowledge':
			return { source_id: 'source_faq', name: 'Frequently asked questions', documents: 42 };
		case 'tool':
			return { tool: { id: 'tool_calendar', name: 'Calendar' }, agent, error: 'No answer in time' };
		default:
			return { message: 'This is a sample event.' };
	}
}

/** The body, and the header if any, that tell an event in a dialect. */
export function envelope(
	{ id, type, created_at, data }: DomainEvent,
	form: Dialect['eventEnvelope'],
): { body: object; headers: Record<string, string> } {
	switch (form) {
		case 'event.type':
			return { body: { event: { id, type, created_at }, data }, headers: {} };
		case 'array':
			return { body: [{ id, type, created_at, data }], headers: {} };
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
		case 'header':
			return {
				body: { id, created_at, data },
				headers: type === undefined ? {} : { 'x-event-type': type },
			};
		default:
			return { body: { id, [form]: type, created_at, data }, headers: {} };
	}
}
