import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';

import type { LoggedEvent } from '../log/missed';
import { operationError } from '../service/errors';
import { memoryOf } from '../state/triggerMemory';
import { presentEndpoint } from '../state/triggerState';
import { clockOf } from '../text/times';
import { POLL_TIMES } from '../trigger/description';

/** A poll of a trigger. */
export type Poll = NonNullable<ReturnType<typeof beginPoll>>;

const QUARTER_MS = 15 * 60_000;
/** A poll ends before the next one, a minute later. */
const BUDGET_MS = 45_000;
const ATTEMPT_MS = 20_000;

/**
 * Which failed poll in a row is reported in an execution, and keeps no repair waiting for a log that can't be read. The
 * others are warnings in n8n's log.
 */
export const REPORTED_FAILURE = 4;

/**
 * Begins a poll that has something to do. n8n polls each minute; the list and the log are read once in each
 * quarter of an hour, at a time that differs between triggers, and in the first minute after an activation. With poll
 * times of its own, a trigger reads them in each poll. The first poll of an activation reads nothing, because n8n waits
 * for it.
 *
 * @returns undefined if there is nothing to do
 */
export function beginPoll(context: IPollFunctions) {
	const memory = memoryOf(context);
	const { polls, waiting, unstored } = memory;
	if (!presentEndpoint(memory.state)) return undefined;
	if (!polls.isPolled) {
		Object.assign(polls, { isPolled: true, quarter: undefined });
		return undefined;
	}
	// n8n's schedule does not wait for a poll that still runs.
	if (polls.isRunning) return undefined;
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const quarter = Math.floor((Date.now() - delayOf(name)) / QUARTER_MS);
	const times = context.getNodeParameter('pollTimes');
	const isOften = JSON.stringify(times) !== JSON.stringify(POLL_TIMES);
	const isDue = isOften || polls.isUrgent || quarter !== polls.quarter;
	if (!isDue && waiting.length === 0 && unstored.length === 0) return undefined;
	Object.assign(polls, { isRunning: true, isUrgent: false, quarter });
	const budgetMs = Math.min(context.getPollBudgetMs?.() ?? BUDGET_MS, BUDGET_MS);
	const deadline = { endsAt: Date.now() + budgetMs, timeout: ATTEMPT_MS };
	return {
		context,
		memory,
		/** Whether the list and the log are to be read. */
		isDue,
		/** The deadline of all requests and starts. */
		deadline,
	};
}

/** @returns the time from the beginning of a quarter until this trigger reads its log (ms) */
function delayOf(name: string): number {
	return createHash('sha256').update(name).digest().readUInt32BE() % QUARTER_MS;
}

/** How long the same kind of problem is not reported again. */
const QUIET_MS = 24 * 60 * 60_000;

/** Reports a problem by one failed execution, with which n8n's error workflow is started. */
export function addFailedExecution(context: IPollFunctions, message: string): void {
	context.__emitError(operationError(context.getNode(), message));
}

/**
 * Tests whether a problem that lasts is to be reported, and remembers the report.
 *
 * @param problem the name of its kind, such as `reading`
 * @returns false if the problem was reported less than a day before
 */
export function claimReport({ memory }: Pick<Poll, 'memory'>, problem: string): boolean {
	const { reportedAt } = memory.polls;
	const now = Date.now();
	if (now - (reportedAt.get(problem) ?? -Infinity) < QUIET_MS) return false;
	reportedAt.set(problem, now);
	return true;
}

/** Reports a problem that lasts, once a day. @returns whether it did */
export function report(poll: Poll, problem: string, message: string): boolean {
	const isReported = claimReport(poll, problem);
	if (isReported) addFailedExecution(poll.context, message);
	return isReported;
}

/** @returns `from 31 Jan 2026, 10:01 to 31 Jan 2026, 10:05 (Europe/Berlin)`, the first and the last time of events */
export function spanOf(context: IPollFunctions, events: LoggedEvent[]): string {
	const times = events.flatMap(({ lastAttemptAt }) => lastAttemptAt ?? []).sort();
	if (times.length === 0) return 'at unknown times';
	const clock = clockOf(context.getTimezone());
	const [first, last] = [times[0]!, times.at(-1)!];
	return clock(first) === clock(last) ? `on ${clock(first)}` : `from ${clock(first, last)}`;
}
