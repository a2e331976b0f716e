/** Reads deliveries of the service's log as if they came now. Pure. */
import type { LoggedAttempt } from '../log/attempts';
import type { LoggedEvent } from '../log/missed';
import { typeReader } from '../events/reader';
import type { DeliverySettings } from '../trigger/settings';
import { readEvents } from './batch';
import type { ReceivedEvent } from './item';
import { judge } from './judge';

/**
 * Judges an event of the log: the same events as in a delivery start the workflow, with the same items.
 *
 * @param catalog at the time of publishing
 * @returns the events of its delivery that start the workflow; none if the log does not hold the event
 */
export function judgeLogged(
	logged: LoggedEvent,
	settings: DeliverySettings,
	catalog: string[],
): ReceivedEvent[] {
	const { details, type, eventId, isMissed, reason, attempts, lastAttemptAt } = logged;
	const { event } = details;
	if (event === null) return [];
	const headers = { 'event-id': eventId ?? '', ...typeHeader(event, type, settings, catalog) };
	const delivery = { headers, query: {}, rawBody: Buffer.alloc(0), body: event };
	const arrival = isMissed
		? { receivedAt: null, headers: {}, missed: { reason, attempts, lastAttemptAt } }
		: { receivedAt: lastAttemptAt, headers: {} };
	const grounds = { catalog, signingSecrets: [], endpointIds: [], manual: false, now: 0, arrival };
	const verdict = judge(delivery, grounds, { ...settings, verifySignature: false });
	return verdict.kind === 'accepted' ? verdict.events : [];
}

/** The header with the type that the log states, which may be from one; none if an event of the body has a type. */
function typeHeader(
	event: NonNullable<LoggedAttempt['details']['event']>,
	type: string | null,
	settings: DeliverySettings,
	catalog: string[],
): Record<string, string> {
	if (type === null) return {};
	const kinds = readEvents(event, {}, typeReader(settings.events, catalog)).map(
		(one) => one.type.kind,
	);
	// A header would make a batch one event.
	const isTyped = kinds.includes('selected') || kinds.includes('notSelected');
	return isTyped ? {} : { 'event-type': type };
}
