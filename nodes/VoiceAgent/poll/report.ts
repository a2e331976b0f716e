import type { IPollFunctions } from 'n8n-workflow';

import { operationError } from '../service/errors';
import { clockOf } from '../callDetails/clock';
import type { LoggedEvent } from '../log/missed';
import type { Poll } from './polls';

/** How long the same kind of problem is not reported again. */
const QUIET_MS = 24 * 60 * 60_000;

/** A problem that is reported once a day: see `report`. */
export type Problem = 'day' | 'drift' | 'indistinct' | 'starting' | 'shortLog' | 'webhook';

/** Reports a problem by one failed execution, with which n8n's error workflow is started. */
export function fail(context: IPollFunctions, message: string): void {
	context.__emitError(operationError(context.getNode(), message));
}

/**
 * Reports a problem that lasts, once a day.
 *
 * @returns false if the problem was reported less than a day before
 */
export function report({ context, polls }: Poll, problem: Problem, message: string): boolean {
	const now = Date.now();
	if (now - (polls.reportedAt.get(problem) ?? -Infinity) < QUIET_MS) return false;
	polls.reportedAt.set(problem, now);
	fail(context, message);
	return true;
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
