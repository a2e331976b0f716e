import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects';

/** An entry of the catalog. */
export interface EventType {
	type: string;
	description: string;
}

/** An event of the workspace. */
export interface DomainEvent {
	id: string;
	/** Undefined for a sample without a type. */
	type?: string;
	/** ISO 8601. */
	created_at: string;
	data: object;
}

/** The kind of a call. All but `outbound` calls are begun by the customer. */
export const callKinds = ['inbound', 'withheld', 'outbound', 'web'] as const;

type CallKind = (typeof callKinds)[number];

/** The details that a person who simulates a call can choose. */
export interface CallDetails {
	/** `withheld` is inbound with a number that is held back; `web` is a call without numbers. */
	kind?: CallKind;
	/** The known fields; the sample's customer if it is left out. */
	customer?: { name?: string; email?: string; phone?: string };
	outcome?: string;
	summary?: string;
	duration_seconds?: number;
}

/** The `data` of a call's event, without its unknown fields. */
export interface CallData {
	call_id: string;
	direction?: string;
	/** Only for a call without a telephone. */
	channel?: string;
	from?: string;
	to?: string;
	agent?: { id: string; name: string };
	customer?: { name?: string; email?: string; phone?: string };
	/** ISO 8601, as `ended_at`. */
	started_at?: string;
	ended_at?: string;
	duration_seconds?: number;
	outcome?: string;
	summary?: string;
	recording_url?: string;
	transcript?: Array<{ role: string; text: string }>;
}

/** The event types; only `call.completed` is the contract's own, the others are assumed. */
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

const agent = { id: 'agent_front_desk', name: 'Front desk' };

/**
 * Plausible data for an event type, with the fields that a CRM needs. People and numbers are made up
 * (`example.com`, and numbers reserved for fiction).
 *
 * @param details replace the sample's in calls
 */
export function sampleData(type = 'call.completed', details: CallDetails = {}): object {
	const [resource, happening] = type.split('.');
	switch (resource) {
		case 'call':
			return sampleCall(happening, details);
		case 'agent':
			return { agent, changed: ['instructions'], changed_by: 'grace@example.com' };
		case 'tool':
			return { tool: { id: 'tool_calendar', name: 'Calendar' }, agent, error: 'No answer in time' };
		default:
			return { message: 'This is a sample event.' };
	}
}

const sampleCustomer = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+14155550123' };

function sampleCall(happening: string | undefined, details: CallDetails): CallData {
	const duration = details.duration_seconds ?? 184;
	const now = Date.now();
	const call_id = `call_${randomUUID()}`;
	const call: CallData = {
		call_id,
		...sidesOf(details.kind ?? 'inbound', details.customer ?? sampleCustomer),
		agent,
		started_at: new Date(now - duration * 1000).toISOString(),
	};
	if (happening === 'started') return call;
	Object.assign(call, {
		ended_at: new Date(now).toISOString(),
		duration_seconds: duration,
		outcome: details.outcome ?? (happening === 'failed' ? 'no_answer' : 'appointment_booked'),
		summary: details.summary ?? 'The customer asked for a demo and booked one for Tuesday at 10.',
	});
	if (happening === 'failed') return call;
	call.recording_url = `https://media.example.com/recordings/${call_id}.mp3`;
	if (happening !== 'transcribed') return call;
	const transcript = [
		{ role: 'agent', text: 'Front desk, how can I help you?' },
		{ role: 'customer', text: "I'd like to see a demo next week." },
	];
	return { ...call, transcript };
}

/** The fields for the two sides of a call, as a call of this kind shows them. */
function sidesOf(
	kind: CallKind,
	customer: NonNullable<CallDetails['customer']>,
): Partial<CallData> {
	const ourNumber = '+14155550100';
	switch (kind) {
		case 'inbound':
			return { direction: 'inbound', from: customer.phone, to: ourNumber, customer };
		case 'outbound':
			return { direction: 'outbound', from: ourNumber, to: customer.phone, customer };
		case 'withheld': {
			const phone = 'anonymous';
			return { direction: 'inbound', from: phone, to: ourNumber, customer: { phone } };
		}
		case 'web': {
			const { name, email } = customer;
			return { direction: 'inbound', channel: 'web', customer: { name, email } };
		}
	}
}

/** An event type's name as a dialect spells it. */
export function spelled(type: string, spelling: Dialect['eventSpelling']): string {
	return spelling === 'upper' ? type.toUpperCase().replaceAll('.', '_') : type;
}
