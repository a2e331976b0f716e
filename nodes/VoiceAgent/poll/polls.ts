import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';

import type { CallDeadline } from '../service/retry';
import type { LoggedEvent } from '../log/missed';
import type { CallContext } from '../webhook/callContext';
import { presentEndpoint } from '../state/endpointState';
import { memoryOf, type TriggerMemory } from '../state/triggerMemory';
import { POLL_TIMES } from '../trigger/pollProperties';
import type { SeenEvent } from './drift';

/** A log as it was read once. */
export interface SeenLog {
	endpointId: string;
	length: number;
	/** The time of its oldest attempt (ms since the epoch). */
	first: number;
	/** Since when it may lack attempts before its oldest one (ms since the epoch). */
	unseenSince?: number;
}

/** What this process remembers of the polls of a trigger. */
export interface Polls {
	isRunning: boolean;
	/** The quarter of an hour of the last reading. */
	quarter?: number;
	/** Whether the next poll reads the list of endpoints and the log in any case. */
	isUrgent: boolean;
	/** When the log of an endpoint was last read to its end (ms since the epoch). */
	lastRead?: { endpointId: string; at: number };
	/** The log at the last reading. */
	log?: SeenLog;
	/** The events that the log has shown since the publish, by digests of their deliveries, the oldest first. */
	seen: Map<string, SeenEvent[]>;
	/** The failed polls since the last success. */
	failures: number;
	/** Missed events that wait to be started, the oldest first. */
	waiting: LoggedEvent[];
	/** How many further missed events the log holds. */
	beyond: number;
	/** The executions of a day, and when it began (ms since the epoch). */
	day: { since: number; started: number };
	/** When the list lacked the endpoint for the first time (ms since the epoch). */
	missingSince?: number;
	/** When the endpoint was last replaced (ms since the epoch). */
	replacedAt?: number;
	/** When each kind of problem was last reported (ms since the epoch). */
	reportedAt: Map<string, number>;
}

/** A poll of a trigger. */
export interface Poll {
	context: IPollFunctions;
	memory: TriggerMemory;
	polls: Polls;
	/** Whether the list and the log are to be read. */
	isDue: boolean;
	/** The deadline of all requests and starts. */
	deadline: CallDeadline;
}

/** How far a poll reads back behind the last reading: longer than a service resends an event. */
const OVERLAP_MS = 24 * 60 * 60_000;
const QUARTER_MS = 15 * 60_000;
/** A poll ends before the next one, a minute later. */
const BUDGET_MS = 45_000;
const ATTEMPT_MS = 20_000;

/** The polls of this process. They are forgotten with the trigger. */
const pollsByMemory = new WeakMap<TriggerMemory, Polls>();

/** @returns what this process remembers of the polls of a trigger */
export function pollsOf(memory: TriggerMemory): Polls {
	const known = pollsByMemory.get(memory) ?? {
		isRunning: false,
		isUrgent: false,
		seen: new Map<string, SeenEvent[]>(),
		failures: 0,
		waiting: [],
		beyond: 0,
		day: { since: 0, started: 0 },
		reportedAt: new Map<string, number>(),
	};
	pollsByMemory.set(memory, known);
	return known;
}

/** @returns when the log of an endpoint was read to its end, else the time `since` (ms since the epoch) */
export function lastReadOf({ lastRead }: Polls, endpointId: string, since = 0): number {
	return lastRead?.endpointId === endpointId ? lastRead.at : since;
}

/** @returns since when the log is to be read: earlier readings have judged all events of before (ms since the epoch) */
export function unreadSince(polls: Polls, endpointId: string, since = 0): number {
	return Math.max(since, lastReadOf(polls, endpointId, since) - OVERLAP_MS);
}

/** @returns whether the user lets missed events start the workflow; without it, polls mend the endpoint only */
export function isCatchUpOn(context: CallContext['context']): boolean {
	return context.getNodeParameter('options.catchUp', true) !== false;
}

/**
 * Begins a poll that has something to do. n8n polls each minute; the list and the log are read once in each
 * quarter of an hour, at a time that differs between triggers. With poll times of its own, a trigger reads them
 * in each poll. The first poll of an activation reads nothing, because n8n waits for it.
 *
 * @returns undefined if there is nothing to do
 */
export function beginPoll(context: IPollFunctions): Poll | undefined {
	const memory = memoryOf(context);
	if (!memory || !presentEndpoint(memory.state)) return undefined;
	const known = pollsOf(memory);
	if (!memory.isPolled) {
		memory.isPolled = true;
		known.quarter = undefined;
		// The mapping may have changed.
		known.seen.clear();
		return undefined;
	}
	// n8n's schedule does not wait for a poll that still runs.
	if (known.isRunning) return undefined;
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const quarter = Math.floor((Date.now() - delayOf(name)) / QUARTER_MS);
	const times = context.getNodeParameter('pollTimes');
	const isOften = JSON.stringify(times) !== JSON.stringify(POLL_TIMES);
	const isDue = isOften || known.isUrgent || quarter !== known.quarter;
	if (!isDue && known.waiting.length === 0) return undefined;
	Object.assign(known, { isRunning: true, isUrgent: false, quarter });
	const budgetMs = Math.min(context.getPollBudgetMs?.() ?? BUDGET_MS, BUDGET_MS);
	const deadline = { endsAt: Date.now() + budgetMs, timeout: ATTEMPT_MS };
	return { context, memory, polls: known, isDue, deadline };
}

/** @returns the time from the beginning of a quarter until this trigger reads its log (ms) */
function delayOf(name: string): number {
	return createHash('sha256').update(name).digest().readUInt32BE() % QUARTER_MS;
}
