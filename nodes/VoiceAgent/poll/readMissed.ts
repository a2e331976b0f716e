import type { IPollFunctions } from 'n8n-workflow';

import { findUnreadableTime, type LoggedAttempt } from '../log/deliveryDetails';
import { findMissed, isOld, timeOf, type LoggedEvent } from '../log/missed';
import { assertDecisive, inOrder, requestLog } from '../log/requestLog';
import type { StoredEndpoint } from '../state/endpointState';
import { noteDone } from '../state/triggerMemory';
import { missedJudge } from './items';
import { reportShortLog, reportStarting } from './logLimits';
import { unreadSince, type Poll } from './polls';
import { fail, report, spanOf } from './report';
import { watchDrift } from './watchDrift';

/** How many missed events are kept in memory. The log is read again for the others. */
export const MOST_MISSED = 500;

/**
 * Reads the log of an endpoint, lets the missed events wait to be started, and reports what can't be caught up.
 *
 * @throws NodeApiError or NodeOperationError if the log can't be read, after what could be read was used
 */
export async function readMissed(poll: Poll, endpoint: StoredEndpoint): Promise<void> {
	const { context, memory, polls, deadline } = poll;
	const begin = Date.now();
	const { state } = memory;
	const unread = unreadSince(polls, endpoint.id, state.since);
	const log = await requestLog(context, endpoint, deadline, unread);
	// A publish may have replaced the endpoint meanwhile.
	if (memory.state !== state) return;
	warnOfTimes(context, log.value);
	assertDecisive(context, log);
	const minAgeMs = Number(context.getNodeParameter('minAgeMinutes')) * 60_000;
	const due = findMissed(inOrder(log.value), begin)
		.filter((event) => isOld(event, minAgeMs, Date.now()) && timeOf(event) >= unread)
		.sort((one, other) => timeOf(one) - timeOf(other));
	const { makeItems, isLost } = await missedJudge(context, memory);
	const startable = due.filter((event) => makeItems(event) !== undefined);
	polls.waiting = startable.slice(0, MOST_MISSED);
	polls.beyond = startable.length - polls.waiting.length;
	reportLost(poll, due.filter(isLost));
	reportShortLog(poll, endpoint.id, log, unread);
	reportStarting(poll, log);
	watchDrift(poll, log.value);
	if (log.error) throw log.error;
	// The events beyond may be older than the overlap.
	if (polls.beyond === 0) polls.lastRead = { endpointId: endpoint.id, at: begin };
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
function reportLost(poll: Poll, events: LoggedEvent[]): void {
	const { context, memory } = poll;
	const lost = events.filter(({ isDistinct }) => isDistinct);
	const indistinct = events.filter(({ isDistinct }) => !isDistinct);
	if (lost.length > 0) {
		fail(
			context,
			`Events that did not reach n8n, and that the service's log does not hold: ${lost.length}, ${spanOf(context, lost)}. Look for the calls of that time in the service, and process them by hand.`,
		);
	}
	const text = `Deliveries that failed, and of which the service's log does not show whether their events arrived later: ${indistinct.length}, ${spanOf(context, indistinct)}. Compare the calls of that time in the service with the executions of this workflow.`;
	const areReported = indistinct.length > 0 && report(poll, 'indistinct', text);
	for (const event of areReported ? events : lost) {
		noteDone(memory, { time: timeOf(event), type: event.type, keys: event.keys });
	}
}
