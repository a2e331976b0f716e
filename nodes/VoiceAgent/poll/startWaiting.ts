import { ExecutionCancelledError, sleep } from 'n8n-workflow';

import { clockOf } from '../callDetails/clock';
import { timeOf, type LoggedEvent } from '../log/missed';
import { presentEndpoint, type CaughtUp } from '../state/endpointState';
import { rememberCaughtUp, storeWithNext, type StartedEvent } from '../state/triggerMemory';
import { missedJudge, type MissedItems } from './items';
import type { Poll } from './polls';
import { report, spanOf } from './report';

/** The most executions that one poll starts. The next poll starts the others. */
const MOST_EXECUTIONS = 50;
/** The most executions in a day. A workflow that was down for long is not flooded, and a person is told. */
const MOST_A_DAY = 500;
const DAY_MS = 24 * 60 * 60_000;
/** How many events that are done an execution stores again: parallel executions may have overwritten them. */
const STORED_AGAIN = 50;
/** How long the next execution waits for the one before. So events are processed in their order. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Starts an execution for each waiting event, one after the other, until the end of the poll, a publish, or an event
 * that n8n refuses, which waits for a later poll.
 */
export async function startWaiting(poll: Poll): Promise<void> {
	const { context, memory, polls, deadline } = poll;
	if (polls.waiting.length === 0) return;
	const { makeItems } = await missedJudge(context, memory);
	const { state } = memory;
	const isPublished = () => memory.state === state && presentEndpoint(state) !== undefined;
	let started = 0;
	while (started < MOST_EXECUTIONS && Date.now() < deadline.endsAt && isPublished()) {
		if (isDayOver(poll)) return;
		const event = polls.waiting.shift();
		if (!event) return;
		const made = makeItems(event);
		if (!made) continue;
		polls.day.started++;
		if (!(await startOne(poll, event, made))) return;
		started++;
	}
}

/** Starts an execution, and waits for its end. @returns false if n8n refused it, so that its event waits again */
async function startOne(
	{ context, memory, polls }: Poll,
	missed: LoggedEvent,
	{ items: [first, ...others], identity }: MissedItems,
): Promise<boolean> {
	const event: CaughtUp = { time: timeOf(missed), ...identity };
	// The trigger's `execute` stores it: see `recordCaughtUp`.
	const done = memory.done.slice(-STORED_AGAIN);
	const marked = { ...first!, caughtUp: JSON.stringify([...done, event]) };
	const started: StartedEvent = { ...event, runsSince: Date.now() };
	rememberCaughtUp(memory, started);
	const ended = new Promise<void>((resolve) => {
		const end = () => {
			started.runsSince = undefined;
			resolve();
		};
		const whenDone = {
			promise: new Promise<undefined>(() => {}),
			resolve: () => {
				storeWithNext(memory, event);
				end();
			},
			// It may not have run, so it is not stored.
			reject: (error: Error) => {
				started.isRefused = isRefusal(error);
				if (started.isRefused) polls.waiting.unshift(missed);
				end();
			},
		};
		context.__emit([[marked, ...others]], undefined, whenDone);
	});
	await Promise.race([ended, sleep(LONGEST_WAIT_MS)]);
	return !started.isRefused;
}

/** Whether n8n did not start an execution. One that was cancelled, or had ended before n8n looked for it, began. */
function isRefusal(error: Error): boolean {
	const hasBegun =
		error instanceof ExecutionCancelledError || error.constructor.name === 'ExecutionNotFoundError';
	return !hasBegun;
}

/** @returns true if no further execution may be started today, which is reported once */
function isDayOver(poll: Poll): boolean {
	const { context, polls } = poll;
	const { day, waiting, beyond } = polls;
	const now = Date.now();
	if (now - day.since >= DAY_MS) Object.assign(day, { since: now, started: 0 });
	if (day.started < MOST_A_DAY || waiting.length === 0) return false;
	const goesOn = clockOf(context.getTimezone())(day.since + DAY_MS);
	const text = `${waiting.length + beyond} missed events ${spanOf(context, waiting)} wait: this trigger starts at most ${MOST_A_DAY} executions a day for missed events, and continues on ${goesOn}. To process them now, use Get Deliveries of the Voice Agent node.`;
	report(poll, 'day', text);
	return true;
}
