import { eachOnce, EventIndex, type EventIdentity } from '../events/identity';
import { type LoggedAttempt, newestFirst, wasStarting } from './attempts';

/** An event of the log. */
export type LoggedEvent = ReturnType<typeof readEvent>;

/** For how long a service resends an event, at most. */
export const RESENT_MS = 24 * 60 * 60_000;

/** How old an attempt without a result has to be to count as failed, beside attempts with one. */
const UNANSWERED_MS = 15 * 60_000;

/**
 * Finds the events of a log, each once. An event was missed if the newest attempt failed, or n8n answered it
 * while it was starting; no attempt of the same event arrived, and the log states no later one.
 * Attempts of `evt_1`: failed, delivered → one that arrived; failed, failed → one that was missed
 *
 * Failed attempts that have neither an id nor a payload can't be told apart. Each is an event with `isIdentified`
 * false.
 *
 * @param log of one endpoint, the newest attempt first, as far as the order is known
 * @param now milliseconds since the epoch
 */
export function findEvents(log: LoggedAttempt[], now: number): LoggedEvent[] {
	// A log may state failures only.
	const statesArrival = log.some(({ hasArrived }) => hasArrived === true);
	const known = statesArrival ? log.map((attempt) => withResult(attempt, now)) : log;
	return groupAttempts(known.toReversed()).map((attempts) => readEvent(attempts, now));
}

/** Finds the missed events in the log of an endpoint that is removed: the service will send none of them again. */
export function findAllMissed(log: LoggedAttempt[], now: number): LoggedEvent[] {
	const last = log.map(({ hasArrived, nextAttemptAt, ...attempt }) => ({
		...attempt,
		hasArrived: nextAttemptAt > now ? hasArrived === true : hasArrived,
		nextAttemptAt: 0,
	}));
	return findEvents(last, now).filter(({ isMissed }) => isMissed);
}

/** Counts an old attempt as failed whose record states no result: the service got no answer. */
function withResult(attempt: LoggedAttempt, now: number): LoggedAttempt {
	const { isSilent, nextAttemptAt, details } = attempt;
	const isOver = nextAttemptAt <= now && now - Date.parse(details.time ?? '') >= UNANSWERED_MS;
	if (!isSilent || !isOver) return attempt;
	return { ...attempt, hasArrived: false, details: { ...details, succeeded: false } };
}

/** Puts the attempts of each event together, also if only some hold its payload. */
function groupAttempts(log: LoggedAttempt[]): LoggedAttempt[][] {
	const index = new EventIndex<EventIdentity & { attempts: LoggedAttempt[] }>();
	const groups: LoggedAttempt[][] = [];
	for (const attempt of log) {
		const { identity } = attempt;
		const group = index.find(identity)?.attempts ?? [];
		if (group.length === 0) groups.push(group);
		group.push(attempt);
		index.add({ ...identity, attempts: group });
	}
	return groups;
}

/** Reads an event from its attempts, of which there is at least one. */
function readEvent(attempts: LoggedAttempt[], now: number) {
	const ordered = newestFirst(attempts);
	const newest = (ordered ?? attempts)[0]!;
	const hasArrived = attempts.some((attempt) => attempt.hasArrived === true);
	// Without an order, each attempt may be the newest.
	const hasFailed = (ordered ? [newest] : attempts).every(
		(attempt) => attempt.hasArrived === false,
	);
	const isToBeRetried = attempts.some(({ nextAttemptAt }) => nextAttemptAt > now);
	const identity = mergeIdentities(attempts);
	const payload = attempts.find(({ details }) => details.event !== null)?.details.event ?? null;
	return {
		/** Its ids are those of the event, then those of its deliveries. Its type is as the log states it. */
		identity,
		/** Whether the log tells it from other events. */
		isIdentified: identity.ids.length > 0 || identity.digest !== undefined,
		isMissed: hasFailed && !hasArrived && !isToBeRetried,
		/** Whether an attempt arrived, as far as the log shows. */
		hasArrived,
		/** Of a missed event. `starting`: n8n answered with success before it could take in events. */
		reason: wasStarting(newest.details) ? ('starting' as const) : ('failed' as const),
		attempts: Math.max(attempts.length, newest.details.attempt ?? 0),
		/** ISO 8601 in UTC. */
		lastAttemptAt: ordered ? newest.details.time : null,
		/** How often n8n has lost its execution. */
		losses: 0,
		/** The newest attempt, with the event if any attempt holds it. */
		details: { ...newest.details, event: payload },
	};
}

/** @returns the identity of an event: all of its ids, and the payload's digest, which one attempt may have alone */
function mergeIdentities(attempts: LoggedAttempt[]): EventIdentity {
	const all = attempts.map(({ identity }) => identity);
	const withPayload = all.find(({ digest }) => digest !== undefined);
	return {
		...withPayload,
		type: all.map(({ type }) => type).find(Boolean) ?? null,
		ids: [...new Set(all.flatMap(({ ids }) => ids))],
		hasEventId: all.some(({ hasEventId }) => hasEventId),
	};
}

/** @returns events of several readings, each once, the oldest first */
export function mergeEvents(events: LoggedEvent[]): LoggedEvent[] {
	const different = eachOnce(events, ({ identity }) => identity);
	return different.sort((one, other) => timeOf(one) - timeOf(other));
}

/** @returns the time of an event's last attempt (ms since the epoch); 0 for an unknown one */
export function timeOf({ lastAttemptAt }: Pick<LoggedEvent, 'lastAttemptAt'>): number {
	return Date.parse(lastAttemptAt ?? '') || 0;
}
