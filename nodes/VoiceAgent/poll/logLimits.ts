import { clockOf } from '../callDetails/clock';
import { hasArrived } from '../log/arrival';
import { timeOf } from '../log/missed';
import type { Log } from '../log/requestLog';
import { lastReadOf, type Poll, type SeenLog } from './polls';
import { report, spanOf } from './report';

/** n8n loads this file before it listens. */
const LOADED_AT = Date.now();

/**
 * Reports, once a day, if the log shows its last attempts only: it is as long as before, and begins later. It may
 * lack attempts of the time between an earlier reading and its beginning.
 *
 * @param unread since when it was read (ms since the epoch)
 */
export function reportShortLog(
	poll: Poll,
	endpointId: string,
	{ value: attempts, complete, error }: Log,
	unread: number,
): void {
	const { context, polls } = poll;
	const first = firstOf(attempts);
	if (error || first === Infinity) return;
	const before = polls.log?.endpointId === endpointId ? polls.log : undefined;
	const lastRead = lastReadOf(polls, endpointId, poll.memory.state.since);
	const { length } = attempts;
	const read = { endpointId, length, first };
	const isWhole = first < unread || hasGrown(read, before);
	const earlier = first > lastRead ? lastRead : before?.unseenSince;
	const unseenSince = isWhole ? undefined : earlier;
	polls.log = { ...read, unseenSince };
	if (unseenSince === undefined || (complete && !hasSlid(read, before))) return;
	const span = clockOf(context.getTimezone())(unseenSince, first);
	const text = `The service's log shows only its last ${length} deliveries. Failed deliveries from ${span} may be in no log, so they can't be caught up. Compare the calls of that time in the service with the executions of this workflow.`;
	report(poll, 'shortLog', text);
}

/** Whether a log has got longer at its end only, so that it lacks nothing at its beginning. */
function hasGrown({ length, first }: SeenLog, before?: SeenLog): boolean {
	return before?.first === first && before.length < length;
}

/** Whether a log is as long as before, and begins later. */
function hasSlid({ length, first }: SeenLog, before?: SeenLog): boolean {
	return before?.length === length && before.first < first;
}

/** @returns the time of the oldest attempt (ms since the epoch); Infinity without one */
function firstOf(attempts: Log['value']): number {
	const times = attempts.map(({ details }) => Date.parse(details.time ?? '') || Infinity);
	return times.reduce((least, time) => Math.min(least, time), Infinity);
}

/** Reports, once a day, deliveries that n8n may have lost while it was starting, if the log lacks its answers. */
export function reportStarting(poll: Poll, { value: attempts }: Log): void {
	const { startedAt = 0 } = poll.memory;
	// A log that shows some responses shows that of n8n while it starts, too. Other answers may be empty.
	if (attempts.some(({ details }) => details.response !== null)) return;
	const unsure = attempts
		.map(({ details }) => ({ ...details, lastAttemptAt: details.time }))
		.filter((one) => hasArrived(one) && one.response === null)
		.filter((one) => timeOf(one) >= LOADED_AT && timeOf(one) < startedAt);
	if (unsure.length === 0) return;
	report(
		poll,
		'starting',
		`Deliveries that were answered while n8n was starting: ${unsure.length}, ${spanOf(poll.context, unsure)}. n8n may have lost their events, and the service's log does not show n8n's answers. Compare the calls of that time in the service with the executions of this workflow.`,
	);
}
