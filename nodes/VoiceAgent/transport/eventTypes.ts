import { NodeOperationError } from 'n8n-workflow';

import { readEventType, type EventType } from './read';
import { requestList, type Context } from './request';
import type { Patience } from './retry';

/**
 * Reads the service's catalog of event types, the only place where they are known (contract, section 6).
 *
 * @returns the event types, and whether that is all of them
 */
export async function listEventTypes(
	context: Context,
	patience: Patience,
): Promise<{ eventTypes: EventType[]; complete: boolean }> {
	const list = await requestList(context, '/webhooks/event-types', 'eventTypes', () => patience);
	const eventTypes = list.entries.map(readEventType).filter((type) => type !== undefined);
	return { eventTypes, complete: list.complete };
}

/**
 * Refuses event types that can't be subscribed to, before an endpoint is registered.
 *
 * @throws NodeOperationError that names them and lists the catalog
 */
export async function assertEventTypes(
	context: Context,
	events: string[],
	patience: Patience,
	itemIndex?: number,
): Promise<void> {
	const { eventTypes, complete } = await listEventTypes(context, patience);
	const names = eventTypes.map(({ name }) => name);
	const unknown = events.filter((event) => !names.includes(event));
	if (unknown.length === 0 || !complete) return;
	throw new NodeOperationError(
		context.getNode(),
		`Events holds what the service does not offer: ${unknown.join(', ')}. Choose from its catalog: ${names.join(', ')}`,
		{ itemIndex },
	);
}
