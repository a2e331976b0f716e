import { NodeOperationError } from 'n8n-workflow';

import { readEventTypes } from './catalog';
import { requestList } from './requestList';
import type { Context } from '../service/request';
import type { Deadline } from '../service/retry';

/**
 * Reads the service's catalog of event types, their only source (docs/the-service.md).
 *
 * @returns the event types, and whether the catalog is complete
 */
export async function listEventTypes(context: Context, deadline: Deadline) {
	const list = await requestList(context, 'eventTypes', deadline);
	const value = readEventTypes(list.value);
	// An unreadable entry may be any event type.
	return { value, complete: list.complete && value.length >= list.value.length };
}

/**
 * Checks event types against the catalog. If the catalog can't be read, a warning is logged, and the
 * service decides.
 *
 * @returns the names of the catalog; undefined for an unreadable catalog
 * @throws NodeOperationError with the unknown event types and the names of the catalog
 */
export async function assertEventTypes(context: Context, events: string[], deadline: Deadline) {
	const { value, complete } = await listEventTypes(context, deadline).catch((error: Error) => {
		context.logger.warn(
			`The event types were not checked, since the service's list of events could not be read: ${error.message}`,
		);
		return { value: [], complete: false };
	});
	const names = value.map(({ name }) => name);
	const unknown = events.filter((event) => !names.includes(event));
	if (unknown.length > 0 && complete && names.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The service doesn't offer these events: ${unknown.join(', ')}. Choose from: ${names.join(', ')}`,
		);
	}
	return names.length > 0 ? names : undefined;
}
