import { hasArrived, hasNewestArrived, newestFirst, wasStarting } from './arrival';
import type { LoggedAttempt } from './deliveryDetails';
import { digestOf, idIn, keysOf, readBodyIds } from './eventKeys';
import { isToBeRetried, readFields, readSurest } from './logFields';
import { readResult } from './outcome';

/** An event that the receiver did not take in. */
export type MissedEvent = ReturnType<typeof findMissed>[number];

type NamedAttempt = ReturnType<typeof identify>;

/**
 * Finds the events that were missed: the newest attempt failed, or n8n answered it while it was
 * starting; no attempt of the same event arrived, and the log states no later one.
 * Attempts of `evt_1`: failed, delivered → none; failed, failed → one
 *
 * @param log of one endpoint
 * @param now milliseconds since the epoch
 */
export function findMissed(log: LoggedAttempt[], now: number) {
	const attempts = log.map((logged) => identify(logged, now));
	const groups = new Map(attempts.map(({ name }): [string, NamedAttempt[]] => [name, []]));
	for (const attempt of attempts) groups.get(attempt.name)?.push(attempt);
	const unsettled = [...groups.values()].filter((group) => !group.some((one) => one.isSettled));
	return unsettled.flatMap(missedOf);
}

/** Reads the missed event from its attempts; none if the newest attempt arrived, or may have arrived. */
function missedOf(group: NamedAttempt[]) {
	const attempts = group.map(({ details }) => details);
	const ordered = newestFirst(attempts);
	const [newest] = ordered ?? attempts;
	if (!newest || hasNewestArrived(attempts) !== false) return [];
	const ids = [...new Set(group.flatMap((attempt) => attempt.ids))];
	const payloads = attempts.flatMap(({ event }) => (event === null ? [] : [event]));
	const keys = new Set(payloads.flatMap((payload) => keysOf(ids, payload)));
	return {
		/**
		 * Any of them identifies the event: those of `eventKeys.ts` in the log and in a delivery, if the log
		 * holds the event, and `record …` in the log only.
		 */
		keys: [...keys, `record ${[ids[0], newest.id, newest.time, group[0]?.name].find(Boolean)}`],
		/** The id of the event, else of its delivery. */
		eventId: ids[0] ?? null,
		/** `starting`: n8n answered with success before it could take in events. */
		reason: wasStarting(newest) ? ('starting' as const) : ('failed' as const),
		attempts: Math.max(attempts.length, newest.attempt ?? 0),
		/** ISO 8601 in UTC. */
		lastAttemptAt: ordered ? newest.time : null,
		/** The newest attempt, with the event if any attempt holds it. */
		details: { ...newest, event: payloads[0] ?? null },
	};
}

/** @returns true if the newest attempt is so old that the service makes no other one; false without its time */
export function isOld({ lastAttemptAt }: MissedEvent, minAgeMs: number, now: number): boolean {
	return lastAttemptAt !== null && now - Date.parse(lastAttemptAt) >= minAgeMs;
}

/**
 * Names the event of an attempt by the first of: the event's id, the delivery's id beside an id of the
 * attempt, a hash of the payload, the delivery's id. Without them, all events of a type have one name.
 * `{ id: 'atm_2', event_id: 'evt_1' }` → `event evt_1`
 *
 * @returns the attempt with its name, all ids of the event and of the delivery, and whether the event is settled:
 *   an attempt arrived, or the log states a later one
 */
function identify({ record, details }: LoggedAttempt, now: number) {
	const { own, all, attempts } = readFields(record);
	const { id, event, eventType } = details;
	const eventId = readSurest(own, 'eventId', ({ value }) => idIn(value));
	const deliveryId = readSurest(own, 'deliveryId', ({ value }) => idIn(value));
	const inEvent = readBodyIds(event).sure;
	const names: Array<[kind: string, name: string | null | undefined]> = [
		['event', eventId ?? inEvent[0]],
		['delivery', deliveryId],
		['payload', event && digestOf(event)],
		// The id of a record that lists its attempts is the delivery's.
		['delivery', attempts.length > 0 ? id : null],
	];
	const [kind, name] = names.find(([, one]) => one) ?? ['type', eventType];
	const ids = [eventId, ...inEvent, deliveryId].filter((one) => one !== null);
	// Each attempt that a record lists is read as its only one.
	const each = [details, ...attempts.map((fields) => ({ ...details, ...readResult(fields) }))];
	const isSettled = each.some(hasArrived) || isToBeRetried(all, now);
	return { details, name: `${kind} ${name}`, ids, isSettled };
}
