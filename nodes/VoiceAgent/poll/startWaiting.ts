import {
	type INodeExecutionData,
	type IPollFunctions,
	ExecutionCancelledError,
	sleep,
	type IRun,
} from 'n8n-workflow';

import { typeOfAll, toItems } from '../delivery/item';
import { decideLogged } from '../delivery/decide';
import { idIn, type EventIdentity } from '../events/identity';
import { typeReader } from '../events/reader';
import { timeOf, type LoggedEvent } from '../log/missed';
import { record } from './record';
import { type Poll, fail, report, spanOf } from './schedule';
import { readCredential, secretsOf } from '../service/credential';
import { hideSecrets } from '../service/secrets';
import {
	findStarted,
	rememberStarted,
	wasAccepted,
	type TriggerMemory,
	type StartedEvent,
} from '../state/triggerMemory';
import { type CaughtUp, presentEndpoint } from '../state/triggerState';
import { clockOf } from '../text/times';
import { readOutputs } from '../trigger/description';
import { readSettings } from '../trigger/settings';

/** What starts for a missed event. */
interface MissedItems {
	items: INodeExecutionData[];
	identity: EventIdentity;
}

/**
 * Decides on missed events, as if each were delivered now: the same events start the
 * workflow, with the same items. An event that was caught up or accepted by now starts nothing.
 */
export async function missedFilter(context: IPollFunctions, memory: TriggerMemory) {
	const settings = readSettings(context);
	const { catalog = [], signingSecret = '' } = memory.state;
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [...secretsOf(await readCredential(context)), signingSecret];
	/** @returns true for an event that needs no execution */
	const isSettled = (event: LoggedEvent, identity: EventIdentity) => {
		if (findStarted(memory, identity)) return true;
		if (!wasAccepted(memory, identity)) return false;
		// A restart forgets what was accepted, and the log has the event as failed.
		noteDone(memory, event, { ...identity, wasAccepted: true });
		return true;
	};
	return {
		/** @returns the items of an event; undefined if it starts nothing */
		makeItems(missed: LoggedEvent): MissedItems | undefined {
			const events = decideLogged(missed, settings, catalog);
			const identity = { ...missed.identity, type: typeOfAll(events) };
			if (events.length === 0 || isSettled(missed, identity)) return undefined;
			return { items: hideSecrets(toItems(events, outputs), secrets), identity };
		},
		/** @returns true for an event that would start the workflow if the log held it */
		isLost(missed: LoggedEvent): boolean {
			if (missed.details.event !== null) return false;
			const places = missed.type === null ? [] : [{ text: missed.type, level: 0 }];
			const { kind } = typeReader(settings.events, catalog).read(places);
			const isReported = findStarted(memory, identityOfRecord(missed)) !== undefined;
			return kind !== 'notSelected' && !isReported && !isSettled(missed, missed.identity);
		},
	};
}

/** Remembers an event that needs no execution any more, also after a restart. */
export function noteDone(
	memory: TriggerMemory,
	event: LoggedEvent,
	identity: Omit<CaughtUp, 'time'> = identityOfRecord(event),
): void {
	const done = { ...identity, time: timeOf(event) };
	rememberStarted(memory, done);
	memory.unrecorded.push(done);
}

/** @returns what identifies an event that is only reported: its delivery would not be a duplicate */
function identityOfRecord({ type, identity: { ids }, details }: LoggedEvent): EventIdentity {
	return {
		type,
		ids: [`record ${ids[0] ?? idIn(details.id) ?? details.time ?? details.eventType}`],
	};
}

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
	const { context, memory, deadline } = poll;
	if (memory.waiting.length === 0) return;
	const { makeItems } = await missedFilter(context, memory);
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
