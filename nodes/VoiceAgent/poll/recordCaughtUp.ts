import type { IExecuteFunctions } from 'n8n-workflow';

import { addCaughtUp, stateOf, type CaughtUp } from '../state/endpointState';
import { parseJson } from '../text/json';

/** How many events a worker remembers as done. */
const MOST_PROCESSED = 2_000;

/**
 * Stores which event an execution of a poll catches up on. n8n stores it when the execution has ended: an
 * execution that was killed is not stored, and a poll starts its event again. Other executions store nothing.
 *
 * @returns true if the event was done before, so that the execution has to end
 */
export async function recordCaughtUp(context: IExecuteFunctions): Promise<boolean> {
	const items = context.getExecuteData().data.main?.[0] ?? [];
	const events = items.flatMap(({ caughtUp }) => (parseJson(`${caughtUp}`) ?? []) as CaughtUp[]);
	const own = events.at(-1);
	if (!own) return false;
	const state = stateOf(context);
	if (state.owner === undefined) {
		return await wasProcessed(context, events.slice(0, -1), own).catch((error: Error) => {
			context.logger.warn(`Voice Agent Trigger could not record a missed event: ${error.message}`);
			return false;
		});
	}
	addCaughtUp(state, events);
	return false;
}

/**
 * Decides whether an event was done before, without static data: on a worker of queue mode, n8n gives an execution
 * none, and stores what it writes over those of all nodes. n8n's list of processed data is a record of its own.
 *
 * @param done events whose executions have ended, to be recorded
 */
async function wasProcessed(context: IExecuteFunctions, done: CaughtUp[], own: CaughtUp) {
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	const options = { mode: 'entries', maxEntries: MOST_PROCESSED } as const;
	const nameOf = ({ keys, type }: CaughtUp) => `${keys[0]} ${type}`;
	if (done.length > 0) await checkProcessedAndRecord(done.map(nameOf), 'node', options);
	const { processed, new: added } = await checkProcessedAndRecord([nameOf(own)], 'node', options);
	// n8n can't look an event up without recording it, and this execution may be killed.
	if (added.length > 0) await removeProcessed(added, 'node', options);
	return processed.length > 0;
}
