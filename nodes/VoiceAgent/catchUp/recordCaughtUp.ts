import type { IExecuteFunctions } from 'n8n-workflow';

import { EventIndex } from '../deliveryLog/eventKeys';
import { MOST_CAUGHT_UP, stateOf, type CaughtUp } from '../endpoint/endpointState';
import { parseJson } from '../matcher/json';

/**
 * Stores which event an execution of a poll catches up on. n8n stores it when the execution has ended: an
 * execution that was killed is not stored, and a poll starts its event again. Other executions store nothing.
 */
export function recordCaughtUp(context: IExecuteFunctions): void {
	const items = context.getExecuteData().data.main?.[0] ?? [];
	const events = items.flatMap(({ caughtUp }) => (parseJson(`${caughtUp}`) ?? []) as CaughtUp[]);
	if (events.length === 0) return;
	const state = stateOf(context);
	const all = [...(state.caughtUp ?? [])];
	const index = new EventIndex<CaughtUp>();
	for (const event of all) index.add(event);
	all.push(...events.filter((event) => !index.find(event)));
	const forgotten = all.splice(0, all.length - MOST_CAUGHT_UP);
	state.caughtUp = all;
	const last = forgotten.reduce((time, event) => Math.max(time, event.time + 1), 0);
	// A forgotten event must not start again.
	if (last > (state.since ?? 0)) state.since = last;
}
