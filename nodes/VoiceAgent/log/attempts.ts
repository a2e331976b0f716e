import type { IDataObject } from 'n8n-workflow';

import { identityOf, idIn, readBodyIds, type EventIdentity } from '../events/identity';
import { hasArrived } from './arrival';
import { readDeliveryDetails, type DeliveryDetails, type LoggedEndpoint } from './deliveryDetails';
import { readFields, readNextAttempt, readSurest, type LogField } from './logFields';
import { readResult, statesResult } from './outcome';

/** A record of the delivery log, as the service sent it and as it was read. */
export interface LoggedAttempt {
	record: IDataObject;
	details: DeliveryDetails;
	/** Of its event. */
	identity: EventIdentity;
	/** Whether the event arrived, with this attempt or with one that the record lists; null for an unknown result. */
	hasArrived: boolean | null;
	/** Whether the record states nothing about its result: the service got no answer, or waits for it. */
	isSilent: boolean;
	/** When the service sends the event again (ms since the epoch); 0 if it does not say so. */
	nextAttemptAt: number;
}

/**
 * Reads a record of the log with the identity of its event. Pure.
 *
 * @param publishedAt the time of a record without a time zone is not earlier: the log is this endpoint's own (ms since
 *   the epoch)
 */
export function readAttempt(
	record: IDataObject,
	endpoint: LoggedEndpoint,
	publishedAt = -Infinity,
): LoggedAttempt {
	const { own, all, attempts, time, isZoned } = readFields(record);
	const read = readDeliveryDetails(record, endpoint);
	const isBefore = time !== null && !isZoned && time < publishedAt;
	const details = isBefore ? { ...read, time: new Date(publishedAt).toISOString() } : read;
	// Each attempt that a record lists is read as its only one.
	const results = attempts.map((fields) => hasArrived({ ...details, ...readResult(fields) }));
	return {
		record,
		details,
		identity: readIdentity(own, details, attempts.length > 0),
		hasArrived: results.includes(true) ? true : hasArrived(details),
		isSilent: details.status === null && !all.some(statesResult),
		nextAttemptAt: readNextAttempt(all),
	};
}

/** @param isList whether the record lists attempts: its own id is the delivery's then */
function readIdentity(own: LogField[], details: DeliveryDetails, isList: boolean): EventIdentity {
	const { id, event, eventType } = details;
	const read = (topic: 'eventId' | 'deliveryId') =>
		readSurest(own, topic, ({ value }) => idIn(value));
	const isKnown = (one: string | null) => one !== null;
	const ofEvent = [read('eventId'), ...readBodyIds(event).sure].filter(isKnown);
	const ofDelivery = [read('deliveryId'), isList ? id : null].filter(isKnown);
	return identityOf(eventType, [...ofEvent, ...ofDelivery], event, ofEvent.length > 0);
}
