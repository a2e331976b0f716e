import {
	type INodeExecutionData,
	type IPollFunctions,
	ExecutionCancelledError,
	sleep,
	type IRun,
} from 'n8n-workflow';

import { timeOf, type LoggedEvent } from '../log/missed';
import { rememberSettled, type SettlingEvent } from '../state/triggerMemory';
import { type SettledEvent, presentEndpoint } from '../state/triggerState';
import { clockOf } from '../text/times';
import { missedDecider, type Startable } from './decideMissed';
import { type Poll, addFailedExecution, report, spanOf } from './schedule';
import { sendResults } from './sendResults';

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
 * Starts an execution for each waiting event, in turn, until a limit, the end of the poll, a publish, or an event
 * that n8n refuses, which waits for a later poll.
 */
export async function startWaiting(poll: Poll): Promise<void> {
	const { memory, deadline } = poll;
	const decide = missedDecider(poll);
	const { state } = memory;
	const isPublished = () => memory.state === state && presentEndpoint(state) !== undefined;
	let started = 0;
	while (memory.waiting.length > 0 && started < MOST_EXECUTIONS && isPublished()) {
		if (Date.now() >= deadline.endsAt || !checkDailyLimit(poll)) return;
		const event = memory.waiting.shift()!;
		const decision = decide(event);
		if (!decision || decision === 'lost') continue;
		memory.polls.day.started++;
		if (!(await startOne(poll, event, decision))) return;
		started++;
	}
}

/** Starts the execution of an event, and waits for its end. @returns false if the event waits for another one */
async function startOne(
	{ context, memory }: Poll,
	missed: LoggedEvent,
	{ items, identity }: Startable,
): Promise<boolean> {
	const settled: SettledEvent = { ...identity, time: timeOf(missed) };
	const settling: SettlingEvent = { ...settled, runsSince: Date.now() };
	rememberSettled(memory, settling);
	const ended = execute(context, items).then(async (result) => {
		settling.runsSince = undefined;
		if (result === 'refused') memory.polls.day.started--;
		settling.isLost = result === 'refused' || (result === 'lost' && ++missed.losses < MOST_LOSSES);
		if (settling.isLost) memory.waiting.unshift(missed);
		else memory.unstored.push(settled);
		if (result === 'lost' && !settling.isLost) {
			addFailedExecution(context, textOfLoss(context, missed));
		}
		// A restart must not start the event again. The poll may be over by now. After a failure, the next one tries again.
		if (!memory.storeFailure) await sendResults(context, memory);
	});
	await Promise.race([ended, sleep(LONGEST_WAIT_MS)]);
	return !settling.isLost;
}

/** Starts an execution. @returns how it ends: it has run, n8n has lost it, or n8n refuses it */
async function execute(
	context: IPollFunctions,
	items: INodeExecutionData[],
): Promise<'ran' | 'lost' | 'refused'> {
	return await new Promise((resolve) => {
		context.__emit([items], undefined, {
			promise: new Promise<undefined>(() => {}),
			resolve: async (run: IRun | undefined | PromiseLike<IRun | undefined>) =>
				resolve(wasLost(await run) ? 'lost' : 'ran'),
			reject: (error: Error) => resolve(hasBegun(error) ? 'ran' : 'refused'),
		});
	});
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

/** @returns false if no further execution may be started today, which is reported once */
function checkDailyLimit(poll: Poll): boolean {
	const { context, memory } = poll;
	const { waiting, leftInLog } = memory;
	const { day } = memory.polls;
	const now = Date.now();
	if (now - day.since >= DAY_MS) Object.assign(day, { since: now, started: 0 });
	if (day.started < MOST_A_DAY) return true;
	const goesOn = clockOf(context.getTimezone())(day.since + DAY_MS);
	const text = `${waiting.length + leftInLog} missed events ${spanOf(context, waiting)} wait: this trigger starts at most ${MOST_A_DAY} executions a day for missed events, and continues on ${goesOn}. To process them now, use Get Deliveries of the Voice Agent node.`;
	report(poll, 'day', text);
	return false;
}
