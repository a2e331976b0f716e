import { NodeOperationError } from 'n8n-workflow';

import { readEventTypes, type EventType } from './catalog';
import { requestList } from '../answers/requestList';
import { type Context } from '../api/request';
import type { Deadline } from '../api/retry';

/**
 * Reads the service's catalog of event types, the only place where they are known (contract, section 6).
 *
 * @returns the event types, and whether that is all of them, as far as can be told
 */
export async function listEventTypes(
	context: Context,
	deadline: Deadline,
): Promise<{ eventTypes: EventType[]; complete: boolean }> {
	const list = await requestList(context, '/webhooks/event-types', 'eventTypes', () => deadline);
	const eventTypes = readEventTypes(list.entries);
	// An entry that can't be read may be any event type.
	return { eventTypes, complete: list.complete && eventTypes.length >= list.entries.length };
}

/**
 * Refuses event types that can't be subscribed to. A catalog that can't be read is no reason to refuse
 * them: that is logged, and the service decides.
 *
 * @returns the names of the catalog; undefined where it can't be read
 * @throws NodeOperationError that names those which it does not have, and lists the catalog
 */
export async function assertEventTypes(
	context: Context,
	events: string[],
	deadline: Deadline,
	itemIndex?: number,
): Promise<string[] | undefined> {
	const { eventTypes, complete } = await listEventTypes(context, deadline).catch((error: Error) => {
		context.logger.warn(
			`The event types were not checked, since the service's catalog could not be read: ${error.message}`,
		);
		return { eventTypes: [], complete: false };
	});
	const names = eventTypes.map(({ name }) => name);
	const unknown = events.filter((event) => !names.includes(event));
	if (unknown.length > 0 && complete && names.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The service doesn't offer these events: ${unknown.join(', ')}. Choose from: ${names.join(', ')}`,
			{ itemIndex },
		);
	}
	return names.length > 0 ? names : undefined;
}
