import type { IDataObject } from 'n8n-workflow';

import { withCallDetails, type ReadingOptions } from '../callDetails/callDetails';
import { isObject } from '../matcher/fields';
import type { Entry } from './batch';
import { shownHeaders } from './headers';
import type { Headers } from './signatures';

/** An event that starts the workflow: its type, where it has one, and its item. */
export interface ReceivedEvent {
	/** As the user selected it or the catalog spells it, where it is one of these. */
	type?: string;
	json: IDataObject;
	/** The field that its call details were added as. */
	callDetailsField?: string;
}

/** What an item has beside the event. */
export interface ItemOptions {
	/** Whether to add the details of its call. */
	callDetails: boolean;
	/** How call details are read. */
	reading?: ReadingOptions;
	/** Whether to add the details of the delivery. */
	deliveryDetails: boolean;
}

/** Where the sender's own id of a delivery may stand. */
const ID_HEADER = /^(webhook|svix|ce)-id$|(delivery|event|message)-id$|-delivery$/;

/**
 * Makes the item of an event.
 *
 * @param isOneOfSeveral whether the delivery holds other events, too
 */
export function toReceived(
	{ json, type }: Entry,
	headers: Headers,
	{ callDetails, reading, deliveryDetails }: ItemOptions,
	isOneOfSeveral: boolean,
): ReceivedEvent {
	const { json: detailed, field } = callDetails
		? withCallDetails(json, reading)
		: { json, field: undefined };
	const delivery = deliveryDetails && {
		id: idOf(json, headers, isOneOfSeveral),
		eventType: type.name ?? null,
		receivedAt: new Date().toISOString(),
		headers: shownHeaders(headers) as IDataObject,
	};
	return {
		type: type.name,
		json: delivery ? { ...detailed, delivery } : detailed,
		...(field && { callDetailsField: field }),
	};
}

function idOf(json: IDataObject, headers: Headers, isOneOfSeveral: boolean) {
	const { id, delivery_id, deliveryId, event_id, eventId, event } = json;
	const nested = isObject(event) ? event.id : undefined;
	const own = [id, nested, delivery_id, deliveryId, event_id, eventId];
	const inHeaders = Object.keys(headers)
		.filter((name) => ID_HEADER.test(name))
		.map((name) => headers[name]);
	// The header's is one for all the events of a body.
	const ids = isOneOfSeveral ? [...own, ...inHeaders] : [...inHeaders, ...own];
	return ids.find(isId) ?? null;
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
