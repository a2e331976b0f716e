/*
 * What n8n stores of a trigger. What this process knows of it is in triggerMemory.ts.
 *
 * n8n stores the static data of all nodes of a workflow as one blob, and the last writer wins. The copy of an
 * execution or a poll is as old as its preparation. So only the lifecycle calls (`checkExists`, `create`, `delete`) and
 * `webhook` write, where n8n has just read the blob and stores it at once.
 */
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { eachOnce, type EventIdentity } from '../events/identity';
import type { Endpoint } from '../lists/records';

/** A created endpoint, by its ID and its URL without the query. */
export type StoredEndpoint = Pick<Endpoint, 'id' | 'url'>;

/**
 * What n8n stores of a trigger. n8n may lose it, restore an older version, or copy it with the workflow. So the
 * service's list and the callback token decide.
 */
export interface TriggerState {
	/** The service, n8n and node of this state. Exported and copied workflows contain the original's. */
	owner?: string;
	/** The own endpoints that the service may still have, the present one last. */
	endpoints?: StoredEndpoint[];
	/**
	 * Set from a removal, or a failed `checkExists` or `create`, until the next `create`: `checkExists` adopts nothing and
	 * sends no request. If the removal has `listed` the endpoints, `create` sends its POST first. If it has only
	 * `begun`, the list may be unreadable, so `create` reads it first.
	 */
	removal?: 'begun' | 'listed';
	/** The selected event types, because a list may hide them. Empty means every event type. */
	events?: string[];
	/**
	 * The catalog at the time of publishing. Without it, event types that are not selected start the
	 * workflow, too, and fewer batches are recognized.
	 */
	catalog?: string[];
	/** The hashes of the present token and of its predecessor, whose deliveries may still be resent. */
	tokenHashes?: string[];
	/** The signing secret that the service returned for the endpoint, if signatures are verified. */
	signingSecret?: string;
	/**
	 * Missed events before this time are not caught up: they happened before the publish, or were forgotten (ms
	 * since the epoch, by the service's clock).
	 */
	since?: number;
	/** When the present endpoint was created, at the earliest: its log has nothing from before (ms since the epoch). */
	publishedAt?: number;
	/** The settled events, the oldest first. */
	settled?: SettledEvent[];
}

/** An event that needs no further execution: n8n has caught up on it, reported it, or accepted its delivery before. */
export interface SettledEvent extends EventIdentity {
	/** The time of its last attempt (ms since the epoch). */
	time: number;
	/** Whether n8n had accepted its delivery, so that no poll started it: a resend may be meant. */
	wasAccepted?: boolean;
}

/** An endpoint with the owner of its state, and the IDs of the former ones in its place. */
export interface ReplacedEndpoint {
	formerIds: Array<string | undefined>;
	endpoint: StoredEndpoint;
	owner: string;
}

/** What polls have done, for n8n to store. */
export interface PollResults {
	settled: SettledEvent[];
	/** The hash of the present token, which n8n may have lost. */
	tokenHash?: string;
	/** The endpoint that the poll has created in the place of a stored one. */
	replaced?: ReplacedEndpoint;
}

/** How many settled events are stored. They take up to 300 kB. */
export const MOST_SETTLED = 2_000;

/** @returns the node's static data; n8n stores changes to it */
export function stateOf(context: IHookFunctions | IWebhookFunctions): TriggerState {
	return context.getWorkflowStaticData('node');
}

/** @returns the present endpoint; undefined before `create`, and from the beginning of a removal on */
export function presentEndpoint(state: TriggerState): StoredEndpoint | undefined {
	return state.removal ? undefined : state.endpoints?.at(-1);
}

/** Adds the hash of a new token. That of the token before stays, whose deliveries may still be resent. */
export function addTokenHash(state: TriggerState, hash: string | undefined): void {
	const hashes = new Set([hash, ...(state.tokenHashes ?? [])]);
	state.tokenHashes = [...hashes].filter((one) => one !== undefined).slice(0, 2);
}

/** Adds events to those that n8n stores as settled. The oldest ones are forgotten. */
export function addSettled(state: TriggerState, events: SettledEvent[]): void {
	const all = eachOnce([...(state.settled ?? []), ...events], (event) => event);
	forgetSettled(state, all.splice(0, all.length - MOST_SETTLED));
	state.settled = all;
}

/** Lets forgotten events never start again: no event from before them is caught up. */
export function forgetSettled(state: TriggerState, forgotten: SettledEvent[]): void {
	for (const { time } of forgotten) state.since = Math.max(state.since ?? 0, time + 1);
}
