import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { listEventTypes } from '../answers/eventTypes';
import { readCredential } from '../api/request';
import type { Deadline } from '../api/retry';
import { hideSecrets } from '../api/secrets';
import { readEvents } from '../delivery/batch';
import { idOf, toReceived } from '../delivery/item';
import { mayStartWorkflow } from '../delivery/judge';
import type { MissedEvent } from '../deliveryLog/missed';
import { typeReader } from '../eventTypes/reader';
import type { PollSettings } from './settings';

/** The output for events, and the one for missed deliveries whose event the log does not hold. */
export type PollOutputs = [events: INodeExecutionData[], withoutEvent: INodeExecutionData[]];

/** An event of the log. The reason is null for a delivered event. */
export type LoggedEvent = Omit<MissedEvent, 'reason'> & { reason: MissedEvent['reason'] | null };

/** Makes the items of a delivery; null if its events are not selected or do not match the filter. */
export type MakeItems = (event: LoggedEvent) => PollOutputs | null;

/**
 * Reads the catalog and makes items in the shape of the other trigger's, so that both triggers connect
 * to the same next node. While the catalog can't be read, every event is selected.
 */
export async function itemMaker(
	context: IPollFunctions,
	settings: PollSettings,
	deadline: Deadline,
): Promise<MakeItems> {
	const { eventTypes } = await listEventTypes(context, deadline).catch((error: Error) => {
		context.logger.warn(`The catalog of event types could not be read: ${error.message}`);
		return { eventTypes: [] };
	});
	const names = eventTypes.map(({ name }) => name);
	const types = typeReader(settings.events, names);
	const { apiKey, webhookSigningSecret = '' } = await readCredential(context);

	const makeItems: MakeItems = ({ details, reason, attempts, lastAttemptAt }) => {
		const { event, eventType, id } = details;
		const logged = types.read(eventType === null ? [] : [{ text: eventType, level: 0 }]);
		if (event === null) {
			return logged.kind === 'notSelected' ? null : [[], [{ json: { deliveryDetails: details } }]];
		}
		// The log may have the type from a header of the delivery.
		const items = readEvents(event, { 'event-type': eventType ?? '' }, types)
			.filter(mayStartWorkflow)
			.map((entry) => toReceived(entry, settings))
			.filter(({ unmet }) => unmet === undefined)
			.map(({ json, type = null }) => ({
				json: {
					...json,
					delivery: {
						id: idOf(json, {}, true) ?? id,
						eventType: type,
						receivedAt: null,
						headers: {},
						missed: { reason, attempts, lastAttemptAt },
					},
				},
			}));
		return items.length > 0 ? [items, []] : null;
	};
	return (event) => hideSecrets(makeItems(event), [apiKey, webhookSigningSecret]);
}
