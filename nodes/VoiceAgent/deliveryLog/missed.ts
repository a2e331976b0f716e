import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isId, isObject } from '../matcher/json';
import { hasArrived, newestFirst, wasStarting } from './arrival';
import { readListedAttempts, type DeliveryDetails } from './deliveryDetails';
import { readFields, readSurest, type LogField } from './fields';

/** A record of the delivery log, as the service sent it and as it was read. */
export interface LoggedAttempt {
	record: IDataObject;
	details: DeliveryDetails;
}

/** An event that the receiver did not take in. */
export interface MissedEvent {
	/**
	 * Any of them identifies the event at a later reading of the log: a key for all of its attempts, and the
	 * newest attempt's own, because a service may drop payloads from its log.
	 */
	keys: string[];
	/** `starting`: n8n answered with success before it could take in events. */
	reason: 'failed' | 'starting';
	attempts: number;
	/** ISO 8601 in UTC. */
	lastAttemptAt: string | null;
	/** The newest attempt, with the event if any attempt holds it. */
	details: DeliveryDetails;
}

/**
 * Finds the events that were missed: the newest attempt failed, or n8n answered it while it was
 * starting, and no attempt of the same event at the same endpoint arrived.
 * Attempts of `evt_1`: failed, delivered → none; failed, failed → one
 */
export function findMissed(log: LoggedAttempt[]): MissedEvent[] {
	const events = new Map<string, DeliveryDetails[]>();
	const arrived = new Set<string>();
	for (const { record, details } of log) {
		const key = eventKeyOf(record, details);
		events.set(key, [...(events.get(key) ?? []), details]);
		if ([details, ...readListedAttempts(record, details)].some(hasArrived)) arrived.add(key);
	}
	return [...events].flatMap(([key, attempts]) => {
		const ordered = newestFirst(attempts);
		const [newest] = ordered ?? attempts;
		// Without an order, each attempt may be the newest.
		const latest = ordered ? ordered.slice(0, 1) : attempts;
		const isMissed = latest.every((one) => hasArrived(one) === false) && !arrived.has(key);
		if (!newest || !isMissed) return [];
		const event = attempts.find((one) => one.event !== null)?.event ?? null;
		return {
			keys: [key, ...(newest.id === null ? [] : [`${newest.endpointId} record ${newest.id}`])],
			reason: wasStarting(newest) ? 'starting' : 'failed',
			attempts: Math.max(attempts.length, newest.attempt ?? 0),
			lastAttemptAt: ordered ? newest.time : null,
			details: { ...newest, event },
		};
	});
}

/** @returns true if the newest attempt is so old that the service makes no other one; false without its time */
export function isOld({ lastAttemptAt }: MissedEvent, minAgeMs: number, now: number): boolean {
	return lastAttemptAt !== null && now - Date.parse(lastAttemptAt) >= minAgeMs;
}

/**
 * Names the event of an attempt at its endpoint, by the first of: the event's id, the delivery's id beside
 * an id of the attempt, the id in the event, the delivery's id, a hash of the event, the record's own id, a
 * hash of the record. The id in the event may be its call's, so the event type stands beside it.
 * `{ id: 'atm_2', event_id: 'evt_1' }` → `we_1 evt_1`
 */
function eventKeyOf(record: IDataObject, details: DeliveryDetails): string {
	const { own } = readFields(record);
	const { id, endpointId, event, eventType } = details;
	const isInEvent = ({ holders }: LogField) => event !== null && holders.includes(event);
	const inEvent = isObject(event) ? (idIn(event.event_id) ?? idIn(event.id)) : null;
	const deliveryId = readSurest(own, 'deliveryId', ({ value }) => idIn(value));
	const name =
		readSurest(own, 'eventId', (field) => (isInEvent(field) ? null : idIn(field.value))) ??
		(deliveryId === id ? null : deliveryId) ??
		(inEvent && `${inEvent} ${eventType}`) ??
		deliveryId ??
		(event && digestOf(event)) ??
		id ??
		digestOf(record);
	return `${endpointId} ${name}`;
}

function idIn(value: unknown): string | null {
	// JSON rounds larger numbers, so that two ids may become one.
	const isExact = typeof value === 'string' || Number.isSafeInteger(value);
	return isExact && isId(value) ? String(value) : null;
}

function digestOf(value: IDataObject | IDataObject[]): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
