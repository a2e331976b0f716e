import type { IPollFunctions } from 'n8n-workflow';

import { clockOf } from '../callDetails/clock';
import type { LoggedEvent } from '../log/missed';
import { operationError } from '../service/errors';
import type { Poll } from './schedule';

/** How long the same kind of problem is not reported again. */
const QUIET_MS = 24 * 60 * 60_000;

/** A problem that is reported once a day: see `report`. */
export type Problem = 'day' | 'indistinct' | 'record' | 'shortLog' | 'webhook';

/** Reports a problem by one failed execution, with which n8n's error workflow is started. */
export function fail(context: IPollFunctions, message: string): void {
	context.__emitError(operationError(context.getNode(), message));
}

/**
 * Counts a problem that lasts.
 *
 * @returns false if the problem was reported less than a day before
 */
export function isNews({ memory }: Pick<Poll, 'memory'>, problem: Problem): boolean {
	const { reportedAt } = memory.polls;
	const now = Date.now();
	if (now - (reportedAt.get(problem) ?? -Infinity) < QUIET_MS) return false;
	reportedAt.set(problem, now);
	return true;
}

/** Reports a problem that lasts, once a day. @returns whether it did */
export function report(poll: Poll, problem: Problem, message: string): boolean {
	const isReported = isNews(poll, problem);
	if (isReported) fail(poll.context, message);
	return isReported;
}

/** @returns `from 31 Jan 2026, 10:01 to 31 Jan 2026, 10:05 (Europe/Berlin)`, the first and the last time of events */
export function spanOf(
	context: Pick<IPollFunctions, 'getTimezone'>,
	events: ReadonlyArray<Pick<LoggedEvent, 'lastAttemptAt'>>,
): string {
	const times = events.flatMap(({ lastAttemptAt }) => lastAttemptAt ?? []).sort();
	if (times.length === 0) return 'at unknown times';
	const clock = clockOf(context.getTimezone());
	const [first, last] = [times[0]!, times.at(-1)!];
	return clock(first) === clock(last) ? `on ${clock(first)}` : `from ${clock(first, last)}`;
}
