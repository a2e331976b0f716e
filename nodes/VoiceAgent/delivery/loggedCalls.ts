import type { LoggedAttempt } from '../deliveryLog/deliveryDetails';
import { typeReader } from '../eventTypes/reader';
import type { DeliverySettings } from '../trigger/settings';
import { readEvents } from './batch';
import { toReceived, type ReceivedEvent } from './item';
import { mayStartWorkflow } from './judge';

/**
 * Reads the events of a logged delivery as the delivery would be read: those that start the workflow, and those
 * whose calls the filter excludes. Pure.
 *
 * @param catalog at the time of publishing
 */
export function readLogged(
	{ details: { event, eventType } }: LoggedAttempt,
	settings: DeliverySettings,
	catalog: string[] = [],
): ReceivedEvent[] {
	// The log may have the type from a header.
	const headers = { 'event-type': eventType ?? '' };
	const entries =
		event === null ? [] : readEvents(event, headers, typeReader(settings.events, catalog));
	return entries.filter(mayStartWorkflow).map((entry) => toReceived(entry, settings, []));
}
