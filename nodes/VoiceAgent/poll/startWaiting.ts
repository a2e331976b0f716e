import { ExecutionCancelledError, sleep, type IPollFunctions, type IRun } from 'n8n-workflow';

import { clockOf } from '../callDetails/clock';
import { timeOf, type LoggedEvent } from '../log/missed';
import { rememberStarted, type StartedEvent, type TriggerMemory } from '../state/triggerMemory';
import { presentEndpoint, type CaughtUp } from '../state/triggerState';
import { missedJudge, type MissedItems } from './items';
import { record } from './record';
import { fail, report, spanOf } from './report';
import type { Poll } from './schedule';

/** The most executions that one poll starts. The next poll starts the others. */
const MOST_EXECUTIONS = 50;
/** The most executions in a day. A workflow that was down for long is not flooded, and a person is told. */
const MOST_A_DAY = 500;
const DAY_MS = 24 * 60 * 60_000;
/** How long the next execution waits for the one before. So events are processed in their order. */
const LONGEST_WAIT_MS = 5_000;
/** How often an event is started whose executions n8n loses: it may be what kills the process. */
const MOST_LOSSES = 3;

/**
 * Starts an execution for each waiting event, one after the other, until the end of the poll, a publish, or an event
 * that n8n refuses, which waits for a later poll.
 */
export async function startWaiting(poll: Poll): Promise<void> {
	const { context, memory, deadline } = poll;
	if (memory.waiting.length === 0) return;
	const { makeItems } = await missedJudge(context, memory);
	const { state } = memory;
	const isPublished = () => memory.state === state && presentEndpoint(state) !== undefined;
	let started = 0;
	while (started < MOST_EXECUTIONS && Date.now() < deadline.endsAt && isPublished()) {
		if (isDayOver(poll)) return;
		const event = memory.waiting.shift();
		if (!event) return;
		const made = makeItems(event);
		if (!made) continue;
		memory.polls.day.started++;
		if (!(await startOne(context, memory, event, made))) return;
		started++;
	}
}

/** Starts an execution, and waits for its end. @returns false if n8n refused it, so that its event waits again */
async function startOne(
	context: IPollFunctions,
	memory: TriggerMemory,
	missed: LoggedEvent,
	{ items, identity }: MissedItems,
): Promise<boolean> {
	const event: CaughtUp = { ...identity, time: timeOf(missed) };
	const started: StartedEvent = { ...event, runsSince: Date.now() };
	rememberStarted(memory, started);
	const ended = new Promise<void>((resolve) => {
		const end = (result: 'ran' | 'lost' | 'refused') => {
			started.runsSince = undefined;
			started.isLost = result === 'refused' || (result === 'lost' && mayRunAgain(memory, missed));
			if (started.isLost) memory.waiting.unshift(missed);
			else memory.unrecorded.push(event);
			if (result === 'lost' && !started.isLost) fail(context, textOfLoss(context, missed));
			// A restart must not start the event again. The poll may be over by now.
			void record(context, memory).then(resolve);
		};
		const whenDone = {
			promise: new Promise<undefined>(() => {}),
			resolve: async (run: IRun | undefined | PromiseLike<IRun | undefined>) =>
				end(wasLost(await run) ? 'lost' : 'ran'),
			reject: (error: Error) => end(hasBegun(error) ? 'ran' : 'refused'),
		};
		context.__emit([items], undefined, whenDone);
	});
	await Promise.race([ended, sleep(LONGEST_WAIT_MS)]);
	return !started.isLost;
}

/** Whether n8n lost an execution before its first node had ended, as when a worker was killed. */
function wasLost(run?: IRun): boolean {
	const hasFailed = run?.status === 'error' || run?.status === 'crashed';
	return hasFailed && run.data.resultData.lastNodeExecuted === undefined;
}

/** Whether an execution began: it was cancelled, or had ended before n8n looked for it. Else n8n refused it. */
function hasBegun(error: Error): boolean {
	return (
		error instanceof ExecutionCancelledError || error.constructor.name === 'ExecutionNotFoundError'
	);
}

const textOfLoss = (context: IPollFunctions, missed: LoggedEvent) =>
	`n8n has lost ${MOST_LOSSES} executions of a missed event, ${spanOf(context, [missed])}. Find out in n8n's log what ended them, and process the event by hand.`;

function mayRunAgain({ losses }: TriggerMemory, missed: LoggedEvent): boolean {
	const count = (losses.get(missed) ?? 0) + 1;
	losses.set(missed, count);
	return count < MOST_LOSSES;
}

/** @returns true if no further execution may be started today, which is reported once */
function isDayOver(poll: Poll): boolean {
	const { context, memory } = poll;
	const { waiting, beyond } = memory;
	const { day } = memory.polls;
	const now = Date.now();
	if (now - day.since >= DAY_MS) Object.assign(day, { since: now, started: 0 });
	if (day.started < MOST_A_DAY || waiting.length === 0) return false;
	const goesOn = clockOf(context.getTimezone())(day.since + DAY_MS);
	const text = `${waiting.length + beyond} missed events ${spanOf(context, waiting)} wait: this trigger starts at most ${MOST_A_DAY} executions a day for missed events, and continues on ${goesOn}. To process them now, use Get Deliveries of the Voice Agent node.`;
	report(poll, 'day', text);
	return true;
}
