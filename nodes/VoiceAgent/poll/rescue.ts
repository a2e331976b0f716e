import { EventIndex } from '../events/identity';
import { findMissed, timeOf, type LoggedEvent } from '../log/missed';
import { assertDecisive, inOrder, requestLog } from '../log/requestLog';
import { presentEndpoint, type StoredEndpoint } from '../state/endpointState';
import type { CallContext } from '../webhook/callContext';
import { memoryOf, type TriggerMemory } from '../state/triggerMemory';
import { missedJudge } from './items';
import { isCatchUpOn, pollsOf, unreadSince } from './polls';
import { spanOf } from './report';
import { MOST_MISSED } from './readMissed';

/** How long a removal waits for the log (ms): a changed publish has no endpoint meanwhile. */
const RESCUE_MS = 2_000;

/**
 * Reads the log of an endpoint before n8n removes it: the service forgets the log with the endpoint. The next
 * poll after a publish starts the missed events, also those that the service would have resent. If the log can't
 * be read in time, n8n's log says so. It never throws.
 */
export async function rescueMissed(call: CallContext): Promise<void> {
	const { context, known } = call;
	const memory = memoryOf(context);
	const endpoint = presentEndpoint(memory?.state) ?? presentEndpoint(known);
	if (!memory || !endpoint || context.getMode() === 'manual') return;
	try {
		await readWaiting(call, memory, endpoint, Date.now() + RESCUE_MS);
	} catch (error) {
		context.logger.warn(
			`Voice Agent Trigger could not read which events its removed webhook ${endpoint.id} had missed, so they are not caught up: ${(error as Error).message}`,
		);
	}
}

/**
 * Lets all events wait that an endpoint has missed, also those that the service is about to resend; none if the
 * user has turned catching up off.
 *
 * @throws NodeApiError if the log can't be read
 */
export async function readWaiting(
	{ context, known }: CallContext,
	memory: TriggerMemory,
	endpoint: StoredEndpoint,
	endsAt: number,
): Promise<void> {
	if (!isCatchUpOn(context)) return;
	const polls = pollsOf(memory);
	const since = unreadSince(polls, endpoint.id, known.since);
	const deadline = { endsAt, timeout: endsAt - Date.now(), once: true };
	const log = await requestLog(context, endpoint, deadline, since);
	assertDecisive(context, log);
	const { makeItems } = await missedJudge(context, memory);
	const waiting = new EventIndex<LoggedEvent>();
	for (const event of polls.waiting) waiting.add(event);
	// No attempt is announced for so late a time.
	const missed = findMissed(inOrder(log.value), Infinity).filter(
		(event) => timeOf(event) >= since && makeItems(event) !== undefined && !waiting.find(event),
	);
	const all = [...polls.waiting, ...missed].sort((one, other) => timeOf(one) - timeOf(other));
	polls.waiting = all.slice(0, MOST_MISSED);
	if (all.length > MOST_MISSED) {
		context.logger.warn(
			`Voice Agent Trigger keeps ${MOST_MISSED} of ${all.length} events that its webhook ${endpoint.id} had missed before its removal. Process the later ones by hand, ${spanOf(context, all.slice(MOST_MISSED))}.`,
		);
	}
	if (log.error) throw log.error;
}
