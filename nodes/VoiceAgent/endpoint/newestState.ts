import type { IPollFunctions } from 'n8n-workflow';

import {
	presentEndpoint,
	stateOf,
	type CaughtUp,
	type EndpointState,
	type StateContext,
} from './endpointState';
import type { Trigger } from './trigger';

/*
 * n8n stores the static data of all nodes of a workflow as one blob. The state of a trigger is written by:
 *
 * | Call                       | What                          | n8n stores the blob                 |
 * | -------------------------- | ----------------------------- | ----------------------------------- |
 * | `adopt`                    | all but `since`, `caughtUp`   | at the end of the activation        |
 * | `create`                   | all                           | at the end of the activation        |
 * | `remove`                   | all but `since`, `caughtUp`   | after the call                      |
 * | `webhook`, after a look-up | `tokenHashes`, `signingSecret` | with its answer, as read before it |
 * | `poll`                     | `since`, `caughtUp`           | with each execution that it starts  |
 *
 * A poll holds the blob of its activation, which is older where another call was the last to write. So this
 * process remembers what was written last:
 * - of its own node, a poll copies that into its blob;
 * - if the blob is older for another trigger of the workflow, the poll writes nothing. What it caught up is
 *   then in memory only, and may start twice after a restart.
 */

/** The newest state of a trigger. The blob that it was written to has the same stamp. */
interface Newest {
	state: EndpointState;
	/** About the time of the write, and above all stamps before. */
	stamp: number;
}

/** The newest states of this process, by workflow and node. */
const workflows = new Map<string, Map<string, Newest>>();

/** An event above this number is forgotten. Their keys take up to 300 kB. */
const MOST_EVENTS = 2_000;

/** Stores that the endpoint is about to be removed: no later call adopts it, and no poll reads its log. */
export function adoptNothing(context: Trigger['context']): void {
	stateOf(context).mustCreate = true;
	recordWrite(context);
}

/** Stores the new state. Without a new token's hash, only the hashes of older tokens stay. */
export function remember(
	{ context, owner, known }: Trigger,
	{ endpoints, mustCreate, events, catalog, signingSecret }: EndpointState,
	tokenHash?: string,
): void {
	const hashes = new Set([tokenHash, ...(known.tokenHashes ?? [])]);
	Object.assign(stateOf(context), {
		owner,
		endpoints,
		mustCreate,
		events,
		catalog,
		tokenHashes: [...hashes].filter((hash) => hash !== undefined).slice(0, 2),
		signingSecret,
	});
	recordWrite(context);
}

/** Records the state that a call has written. Test listeners have static data of their own. */
function recordWrite(context: StateContext): void {
	if (context.getMode() === 'manual') return;
	const { id } = context.getNode();
	const before = newestOf(context);
	const state = { ...stateOf(context) };
	if (presentEndpoint(before.state)?.id === presentEndpoint(state)?.id) {
		// What was caught up since the blob was read may be missing in it.
		Object.assign(state, { since: before.state.since, caughtUp: before.state.caughtUp });
	}
	const stamp = Math.max(Date.now(), before.stamp + 1);
	triggersOf(context).set(id, { state, stamp });
	writeStamp(context, stamp);
}

/** @returns the newest state that this process has seen */
export function newestState(context: StateContext): EndpointState {
	return newestOf(context).state;
}

/** Records an event that was caught up. n8n stores it with the next execution. */
export function recordCaughtUp(context: IPollFunctions, event: CaughtUp): void {
	const { id } = context.getNode();
	const triggers = triggersOf(context);
	const stamps = readStamps(context);
	const newest = newestOf(context);
	triggers.set(id, newest);
	addEvent(newest.state, event);
	const isOlder = [...triggers].some(
		([node, { stamp }]) => node !== id && stamp > (stamps[node] ?? 0),
	);
	if (isOlder) return;
	Object.assign(stateOf(context), newest.state);
	writeStamp(context, newest.stamp);
}

/** The state in memory, unless the blob is newer: another main process may have written it. */
function newestOf(context: StateContext): Newest {
	const { id } = context.getNode();
	const { [id]: stamp = 0 } = readStamps(context);
	const newest = triggersOf(context).get(id);
	return newest && newest.stamp >= stamp ? newest : { state: { ...stateOf(context) }, stamp };
}

function addEvent(state: EndpointState, event: CaughtUp): void {
	const events = [...(state.caughtUp ?? []), event];
	const forgotten = events.splice(0, events.length - MOST_EVENTS);
	state.caughtUp = events;
	// A forgotten event must not start again.
	state.since = Math.max(state.since ?? 0, ...forgotten.map(([time]) => time + 1));
}

/** @returns the triggers of the workflow, by node */
function triggersOf(context: StateContext): Map<string, Newest> {
	const { id = '' } = context.getWorkflow();
	const triggers = workflows.get(id) ?? new Map<string, Newest>();
	workflows.set(id, triggers);
	return triggers;
}

/** @returns the stamps of the blob, by node */
function readStamps(context: StateContext): Readonly<Record<string, number>> {
	const { voiceAgentTriggers = {} } = context.getWorkflowStaticData('global');
	return voiceAgentTriggers as Record<string, number>;
}

function writeStamp(context: StateContext, stamp: number): void {
	const stamps = { ...readStamps(context), [context.getNode().id]: stamp };
	context.getWorkflowStaticData('global').voiceAgentTriggers = stamps;
}
