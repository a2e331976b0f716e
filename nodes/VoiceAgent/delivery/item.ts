import type { IDataObject } from 'n8n-workflow';

import { readCall, withCallDetails } from '../callDetails/callDetails';
import type { CallDetails } from '../callDetails/details';
import { toRow } from '../callDetails/row';
import { rowIdOf } from '../events/identity';
import { findUnmet, type Unmet } from '../trigger/callFilter';
import type { DeliverySettings, Output } from '../trigger/settings';
import type { Entry } from './batch';

/** An event that may start the workflow: its event type, if it has one, and its item. */
export interface ReceivedEvent {
	/** As the user selected it or the catalog spells it; else as the event does. */
	type?: string;
	/** The event as the service sent it. */
	sent: IDataObject;
	details: CallDetails;
	json: IDataObject;
	/** What n8n's executions show of it, see `setCustomData`. */
	customData: IDataObject;
	/** The condition of the user's filter that its call does not meet. */
	unmet?: Unmet;
	/** What the editor says of it after a test execution, a line each. */
	hints?: string;
}

/** @returns the type of all events of a delivery; null if it is unknown, or if they differ */
export function typeOfAll(events: ReceivedEvent[]): string | null {
	const [type, ...others] = new Set(events.map((event) => event.type));
	return others.length === 0 ? (type ?? null) : null;
}

/**
 * Makes the item of an event, and compares its call with the filter.
 *
 * @param ids of the delivery, if it holds no other event
 */
export function toReceived(
	{ json, type: { name: type } }: Entry,
	{ output, reading, onlyCalls, customerInExecutions }: DeliverySettings,
	ids: string[],
): ReceivedEvent {
	const { details, disposition } = readCall(json, reading);
	const call = details.id ?? rowIdOf(json, ids);
	const items: Record<Output, () => IDataObject> = {
		both: () => withCallDetails(json, details),
		details: () => withCallDetails({}, details),
		event: () => json,
		row: () => toRow(details, call, reading),
	};
	const customer = customerInExecutions ? details.customer.phone : null;
	return {
		type,
		sent: json,
		details,
		json: (items[output] ?? items.both)(),
		customData: { call, event: type, customer },
		unmet: onlyCalls && findUnmet(onlyCalls, details, disposition),
	};
}
