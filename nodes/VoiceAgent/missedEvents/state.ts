import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { holdsOlderState } from '../endpoint/state';

/** The state between two polls. n8n may restore an older version, after which an event may start twice. */
export interface PollState {
	/** Events whose last attempt was before are not reported (ms since the epoch). */
	since: number;
	/** The keys of reported events, the newest last. */
	reported: string[];
}

/** A key has about 40 characters, so the stored state stays below 250 kB. */
const MOST_KEYS = 5_000;

/** An event may have been too young for the last poll before a changed workflow was published. */
const REPUBLISH_OVERLAP_MS = 3_600_000;

/** Activation modes of a publish. The others are restarts of n8n. */
const PUBLISHES = ['activate', 'update'];

/** The states of active nodes. n8n polls a node with one context until it is published again. */
const states = new WeakMap<IPollFunctions, PollState>();

/** @returns whether this is the poll at activation, which n8n makes to test the node */
export function isFirstPoll(context: IPollFunctions): boolean {
	return !states.has(context);
}

/**
 * Opens the state of a node. A publish sets the time from which on events are reported; a restart
 * keeps it. A further publish reaches back to the time before it, for an hour at most.
 *
 * @param lookBackMs how far before the publish events are reported
 */
export function openState(context: IPollFunctions, lookBackMs: number): PollState {
	const open = states.get(context);
	if (open) return open;
	const stored = context.getWorkflowStaticData('node') as Partial<PollState>;
	const now = Date.now();
	let since = stored.since ?? now - lookBackMs;
	if (PUBLISHES.includes(context.getActivationMode())) {
		since = Math.min(now - lookBackMs, Math.max(since, now - REPUBLISH_OVERLAP_MS));
	}
	const state = { since, reported: [...(stored.reported ?? [])] };
	states.set(context, state);
	store(context, state);
	return state;
}

/** Stores that an event is about to be reported. n8n saves static data with each execution. */
export function addReported(context: IPollFunctions, state: PollState, key: string): void {
	state.reported = [...state.reported, key].slice(-MOST_KEYS);
	store(context, state);
}

/**
 * Hands the state to n8n, unless n8n would save an older state of the Voice Agent Trigger with it. Then
 * it stays in memory until the node is published again or n8n restarts.
 */
function store(context: IPollFunctions, state: PollState): void {
	if (holdsOlderState(context)) return;
	Object.assign(context.getWorkflowStaticData('node'), state as unknown as IDataObject);
}
