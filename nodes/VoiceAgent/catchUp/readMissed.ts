import type { IPollFunctions } from 'n8n-workflow';

import { hasArrived } from '../deliveryLog/arrival';
import { findUnreadableTime, type LoggedAttempt } from '../deliveryLog/deliveryDetails';
import { findMissed, isOld, timeOf, type MissedEvent } from '../deliveryLog/missed';
import { inOrder, requestLog } from '../deliveryLog/requestLog';
import type { StoredEndpoint } from '../endpoint/endpointState';
import type { TriggerMemory } from '../endpoint/triggerMemory';
import { itemMaker } from './items';
import type { Poll } from './polls';
import { fail, report, timesOf } from './report';
import { rememberCaughtUp, storeWithNext } from './startWaiting';

const MINUTE_MS = 60_000;
/** How far a poll reads back behind the last reading: longer than a service resends an event. */
const OVERLAP_MS = 24 * 60 * MINUTE_MS;
/** How many missed events are kept in memory. The log is read again for the others. */
export const MOST_WAITING = 500;
/** n8n loads this file before it listens. */
const LOADED_AT = Date.now();

/** A log, as `requestLog` returns it. */
type Log = Awaited<ReturnType<typeof requestLog>>;

/**
 * Reads the log of an endpoint, lets the missed events wait to be started, and reports what can't be caught up.
 *
 * @throws NodeApiError or NodeOperationError if the log can't be read, after what could be read was used
 */
export async function readMissed(poll: Poll, endpoint: StoredEndpoint): Promise<void> {
	const { context, memory, polls, deadline } = poll;
	const begin = Date.now();
	const { state } = memory;
	const since = state.since ?? 0;
	const lastRead = polls.lastRead?.endpointId === endpoint.id ? polls.lastRead.at : since;
	// Of before, earlier readings have judged all events.
	const unread = Math.max(since, lastRead - OVERLAP_MS);
	const log = await requestLog(context, endpoint, () => deadline, unread);
	// A publish may have replaced the endpoint meanwhile.
	if (memory.state !== state) return;
	warnOfTimes(context, log.attempts);
	const minAgeMs = Number(context.getNodeParameter('minAgeMinutes')) * MINUTE_MS;
	const due = findMissed(inOrder(log.attempts), begin)
		.filter((event) => isOld(event, minAgeMs, Date.now()) && timeOf(event) >= unread)
		.sort((one, other) => timeOf(one) - timeOf(other));
	const { startable, lost } = await judgeMissed(context, memory, due);
	polls.waiting = startable.slice(0, MOST_WAITING);
	polls.beyond = startable.length - polls.waiting.length;
	reportLost(poll, lost);
	reportShortLog(poll, endpoint.id, log, lastRead);
	reportStarting(poll, log);
	if (log.failure) throw log.failure;
	polls.lastRead = { endpointId: endpoint.id, at: begin };
}

/** Divides missed events: those that start the workflow, and those that would if the log held them. */
async function judgeMissed(context: IPollFunctions, memory: TriggerMemory, events: MissedEvent[]) {
	const makeItems = await itemMaker(context, memory);
	const judged = events.map((event) => ({ event, made: makeItems(event) }));
	return {
		startable: judged.flatMap(({ event, made }) => (typeof made === 'string' ? [] : event)),
		lost: judged.flatMap(({ event, made }) => (made === 'withoutEvent' ? event : [])),
	};
}

function warnOfTimes(context: IPollFunctions, attempts: LoggedAttempt[]): void {
	const withoutTime = attempts.filter(({ details }) => details.time === null);
	const unreadable = withoutTime.map(({ record }) => findUnreadableTime(record)).find(Boolean);
	if (!unreadable) return;
	context.logger.warn(
		`Voice Agent Trigger can't read times in the delivery log, such as ${unreadable}, so it may overlook missed events.`,
	);
}

/** Reports events that the log does not hold, each once, and failures that can't be told apart, once a day. */
function reportLost({ context, memory, polls }: Poll, events: MissedEvent[]): void {
	const lost = events.filter(({ isDistinct }) => isDistinct);
	const indistinct = events.filter(({ isDistinct }) => !isDistinct);
	if (lost.length > 0) {
		fail(
			context,
			`Events that did not reach n8n, and that the service's log does not hold: ${lost.length} (${timesOf(lost)}). Look for the calls of that time in the service, and process them by hand.`,
		);
	}
	const text = `Deliveries that failed, and of which the service's log does not show whether their events arrived later: ${indistinct.length} (${timesOf(indistinct)}). Compare the calls of that time in the service with the executions of this workflow.`;
	const areReported =
		indistinct.length > 0 && report(context, polls.reportedAt, 'indistinct', text);
	for (const event of areReported ? events : lost) {
		const done = { time: timeOf(event), type: event.type, keys: event.keys };
		rememberCaughtUp(memory, done);
		storeWithNext(polls, done);
	}
}

/**
 * Reports, once a day, if the log shows its last attempts only: it is as long as before, and begins later. It may
 * lack attempts of the time between an earlier reading and its beginning.
 */
function reportShortLog(
	{ context, polls }: Poll,
	endpointId: string,
	{ attempts, complete, failure }: Log,
	lastRead: number,
): void {
	const times = attempts.map(({ details }) => Date.parse(details.time ?? '')).filter(Boolean);
	const first = times.reduce((least, time) => Math.min(least, time), Infinity);
	if (failure || first === Infinity) return;
	const before = polls.log?.endpointId === endpointId ? polls.log : undefined;
	const unseenSince = first > lastRead ? lastRead : before?.unseenSince;
	const isSliding = before?.length === attempts.length && before.first < first;
	polls.log = { endpointId, length: attempts.length, first, unseenSince };
	if (unseenSince === undefined || (complete && !isSliding)) return;
	const [from, to] = [unseenSince, Math.max(first, before?.first ?? first)].map((time) =>
		new Date(time).toISOString(),
	);
	const text = `The service's log shows only its last ${attempts.length} deliveries. Failed deliveries between ${from} and ${to} may be in no log, so they can't be caught up. Compare the calls of that time in the service with the executions of this workflow.`;
	report(context, polls.reportedAt, 'shortLog', text);
}

/** Reports, once a day, deliveries that n8n may have lost while it was starting, if the log lacks its answers. */
function reportStarting(
	{ context, memory: { activatedAt }, polls: { reportedAt } }: Poll,
	{ attempts }: Log,
): void {
	const unsure = attempts
		.map(({ details }) => ({ ...details, lastAttemptAt: details.time }))
		.filter((one) => hasArrived(one) && one.response === null)
		.filter((one) => timeOf(one) >= LOADED_AT && timeOf(one) < activatedAt);
	if (unsure.length === 0) return;
	report(
		context,
		reportedAt,
		'starting',
		`Deliveries that were answered while n8n was starting: ${unsure.length} (${timesOf(unsure)}). n8n may have lost their events, and the service's log does not show n8n's answers. Compare the calls of that time in the service with the executions of this workflow.`,
	);
}
