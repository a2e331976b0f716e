import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { EventIndex, type EventIdentity } from '../events/identity';

/** A created endpoint, by its ID and its URL without the query. */
export interface StoredEndpoint {
	id: string;
	url: string;
}

/**
 * The state that a trigger stores of its endpoint, in the node's static data. n8n may lose it, restore an
 * older version, or copy it with the workflow. So the service's list and the callback token decide.
 *
 * n8n stores the static data of all nodes of a workflow as one blob, and the last writer wins. So the state is
 * written only where the blob was just read:
 *
 * | Call                             | What                      | n8n stores the blob           |
 * | -------------------------------- | ------------------------- | ----------------------------- |
 * | `checkExists`, `create`          | all but `caughtUp`        | at the end of the activation  |
 * | `delete`                         | all but `since`, `caughtUp` | after the call              |
 * | `webhook`, of a new token        | `tokenHashes`             | with its answer               |
 * | `webhook`, if it lacks some      | `caughtUp`, `since`       | with its answer               |
 * | `execute`, of a caught-up event  | `caughtUp`, `since`       | at the end of the execution   |
 *
 * A poll has the blob of its activation, and writes nothing: see `triggerMemory.ts`.
 */
export interface EndpointState {
	/** The service, n8n and node of this state. Exported and copied workflows contain the original's. */
	owner?: string;
	/** The own endpoints that the service may still have, the present one last. */
	endpoints?: StoredEndpoint[];
	/**
	 * Set from a removal, or the end of a failed `create`, until the next `create`: `checkExists` adopts nothing and
	 * sends no request. If the removal has `listed` the endpoints, `create` sends its POST first. If it has only
	 * `begun`, the list may be unreadable, so `create` reads it first.
	 */
	removal?: 'begun' | 'listed';
	/** The selected event types, because a list may hide them. Empty means every event type. */
	events?: string[];
	/**
	 * The catalog at the time of publishing. Without it, every delivery starts the workflow, and no batch
	 * is split.
	 */
	catalog?: string[];
	/** The hashes of the present token and of its predecessor, whose deliveries may still be resent. */
	tokenHashes?: string[];
	/** The signing secret that the service returned for the endpoint, if signatures are verified. */
	signingSecret?: string;
	/**
	 * Missed events of before are not caught up: they happened before the publish, or their keys were forgotten
	 * (ms since the epoch).
	 */
	since?: number;
	/** The events that were caught up, the oldest first. */
	caughtUp?: CaughtUp[];
}

/** How many events are remembered as caught up. Their keys take up to 300 kB. */
export const MOST_CAUGHT_UP = 2_000;

/** An event that was caught up, as it is stored. */
export interface CaughtUp extends EventIdentity {
	/** The time of its last attempt (ms since the epoch). */
	time: number;
	/** Whether n8n had accepted its delivery, so that no poll started it: a resend may be meant. */
	wasAccepted?: boolean;
}

/** @returns the node's static data; n8n stores changes to it */
export function stateOf(
	context: IHookFunctions | IWebhookFunctions | IExecuteFunctions,
): EndpointState {
	return context.getWorkflowStaticData('node');
}

/** @returns the present endpoint; undefined before `create`, and from the beginning of a removal on */
export function presentEndpoint(state: EndpointState | undefined): StoredEndpoint | undefined {
	return state?.removal ? undefined : state?.endpoints?.at(-1);
}

/** Adds events to those that were caught up. The oldest ones are forgotten, and never start again. */
export function addCaughtUp(state: EndpointState, events: CaughtUp[]): void {
	const index = new EventIndex<CaughtUp>();
	const all = [...(state.caughtUp ?? [])];
	for (const event of all) index.add(event);
	all.push(...events.filter((event) => !index.find(event)));
	const forgotten = all.splice(0, all.length - MOST_CAUGHT_UP);
	state.caughtUp = all;
	const last = forgotten.reduce((time, event) => Math.max(time, event.time + 1), 0);
	if (last > (state.since ?? 0)) state.since = last;
}
