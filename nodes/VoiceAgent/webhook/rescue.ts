import { EventIndex, type EventIdentity } from '../events/identity';
import { findMissed, timeOf } from '../log/missed';
import { assertDecisive, inOrder, requestLog } from '../log/requestLog';
import { isGone, statusOf } from '../service/errors';
import { memoryOf } from '../state/triggerMemory';
import { presentEndpoint, type StoredEndpoint } from '../state/triggerState';
import { isCatchUpOn } from '../trigger/pollProperties';
import type { CallContext } from './callContext';

/** How many missed events are kept in memory. */
export const MOST_WAITING = 500;

/** How long a removal waits for the log (ms): a changed publish has no endpoint meanwhile. */
const RESCUE_MS = 2_000;

/**
 * Reads the log of a published endpoint before n8n removes it: the service forgets the log with the endpoint. The next
 * poll after a publish starts the missed events, also those that the service would have resent. If the log can't
 * be read in time, n8n's log says so. It never throws.
 */
export async function rescueMissed(call: CallContext): Promise<void> {
	const { context, known, kind, webhookUrl } = call;
	const memory = memoryOf(context);
	const isPublished = kind !== 'test' && memory.webhookUrl === webhookUrl;
	const endpoint = presentEndpoint(isPublished ? memory.state : known);
	if (!endpoint || !isPublished) return;
	try {
		await readWaiting(call, endpoint, Date.now() + RESCUE_MS);
	} catch (error) {
		context.logger.warn(
			`Voice Agent Trigger could not read which events its removed webhook ${endpoint.id} had missed, so they are not caught up: ${(error as Error).message}`,
		);
	}
}

/**
 * Lets all events wait that an endpoint has missed, also those that the service is about to resend; none if the
 * user has turned catching up off, or the service has removed the endpoint.
 *
 * @param endsAt ms since the epoch
 * @throws NodeApiError if the log can't be read
 */
export async function readWaiting(
	{ context, known }: Pick<CallContext, 'context' | 'known'>,
	endpoint: StoredEndpoint,
	endsAt: number,
): Promise<void> {
	if (!isCatchUpOn(context)) return;
	const memory = memoryOf(context);
	const { since = 0 } = known;
	const read = memory.lastRead?.endpointId === endpoint.id ? memory.lastRead.unsettledAt : since;
	const deadline = { endsAt, timeout: endsAt - Date.now(), once: true };
	const part = { since: Math.max(since, read), publishedAt: since };
	const log = await requestLog(context, endpoint, deadline, part).catch((error: Error) => {
		if (!isGone(statusOf(error))) throw error;
	});
	if (!log) return;
	assertDecisive(context, log);
	const waiting = new EventIndex<EventIdentity>();
	for (const { identity } of memory.waiting) waiting.add(identity);
	// The service will send nothing again.
	const last = log.value.map((attempt) => ({ ...attempt, nextAttemptAt: 0 }));
	const missed = findMissed(inOrder(last), Date.now()).filter(
		(event) =>
			event.details.event !== null && timeOf(event) >= since && !waiting.find(event.identity),
	);
	const all = [...memory.waiting, ...missed].sort((one, other) => timeOf(one) - timeOf(other));
	memory.waiting = all.slice(0, MOST_WAITING);
	if (all.length > MOST_WAITING) {
		context.logger.warn(
			`Voice Agent Trigger keeps ${MOST_WAITING} of ${all.length} events that its webhook ${endpoint.id} had missed before its removal. Process the later ones by hand.`,
		);
	}
	if (log.error) throw log.error;
}
