import { EventIndex } from '../events/identity';
import { findEvents, timeOf, type LoggedEvent } from '../log/missed';
import {
	assertNewestRead,
	beginReading,
	continueReading,
	timesOf,
	type Log,
	type LogReading,
} from '../log/requestLog';
import { addWaiting, findSettled, unreadPart, type TriggerMemory } from '../state/triggerMemory';
import type { StoredEndpoint } from '../state/triggerState';
import { missedDecider, settle } from './decideMissed';
import { type Poll, addFailedExecution, claimReport, report, spanOf } from './schedule';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Reads the log of an endpoint, queues the missed events, and reports what can't be caught up, also of removed ones. A
 * reading that the time cuts off goes on in the next poll.
 *
 * @throws NodeApiError or NodeOperationError if the log can't be read, after what could be read was used
 */
export async function readMissed(poll: Poll, endpoint: StoredEndpoint): Promise<void> {
	const { context, memory, deadline } = poll;
	const { state } = memory;
	const { since = 0 } = state;
	const begun = memory.reading?.endpoint.id === endpoint.id ? memory.reading : undefined;
	const reading = begun ?? beginReading(context, endpoint, unreadPart(memory, endpoint.id));
	memory.reading = undefined;
	const log = await continueReading(reading, deadline, true);
	// A publish may have replaced the endpoint meanwhile.
	if (memory.state !== state) return;
	const { isCutOff } = log;
	if (isCutOff) continueLater(memory, reading);
	if (isCutOff && !log.beginsWithNewest) return;
	assertNewestRead(context, log);
	const events = findEvents(log.value, Date.now());
	const minAgeMs = Number(context.getNodeParameter('minAgeMinutes')) * 60_000;
	// An event without a time is never due.
	const [first, last] = [Math.max(since, 1), Date.now() - minAgeMs];
	const isDue = (event: LoggedEvent) => timeOf(event) >= first && timeOf(event) <= last;
	const missed = events.filter((event) => event.isMissed && isDue(event));
	// Its removal has failed, if it was tried.
	memory.undecided.delete(endpoint.id);
	const ofRemoved = [...memory.undecided.values()].flat();
	memory.undecided.clear();
	queueMissed(poll, [...missed, ...ofRemoved]);
	dropArrived(memory, events);
	if (isCutOff) return;
	if (log.error) throw log.error;
	noteRead(poll, endpoint.id, log, events);
}

/** Drops waiting events that have arrived: a second endpoint at the same URL may have missed them. */
function dropArrived(memory: TriggerMemory, events: LoggedEvent[]): void {
	const arrived = new EventIndex();
	for (const { identity } of events.filter(({ hasArrived }) => hasArrived)) arrived.add(identity);
	memory.waiting = memory.waiting.filter(({ identity }) => !arrived.find(identity));
}

/**
 * Notes how far a log was read, by the times of its records. Pages may have moved while they were read, so an
 * incomplete log is read once more.
 */
function noteRead(poll: Poll, endpointId: string, log: Log, events: LoggedEvent[]): void {
	const { memory } = poll;
	const { value, complete } = log;
	memory.isReadAgain = !complete && !memory.isReadAgain;
	if (memory.isReadAgain) return;
	warnOfShortLog(poll, endpointId, log, events);
	const newestAt = timesOf(value).reduce((latest, time) => Math.max(latest, time), -Infinity);
	// What is left in the log may be older than the next reading goes back.
	if (memory.leftInLog > 0 || newestAt === -Infinity) return;
	const areStated = value.some(({ hasArrived }) => hasArrived !== null);
	const unsettled = new EventIndex();
	for (const { hasArrived, identity } of events) {
		if (areStated && !hasArrived && !findSettled(memory, identity)) unsettled.add(identity);
	}
	// A log in the order of events has the last attempt of an older event among earlier times.
	const last = value.findLastIndex(({ identity }) => unsettled.find(identity));
	const times = timesOf(value.slice(0, last + 1));
	const unsettledAt = times.reduce((oldest, time) => Math.min(oldest, time), Infinity);
	memory.lastRead = { endpointId, newestAt, unsettledAt };
}

/** Queues missed events, and reports those that no log holds. */
function queueMissed(poll: Poll, missed: LoggedEvent[]): void {
	const { memory } = poll;
	const decide = missedDecider(poll);
	const wanted: LoggedEvent[] = [];
	const lost: LoggedEvent[] = [];
	for (const event of missed) {
		const decision = decide(event);
		if (decision === 'lost') lost.push(event);
		else if (decision) wanted.push(event);
	}
	// Meanwhile n8n may have refused an event that was started before.
	memory.leftInLog = addWaiting(memory, wanted);
	reportLost(poll, lost);
}

/** Keeps a reading for the next poll, and of arrived attempts only what tells their events from others. */
function continueLater(memory: TriggerMemory, reading: LogReading): void {
	memory.reading = reading;
	for (const attempt of reading.attempts) {
		attempt.record = {};
		if (attempt.hasArrived) attempt.details = { ...attempt.details, event: null, response: null };
	}
}

/**
 * Warns, once a day, of a log that may lack attempts: it begins after the last reading, after a start with a missed
 * event, or could be read in part.
 */
function warnOfShortLog(poll: Poll, endpointId: string, log: Log, events: LoggedEvent[]): void {
	const { context, memory } = poll;
	const { value, complete } = log;
	const { lastRead, waiting, state } = memory;
	const oldest = timesOf(value).reduce((first, time) => Math.min(first, time), Infinity);
	const isSameLog = lastRead?.endpointId === endpointId;
	const isLate = isSameLog && oldest > lastRead.newestAt && oldest < Infinity;
	const [first] = lastRead ? [] : waiting;
	// Soon after the publish, it may be the first event ever.
	const isOfOutage = first && first === events[0] && timeOf(first) > (state.since ?? 0) + DAY_MS;
	const isShort = !complete || isLate || isOfOutage;
	if (!isShort || !claimReport(poll, 'shortLog')) return;
	context.logger.warn(
		`Voice Agent Trigger could read only ${value.length} of the newest deliveries in the service's log. Failed deliveries before them can't be caught up.`,
	);
}

/** Reports events that the log does not hold, each once, and failures that can't be told apart, once a day. */
function reportLost(poll: Poll, events: LoggedEvent[]): void {
	const { context } = poll;
	const lost = events.filter(({ isIdentified }) => isIdentified);
	const indistinct = events.filter(({ isIdentified }) => !isIdentified);
	if (lost.length > 0) {
		addFailedExecution(
			context,
			`Events that did not reach n8n, and that the service's log does not hold: ${lost.length}, ${spanOf(context, lost)}. Look for the calls of that time in the service, and process them by hand.`,
		);
	}
	const text = `Failed deliveries, of which the service's log does not show whether their events arrived later: ${indistinct.length}, ${spanOf(context, indistinct)}. Compare the calls of that time in the service with the executions of this workflow.`;
	const areReported = indistinct.length > 0 && report(poll, 'indistinct', text);
	for (const event of areReported ? events : lost) settle(poll, event);
}
