import type { IPollFunctions } from 'n8n-workflow';

import { holdsOlderState } from '../endpoint/state';
import type { PollSettings } from './settings';

/** The state between two polls. n8n may restore an older version, after which an event may start twice. */
export interface PollState {
	/** Events whose last attempt was before are not reported (ms since the epoch). */
	since: number;
	/** The keys of reported events. */
	reported: string[];
}

/** A key has about 45 characters, so the stored state stays below 250 kB after each poll. */
const MOST_KEYS = 5_000;

/** After a longer time without publication, events of that time are not reported (ms). */
const UNPUBLISHED_MS = 3_600_000;

/** The states of active nodes. n8n polls a node with one context until it is published again. */
const states = new WeakMap<IPollFunctions, PollState>();

/** The times of the first polls of active nodes (ms since the epoch). */
const firstPolls = new WeakMap<IPollFunctions, number>();

/** @returns the time since the poll at activation (ms); undefined for that poll */
export function msSinceFirstPoll(context: IPollFunctions): number | undefined {
	const first = firstPolls.get(context);
	if (first !== undefined) return Date.now() - first;
	firstPolls.set(context, Date.now());
	return undefined;
}

/**
 * Opens the state of a node. The first publish sets the time from which on events are reported. A restart
 * and the publish of a change keep it. A publish after an unpublish moves it, since the workflow may have
 * been unpublished for long.
 */
export function openState(context: IPollFunctions, settings: PollSettings): PollState {
	const open = states.get(context);
	if (open) return open;
	const stored = context.getWorkflowStaticData('node') as Partial<PollState>;
	const now = Date.now();
	const mode = context.getActivationMode();
	let since = stored.since ?? now - settings.lookBackMs;
	if (mode === 'activate') since = Math.max(since, now - UNPUBLISHED_MS - settings.minAgeMs);
	if (mode === 'activate' || mode === 'update') since = Math.min(since, now - settings.lookBackMs);
	const state = { since, reported: [...(stored.reported ?? [])] };
	states.set(context, state);
	saveState(context, state);
	return state;
}

/**
 * Forgets the oldest reported events above the limit. The time from which on events are reported moves
 * behind them, so that none of them is reported again.
 *
 * @param times the times of the events by their keys (ms since the epoch); the log may lack some
 */
export function forgetOldest(state: PollState, times: ReadonlyMap<string, number>): void {
	const timeOf = (key: string) => times.get(key) ?? 0;
	state.reported.sort((one, other) => timeOf(one) - timeOf(other));
	const forgotten = state.reported.splice(0, state.reported.length - MOST_KEYS);
	state.since = Math.max(state.since, ...forgotten.map((key) => timeOf(key) + 1));
}

/**
 * Hands the state to n8n, unless n8n would save an older state of the Voice Agent Trigger with it. Then
 * it stays in memory until the node is published again or n8n restarts.
 */
export function saveState(context: IPollFunctions, { since, reported }: PollState): void {
	if (holdsOlderState(context)) return;
	Object.assign(context.getWorkflowStaticData('node'), { since, reported: [...reported] });
}
