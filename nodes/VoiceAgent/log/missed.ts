import { hasArrived, hasNewestArrived, newestFirst, wasStarting } from './arrival';
import type { DeliveryDetails, LoggedAttempt } from './deliveryDetails';
import { digestOf, idIn, isDistinct, keysOf, readBodyIds } from '../events/identity';
import { isToBeRetried, readFields, readSurest } from './logFields';
import { readResult } from './outcome';

/** An event of the log. */
export type LoggedEvent = ReturnType<typeof readEvent>[number];

/** An attempt with what tells its event from others. */
type NamedAttempt = ReturnType<typeof identify>;

/** The attempts of one event, with their names. */
interface Group {
	names: Set<string>;
	attempts: NamedAttempt[];
}

/** Finds the events of a log that were missed, see {@link findEvents}. */
export function findMissed(log: LoggedAttempt[], now: number): LoggedEvent[] {
	return findEvents(log, now, true);
}

/**
 * Finds the events of a log, each once. An event was missed if the newest attempt failed, or n8n answered it
 * while it was starting; no attempt of the same event arrived, and the log states no later one.
 * Attempts of `evt_1`: failed, delivered → one that arrived; failed, failed → one that was missed
 *
 * Failed attempts that have neither an id nor a payload can't be told apart from others of their type. Each
 * is an event with `isDistinct` false, whether others of its type arrived or not.
 *
 * @param log of one endpoint, in the order in which the attempts happened, as far as it is known
 * @param now milliseconds since the epoch
 * @param onlyMissed leaves out all others, before their payloads are digested
 */
export function findEvents(log: LoggedAttempt[], now: number, onlyMissed = false): LoggedEvent[] {
	const groups = groupAttempts(log.map((logged) => identify(logged, now)));
	return groups.flatMap(({ attempts }) => {
		const isDistinct = attempts.length === 1 || attempts.some(({ names }) => names.length > 0);
		const events = isDistinct ? splitByType(attempts) : attempts.map((attempt) => [attempt]);
		return events.flatMap((event) => readEvent(event, isDistinct, onlyMissed));
	});
}

/** Reads an event from its attempts, of which there is at least one. */
function readEvent(group: NamedAttempt[], isDistinct: boolean, onlyMissed: boolean) {
	const attempts = group.map(({ details }) => details);
	const ordered = newestFirst(attempts);
	const newest = (ordered ?? attempts)[0]!;
	const isSettled = group.some((attempt) => attempt.hasArrived || attempt.isToBeRetried);
	const isMissed = !isSettled && hasNewestArrived(attempts) === false;
	if (onlyMissed && !isMissed) return [];
	const payload = attempts.find(({ event }) => event !== null)?.event ?? null;
	return [
		{
			isDistinct,
			isMissed,
			/** Whether an attempt arrived, as far as the log shows. */
			hasArrived: group.some((attempt) => attempt.hasArrived),
			/** As the log states it. */
			type: attempts.map(({ eventType }) => eventType).find(Boolean) ?? null,
			...readIdentity(group, newest),
			/** Of a missed event. `starting`: n8n answered with success before it could take in events. */
			reason: wasStarting(newest) ? ('starting' as const) : ('failed' as const),
			attempts: Math.max(attempts.length, newest.attempt ?? 0),
			/** ISO 8601 in UTC. */
			lastAttemptAt: ordered ? newest.time : null,
			/** The newest attempt, with the event if any attempt holds it. */
			details: { ...newest, event: payload },
		},
	];
}

/** Reads what an event is known by again, from its attempts. */
function readIdentity(group: NamedAttempt[], newest: DeliveryDetails) {
	const eventIds = new Set(group.flatMap((attempt) => attempt.eventIds));
	const ids = [...new Set([...eventIds, ...group.flatMap(({ deliveryIds }) => deliveryIds)])];
	const payloads = group.flatMap(({ details: { event } }) => (event === null ? [] : [event]));
	const keys = payloads.flatMap((payload) => keysOf(ids, payload, eventIds.size > 0));
	const recordId = ids[0] ?? newest.id;
	const record = `record ${recordId ?? newest.time ?? newest.eventType}`;
	return {
		/** The id of the event, else of its delivery. */
		eventId: ids[0] ?? null,
		/** Those of `eventKeys.ts`: of the event, if the log holds it, and of its record. */
		keys: [...new Set([...keys, ...(recordId || keys.length === 0 ? [record] : [])])],
	};
}

/** @returns the time of an event's last attempt (ms since the epoch); 0 for an unknown one */
export function timeOf({ lastAttemptAt }: Pick<LoggedEvent, 'lastAttemptAt'>): number {
	return Date.parse(lastAttemptAt ?? '') || 0;
}

/** @returns true if the newest attempt is at least so old; false without its time */
export function isOld({ lastAttemptAt }: LoggedEvent, minAgeMs: number, now: number): boolean {
	return lastAttemptAt !== null && now - Date.parse(lastAttemptAt) >= minAgeMs;
}

/**
 * Names the event of an attempt: by the event's id; else by a payload that is of one event only, and by the
 * delivery's id, of which either is enough. Without them, all events of a type are in one group.
 * `{ id: 'atm_2', event_id: 'evt_1' }` → `event evt_1`
 *
 * @returns the attempt with its names and ids, and whether it arrived, or the log states a later one
 */
function identify({ record, details }: LoggedAttempt, now: number) {
	const { own, all, attempts } = readFields(record);
	const eventId = readSurest(own, 'eventId', ({ value }) => idIn(value));
	const deliveryId = readSurest(own, 'deliveryId', ({ value }) => idIn(value));
	const eventIds = [eventId, ...readBodyIds(details.event).sure].filter((one) => one !== null);
	const deliveryIds = deliveryId === null ? [] : [deliveryId];
	// Each attempt that a record lists is read as its only one.
	const each = [details, ...attempts.map((fields) => ({ ...details, ...readResult(fields) }))];
	const result = { hasArrived: each.some(hasArrived), isToBeRetried: isToBeRetried(all, now) };
	// The id of a record that lists its attempts is the delivery's.
	const listId = attempts.length > 0 ? details.id : null;
	const names =
		eventIds.length > 0 ? [`event ${eventIds[0]}`] : namesWithoutId(details, deliveryId ?? listId);
	return { details, names, eventIds, deliveryIds, ...result };
}

/** The names of an event without an id. A payload such as `{ type: 'call.ended' }` may be of several events. */
function namesWithoutId({ event }: DeliveryDetails, deliveryId: string | null): string[] {
	const digest = event === null ? undefined : digestOf(event);
	const isName = digest !== undefined && (deliveryId === null || isDistinct(event));
	return [
		...(isName ? [`payload ${digest}`] : []),
		...(deliveryId === null ? [] : [`delivery ${deliveryId}`]),
	];
}

/** Puts the attempts together that share a name; those without one by their types. */
function groupAttempts(attempts: NamedAttempt[]): Group[] {
	const groups = new Map<string, Group>();
	for (const attempt of attempts) {
		const { names, details } = attempt;
		let group: Group = { names: new Set(), attempts: [attempt] };
		for (const name of names.length > 0 ? names : [`type ${details.eventType}`]) {
			group = join(groups, groups.get(name) ?? group, group);
			groups.set(name, group);
			group.names.add(name);
		}
	}
	return [...new Set(groups.values())];
}

/** Adds the smaller of two groups to the other one. @returns the joined group */
function join(groups: Map<string, Group>, one: Group, other: Group): Group {
	if (one === other) return one;
	const [large, small] = one.attempts.length < other.attempts.length ? [other, one] : [one, other];
	for (const attempt of small.attempts) large.attempts.push(attempt);
	for (const name of small.names) {
		large.names.add(name);
		groups.set(name, large);
	}
	return large;
}

/** Splits attempts of different types that share an id, such as that of their call. */
function splitByType(attempts: NamedAttempt[]): NamedAttempt[][] {
	const types = new Set(attempts.flatMap(({ details }) => details.eventType ?? []));
	if (types.size < 2) return [attempts];
	return [...types].map((type) =>
		attempts.filter(({ details }) => (details.eventType ?? type) === type),
	);
}
