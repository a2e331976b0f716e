/** The types of call details, which don't depend on the service. A value that is not certain is null. */
import type { IDataObject } from 'n8n-workflow';

export type Direction = 'inbound' | 'outbound';

/**
 * `found`: there is a phone number or an e-mail address; `withheld`: the number of the customer is
 * hidden; `web`: the event states that it was no phone call; `unknown`: none of these.
 */
type PersonState = 'found' | 'withheld' | 'web' | 'unknown';

/** The fields of call details. */
interface Details {
	person: PersonState;
	/** The id of the call itself. */
	id: string | null;
	direction: Direction | null;
	/** Phone numbers are E.164 if the event or the country code allows it, else digits as written. */
	customer: { phone: string | null; name: string | null; email: string | null };
	agent: { id: string | null; name: string | null; phone: string | null };
	/** ISO 8601 in UTC. */
	startedAt: string | null;
	endedAt: string | null;
	/** The duration of the whole call. */
	durationSeconds: number | null;
	/** The disposition, else the reason of the end, else the status. */
	outcome: string | null;
	summary: string | null;
	/** The spoken turns as text, one line each. */
	transcript: string | null;
	recordingUrl: string | null;
}

export type CallDetails = Details & IDataObject;

/** The details that a mapping can name: `customer.phone`. */
export type DetailKey =
	| Exclude<keyof Details, 'person' | 'customer' | 'agent'>
	| `customer.${keyof Details['customer']}`
	| `agent.${keyof Details['agent']}`;

/** The values of the details by their dotted keys. */
export type DetailValues = Record<DetailKey, string | number | null>;
