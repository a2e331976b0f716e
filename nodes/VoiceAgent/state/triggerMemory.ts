import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { EventIndex, type EventIdentity } from '../events/identity';
import {
	MOST_CAUGHT_UP,
	presentEndpoint,
	type CaughtUp,
	type EndpointState,
} from './endpointState';

/*
 * What this process knows of the published triggers. A poll reads nothing else: n8n gives it the static data
 * of its activation, or none. A restart loses it, and no event with it.
 */

/** What this process knows of a trigger. */
export interface TriggerMemory {
	/** The node's production URL, without a token. */
	webhookUrl: string;
	/** The state as this process read or wrote it last. */
	state: EndpointState;
	/** The events that were caught up, as far as this process knows. */
	readonly caughtUp: EventIndex<StartedEvent>;
	/** The last events whose executions have ended. Executions and deliveries store those that are not stored. */
	done: CaughtUp[];
	/** The last deliveries that this process has accepted. */
	readonly accepted: EventIndex<AcceptedEvent>;
	/** When n8n's start activated it; undefined if this process took over or published (ms since the epoch). */
	startedAt?: number;
	/** Whether it was polled since its last activation. */
	isPolled: boolean;
	/** Since when it has no endpoint (ms since the epoch). */
	removedAt?: number;
}

/** An event that was caught up. */
export interface StartedEvent extends CaughtUp {
	/** When this process started its execution, until it has ended (ms since the epoch). */
	runsSince?: number;
	/** Whether n8n refused to start its execution, so that it waits for a later poll. */
	isRefused?: boolean;
}

/** An event whose delivery was accepted. */
export interface AcceptedEvent extends EventIdentity {
	/** Whether n8n has answered it with success. */
	hasSucceeded: () => boolean;
}

/** Fewer than are stored: of equally long lists, each would forget what the other one adds again. */
const MOST_DONE = MOST_CAUGHT_UP / 4;
/** How many accepted events are remembered. */
const MOST_ACCEPTED = 5_000;

/** The endpoints that the last test listener has listed. */
let listedEndpoints: { name: string; endpoints: Endpoint[] } | undefined;

type TriggerContext = IHookFunctions | IWebhookFunctions | IPollFunctions;

/**
 * How long a trigger without an endpoint is remembered: after a publish within this time, the events that the
 * removed endpoint missed are caught up.
 */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** The memories by workflow and node. */
const memories = new Map<string, TriggerMemory>();

/** @returns what this process knows of a trigger; undefined unless it has activated the trigger */
export function memoryOf(context: TriggerContext): TriggerMemory | undefined {
	return memories.get(nameOf(context));
}

/** Notes the state that an activation has read or written. Test listeners have a state of their own. */
export function noteState(context: TriggerContext, webhookUrl: string, state: EndpointState): void {
	if (context.getMode() === 'manual') return;
	const now = Date.now();
	for (const [name, one] of memories) {
		if (now - (one.removedAt ?? now) > FORGOTTEN_AFTER_MS) memories.delete(name);
	}
	const memory = memoryOf(context) ?? {
		caughtUp: new EventIndex<StartedEvent>(MOST_CAUGHT_UP),
		done: [],
		accepted: new EventIndex<AcceptedEvent>(MOST_ACCEPTED),
	};
	for (const event of state.caughtUp ?? []) {
		if (!findStarted(memory, event)) memory.caughtUp.add(event);
	}
	const removedAt = presentEndpoint(state) ? undefined : now;
	const noted = { webhookUrl, state: { ...state }, isPolled: false, removedAt };
	memories.set(nameOf(context), Object.assign(memory, noted));
}

/** Notes a list of all endpoints that a test listener has read: its test event comes next. */
export function noteListed(context: TriggerContext, endpoints: Endpoint[]): void {
	if (context.getMode() === 'manual') listedEndpoints = { name: nameOf(context), endpoints };
}

/** @returns the endpoints that the node's test listener has listed; empty after another node's */
export function listedForTest(context: TriggerContext): Endpoint[] {
	return listedEndpoints?.name === nameOf(context) ? listedEndpoints.endpoints : [];
}

/** Whether n8n has taken an event in, whatever the log says: a service may have given up before n8n's answer. */
export function wasAccepted({ accepted }: TriggerMemory, identity: EventIdentity): boolean {
	return accepted.find(identity, ({ hasSucceeded }) => hasSucceeded()) !== undefined;
}

/** @returns an event that was caught up or reported; undefined also if n8n refused to start it */
export function findStarted(
	{ caughtUp }: Pick<TriggerMemory, 'caughtUp'>,
	identity: EventIdentity,
): StartedEvent | undefined {
	return caughtUp.find(identity, ({ isRefused }) => !isRefused);
}

/** Remembers an event as caught up or reported, in this process. */
export function rememberCaughtUp({ caughtUp, state }: TriggerMemory, event: StartedEvent): void {
	const forgotten = caughtUp.add(event).map(({ time }) => time + 1);
	// A forgotten event must not start again.
	state.since = forgotten.reduce((since, time) => Math.max(since, time), state.since ?? 0);
}

/** Remembers an event that needs no execution any more, also after a restart. */
export function noteDone(memory: TriggerMemory, event: CaughtUp): void {
	rememberCaughtUp(memory, event);
	storeWithNext(memory, event);
}

/** Lets the next execution or delivery store an event that is done. */
export function storeWithNext(memory: TriggerMemory, event: CaughtUp): void {
	memory.done = [...memory.done, event].slice(-MOST_DONE);
}

function nameOf(context: TriggerContext): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}
