import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import { forgetCredential } from '../api/credential';
import { findUnreadableTime } from '../deliveryLog/deliveryDetails';
import { findMissed, isOld, type MissedEvent } from '../deliveryLog/missed';
import { requestLog } from '../deliveryLog/requestLog';
import { newestState, recordCaughtUp } from '../endpoint/newestState';
import { presentEndpoint, type StoredEndpoint } from '../endpoint/endpointState';
import { itemMaker, type MakeItems } from './items';
import { beginPoll, type Polls } from './polls';

/** A poll ends before the next one, a minute later. */
const BUDGET_MS = 45_000;
const ATTEMPT_MS = 20_000;
/** The most executions that one poll starts. The next poll starts the others. */
const MOST_EXECUTIONS = 50;
/** Which failed poll in a row is reported in an execution. Earlier ones are warnings in n8n's log. */
const REPORTED_FAILURE = 4;
const MINUTE_MS = 60_000;
/** How far a poll reads back behind the last reading: longer than a service resends an event. */
const OVERLAP_MS = 24 * 60 * MINUTE_MS;

/**
 * Catches up on missed events: reads the log of the trigger's endpoint, and starts an execution for each
 * event that did not arrive, the oldest first. It never throws, because a throw would fail a publish.
 *
 * @returns null, since each execution is started by itself
 */
export async function catchUp(context: IPollFunctions): Promise<null> {
	const endpoint = presentEndpoint(newestState(context));
	if (!endpoint || context.getNodeParameter('options.catchUp', true) === false) return null;
	const polls = beginPoll(context, endpoint.id);
	if (!polls) return null;
	try {
		await startMissed(context, endpoint, polls);
		polls.failures = 0;
	} catch (error) {
		polls.failures++;
		reportFailure(context, polls, error as Error);
	} finally {
		polls.isRunning = false;
	}
	return null;
}

/** @throws NodeApiError or NodeOperationError if the log can't be read, after what could be read was used */
async function startMissed(context: IPollFunctions, endpoint: StoredEndpoint, polls: Polls) {
	// n8n polls with the same context for days, and the API key may have been rotated.
	forgetCredential(context);
	const budgetMs = Math.min(context.getPollBudgetMs?.() ?? BUDGET_MS, BUDGET_MS);
	const begin = Date.now();
	const deadline = { endsAt: begin + budgetMs, timeout: ATTEMPT_MS };
	const { since = 0 } = newestState(context);
	const unread = Math.max(since, (polls.lastRead ?? 0) - OVERLAP_MS);
	const log = await requestLog(context, endpoint, () => deadline, unread);
	const withoutTime = log.attempts.filter(({ details }) => details.time === null);
	const unreadable = withoutTime.map(({ record }) => findUnreadableTime(record)).find(Boolean);
	if (unreadable) {
		context.logger.warn(
			`Voice Agent Trigger can't read times in the delivery log, such as ${unreadable}, so it may overlook missed events.`,
		);
	}
	const makeItems = await itemMaker(context);
	// A publish may have replaced the endpoint meanwhile.
	if (presentEndpoint(newestState(context))?.id !== endpoint.id) return;
	const missed = selectDue(context, findMissed(log.attempts, begin));
	const areAllStarted = startExecutions(context, missed, makeItems);
	// Else the next poll starts the others.
	if (!areAllStarted) polls.quarter = undefined;
	if (log.failure) throw log.failure;
	if (areAllStarted) polls.lastRead = begin;
}

/** Selects the events that are old enough and were not caught up, the oldest first. */
function selectDue(context: IPollFunctions, events: MissedEvent[]): MissedEvent[] {
	const { since = 0, caughtUp = [] } = newestState(context);
	const minAgeMs = Number(context.getNodeParameter('minAgeMinutes')) * MINUTE_MS;
	const known = new Set(caughtUp.flatMap(([, ...keys]) => keys));
	const now = Date.now();
	return events
		.filter((event) => isOld(event, minAgeMs, now) && timeOf(event) >= since)
		.filter(({ keys }) => !keys.some((key) => known.has(key)))
		.sort((one, other) => timeOf(one) - timeOf(other));
}

/** @returns false if more events are left than one poll starts */
function startExecutions(context: IPollFunctions, missed: MissedEvent[], makeItems: MakeItems) {
	const withoutEvent: MissedEvent[] = [];
	let started = 0;
	for (const event of missed) {
		const items = makeItems(event);
		if (items === 'ignored') continue;
		if (started === MOST_EXECUTIONS) break;
		// Before the start of the execution, which stores it. A failed execution stores nothing.
		recordCaughtUp(context, [timeOf(event), ...event.keys]);
		if (items === 'withoutEvent') {
			withoutEvent.push(event);
		} else {
			context.__emit(items);
			started++;
		}
	}
	if (withoutEvent.length > 0) reportLost(context, withoutEvent);
	return started < MOST_EXECUTIONS;
}

/** Reports events that the log does not hold. n8n's error workflow is started with the error. */
function reportLost(context: IPollFunctions, events: MissedEvent[]): void {
	const times = [events[0], events.at(-1)].map((event) => event?.lastAttemptAt).join(' to ');
	const message = `Events that did not reach n8n, and that the service's log does not hold: ${events.length} (${times}). Look for the calls of that time in the service, and process them by hand.`;
	context.__emitError(new NodeOperationError(context.getNode(), message));
}

function reportFailure(context: IPollFunctions, polls: Polls, error: Error): void {
	const message = `Voice Agent Trigger could not look for missed events: the deliveries of its webhook ${polls.endpointId} could not be read. ${error.message} If the webhook was deleted, unpublish the workflow and publish it again.`;
	if (polls.failures !== REPORTED_FAILURE) return context.logger.warn(message);
	context.__emitError(new NodeOperationError(context.getNode(), message));
}

const timeOf = ({ lastAttemptAt }: MissedEvent) => Date.parse(lastAttemptAt ?? '') || 0;
