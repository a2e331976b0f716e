/*
 * What this process knows of the published triggers. A poll reads nothing else: n8n gives it the static data
 * of its activation, or none. A restart loses it, and no event with it.
 */
import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { EventIndex, type EventIdentity } from '../events/identity';
import { mergeEvents, RESENT_MS, type LoggedEvent } from '../log/missed';
import type { LogReading } from '../log/requestLog';
import {
	forgetSettled,
	MOST_SETTLED,
	presentEndpoint,
	type SettledEvent,
	type ReplacedEndpoint,
	type TriggerState,
} from './triggerState';

/** A settled event, or one whose execution, which settles it, this process has started for a poll. */
export interface SettlingEvent extends SettledEvent {
	/** When its execution was started, until it has ended (ms since the epoch). */
	runsSince?: number;
	/** Whether its execution was refused or lost, so that it starts once more. */
	isLost?: boolean;
}

/** An event whose delivery this process has accepted. */
export interface AcceptedEvent extends EventIdentity {
	/** When n8n answered it, before that when it arrived (ms since the epoch). */
	at: number;
	/** Whether n8n answered with success; undefined while the workflow runs. */
	succeeded?: boolean;
}

/** How far a log was read (ms since the epoch). */
interface LastRead {
	endpointId: string;
	/** The time of its newest record. */
	newestAt: number;
	/** The time of the oldest record whose event was not settled. */
	unsettledAt: number;
}

/** When the trigger was polled, and what its polls may do next. */
class PollState {
	/** Whether it was polled since its last activation. */
	isPolled = false;
	isRunning = false;
	/** The quarter of an hour of the last reading. */
	quarter?: number;
	/** Whether the next poll reads the list and the log in any case. */
	isUrgent = false;
	/** The failed polls since the last success. */
	failures = 0;
	/** The executions of a day, and when it began (ms since the epoch). */
	day = { since: 0, started: 0 };
	/** When the endpoint was last published again, or this was tried (ms since the epoch). */
	repairedAt?: number;
	/** When each kind of problem was last reported (ms since the epoch). */
	readonly reportedAt = new Map<string, number>();
}

/** What this process knows of a published trigger. */
export class TriggerMemory {
	/** The node's production URL, without a token; empty before an activation. */
	webhookUrl = '';
	/** The state as this process read or wrote it last. */
	state: TriggerState = {};
	/** The last accepted deliveries. */
	readonly accepted = new EventIndex<AcceptedEvent>(MOST_ACCEPTED);
	/** The settled events, as far as this process knows. */
	readonly settled = new EventIndex<SettlingEvent>(MOST_SETTLED);
	/** Settled events that n8n does not store yet. */
	unstored: SettledEvent[] = [];
	/** The endpoint that a poll has created, and those that n8n may store in its place. */
	unstoredReplacement?: ReplacedEndpoint;
	/** The requests to store them so far. */
	storing: Promise<void> = Promise.resolve();
	/** Why the last such request failed; undefined once one succeeds. */
	storeFailure?: string;
	/** Missed events that wait to be started, the oldest first. */
	waiting: LoggedEvent[] = [];
	/** How many further missed events the log holds. */
	leftInLog = 0;
	/** By endpoint, the missed events on which the next reading decides again: without content, or unanswered by n8n. */
	undecided = new Map<string, LoggedEvent[]>();
	/** The last reading of the present endpoint's log, by the times of its records. */
	lastRead?: LastRead;
	/** Whether the last reading was incomplete, and the next one begins where it began. */
	isReadAgain = false;
	/** A reading that the time has cut off. */
	reading?: LogReading;
	/** Since when it has no endpoint (ms since the epoch). */
	removedAt?: number;
	readonly polls = new PollState();
}

/** An execution that takes longer may be lost. */
const LONGEST_ANSWER_MS = 60 * 60_000;
/** A log may show a record later than one that is newer. */
const LATE_MS = 5 * 60_000;
/** How many missed events wait at most. */
export const MOST_WAITING = 500;
/** How many accepted events are remembered at least; up to twice as many are. */
const MOST_ACCEPTED = 2_500;
/**
 * How long a trigger without an endpoint is remembered: after a publish within this time, the events that the
 * removed endpoint missed are caught up.
 */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

type TriggerContext = IHookFunctions | IWebhookFunctions | IPollFunctions;

/** The memories by workflow and node. A test listener has none of its own, and never touches the trigger's. */
const memories = new Map<string, TriggerMemory>();

/** @returns what this process knows of the node's published trigger */
export function memoryOf(context: TriggerContext): TriggerMemory {
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(name) ?? new TriggerMemory();
	memories.set(name, memory);
	return memory;
}

/** @returns why this process could not store at a webhook URL what its polls have done; undefined if it could */
export function storeFailureAt(url = ''): string | undefined {
	const isHere = ({ webhookUrl }: TriggerMemory) => webhookUrl === url.split('?')[0];
	return [...memories.values()].find(isHere)?.storeFailure;
}

/** Notes the state that a lifecycle call of the published trigger has read or written, and begins its polls anew. */
export function noteState(context: TriggerContext, webhookUrl: string, state: TriggerState): void {
	const now = Date.now();
	// Further attempts of the removal, or a publish that failed, do not begin it anew.
	const removedAt = presentEndpoint(state) ? undefined : (memoryOf(context).removedAt ?? now);
	for (const [name, { removedAt = now }] of memories) {
		if (now - removedAt > FORGOTTEN_AFTER_MS) memories.delete(name);
	}
	const memory = memoryOf(context);
	for (const event of state.settled ?? []) {
		if (!memory.settled.find(event)) memory.settled.add(event);
	}
	Object.assign(memory, { webhookUrl, state: { ...state }, reading: undefined, removedAt });
	memory.unstoredReplacement = undefined;
	memory.isReadAgain = false;
	memory.polls.isPolled = false;
}

/** Adds missed events to those that wait, each once, the oldest first. @returns how many there are too many */
export function addWaiting(memory: TriggerMemory, events: LoggedEvent[]): number {
	const all = mergeEvents([...memory.waiting, ...events]);
	memory.waiting = all.slice(0, MOST_WAITING);
	return all.length - memory.waiting.length;
}

/** @returns which part of a log is to be read: earlier readings have read all older events that are settled */
export function unreadPart({ lastRead, state }: TriggerMemory, endpointId: string) {
	const { since = 0, publishedAt = since } = state;
	if (lastRead?.endpointId !== endpointId) return { since, publishedAt };
	const { newestAt, unsettledAt } = lastRead;
	const back = Math.max(Math.min(newestAt - LATE_MS, unsettledAt), newestAt - RESENT_MS);
	return { since: Math.max(since, back), publishedAt };
}

/** Whether n8n has taken an event in, whatever the log says: a service may have given up before n8n's answer. */
export function wasAccepted({ accepted }: TriggerMemory, identity: EventIdentity): boolean {
	return accepted.find(identity, ({ succeeded }) => succeeded === true) !== undefined;
}

/** Whether n8n has not answered an event's delivery yet: its workflow runs, or waits for a limit of n8n. */
export function isUnanswered({ accepted }: TriggerMemory, identity: EventIdentity): boolean {
	const after = Date.now() - LONGEST_ANSWER_MS;
	const isOpen = ({ at, succeeded }: AcceptedEvent) => succeeded === undefined && at > after;
	return accepted.find(identity, isOpen) !== undefined;
}

/** @returns a settled event, or one whose execution runs; undefined also if its execution was refused or lost */
export function findSettled({ settled }: TriggerMemory, identity: EventIdentity) {
	return settled.find(identity, ({ isLost }) => !isLost);
}

/** Remembers an event as settled, in this process. */
export function rememberSettled({ settled, state }: TriggerMemory, event: SettlingEvent): void {
	forgetSettled(state, settled.add(event));
}
