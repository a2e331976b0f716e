import type { IDataObject } from 'n8n-workflow';

export type Direction = 'inbound' | 'outbound';

/**
 * `found`: a phone number or an e-mail is there; `withheld`: the customer's number is hidden; `web`:
 * the event says that it was no phone call; `unknown`: none of these.
 */
export type PersonState = 'found' | 'withheld' | 'web' | 'unknown';

/** The fields of call details. */
interface Details {
	person: PersonState;
	/** The call's own id. */
	id: string | null;
	direction: Direction | null;
	/** The person, never our own side. Numbers are E.164 where the event says so, else digits as written. */
	customer: { phone: string | null; name: string | null; email: string | null };
	/** Our side. */
	agent: { id: string | null; name: string | null; phone: string | null };
	/** ISO 8601 in UTC. */
	startedAt: string | null;
	endedAt: string | null;
	/** Of the whole call. */
	durationSeconds: number | null;
	/** The disposition, else the reason of the end, else the status. */
	outcome: string | null;
	summary: string | null;
	/** The spoken turns as text, a line each. */
	transcript: string | null;
	recordingUrl: string | null;
}

/** What an event says of its call, in fields that don't depend on the service; null where it is not certain. */
export type CallDetails = Details & IDataObject;

/** The details that a mapping can name: `customer.phone`. */
export type DetailKey =
	| Exclude<keyof Details, 'person' | 'customer' | 'agent'>
	| `customer.${keyof Details['customer']}`
	| `agent.${keyof Details['agent']}`;

/** The values of the details by their dotted keys. */
export type DetailValues = Record<DetailKey, string | number | null>;
