import type { IDataObject } from 'n8n-workflow';

import { maskQuery } from '../api/callbackUrl';
import { toIso } from '../callDetails/instants';
import { withCallDetails } from '../callDetails/callDetails';
import { placesOf } from '../eventTypes/places';
import { freeName, isDeep, isNonEmpty, isId, isObject, parseJson } from '../matcher/json';
import { beginning } from '../api/messages';
import { readAttempt, readFields, readSurest, readTime, type LogField } from './logFields';
import { readError, readStatus, readSucceeded } from './outcome';

/** The values of a delivery record, in fields that don't depend on the service; null for the unknown. */
export interface DeliveryDetails extends IDataObject {
	/** The record's own id: the attempt's id if the log records attempts. */
	id: string | null;
	/** The endpoint whose log it is. */
	endpointId: string;
	/** With a masked query, which may hold a secret. */
	webhookUrl: string | null;
	/** Its workflow in this n8n's editor. */
	workflowUrl: string | null;
	eventType: string | null;
	/** The time of the latest attempt: ISO 8601 in UTC. */
	time: string | null;
	/** The HTTP status of the receiver's response. */
	status: number | null;
	/** Null for a delivery under way, and for a record that contradicts itself. */
	succeeded: boolean | null;
	/** The beginning of the receiver's response. */
	response: string | null;
	/** Why no response came, or why the response does not count, as the service states it; null for a success. */
	error: string | null;
	/** Counted from 1. */
	attempt: number | null;
	/** The delivered event, if the log holds it. `withDeliveryDetails` adds call details to it. */
	event: IDataObject | IDataObject[] | null;
}

/** The endpoint whose log was read. */
export interface LoggedEndpoint {
	id: string;
	url?: string;
}

/**
 * Puts the details of each delivery first in its record. If any record has a field of that name, the
 * details get a name that is free in all records: `deliveryDetails_1`.
 */
export function withDeliveryDetails(
	records: IDataObject[],
	endpoint: LoggedEndpoint,
	workflowUrlOf?: (url: string | null) => string | null,
): Array<{ json: IDataObject; details: DeliveryDetails }> {
	const field = freeName('deliveryDetails', records);
	return records.map((record) => {
		const read = readDeliveryDetails(record, endpoint, workflowUrlOf);
		const details = { ...read, event: describeCalls(read.event) };
		return { json: { [field]: details, ...record }, details };
	});
}

/** Adds call details to the events, so that a workflow can use them like the trigger's items. */
function describeCalls(event: DeliveryDetails['event']): DeliveryDetails['event'] {
	if (Array.isArray(event)) {
		return event.map((each) => (isObject(each) ? withCallDetails(each) : each));
	}
	return event && withCallDetails(event);
}

/**
 * Reads a delivery record by the words of its names. Pure.
 *
 * @param workflowUrlOf finds the workflow of an endpoint by its URL
 */
export function readDeliveryDetails(
	record: IDataObject,
	endpoint: LoggedEndpoint,
	workflowUrlOf: (url: string | null) => string | null = () => null,
): DeliveryDetails {
	const { own, latest, attempts } = readFields(record);
	// The latest attempt comes before all attempts together.
	const fields = [...latest, ...own];
	const status = readStatus(fields);
	const event = readEvent(fields);
	const succeeded = readSucceeded(fields, status);
	const url = endpoint.url || readUrl(fields);
	return {
		id: readSurest([...own, ...latest], 'id', ({ value }) => (isId(value) ? String(value) : null)),
		endpointId: endpoint.id,
		webhookUrl: maskQuery(url),
		workflowUrl: workflowUrlOf(url),
		eventType: readTypeOfEvent(own, event),
		time: toIso(readTime(latest) ?? readTime(own)),
		status,
		succeeded,
		response: readResponse(fields),
		// The error of a success is an earlier attempt's.
		error: succeeded === true ? null : readError(fields),
		attempt: readAttempt(latest) ?? readAttempt(own) ?? attempts?.length ?? null,
		event,
	};
}

/** Reads each attempt that a record lists as its only attempt. */
export function readListedAttempts(
	record: IDataObject,
	details: DeliveryDetails,
): DeliveryDetails[] {
	return (readFields(record).attempts ?? []).map((fields) => {
		const status = readStatus(fields);
		const succeeded = readSucceeded(fields, status);
		return { ...details, status, succeeded, response: readResponse(fields) };
	});
}

function readResponse(fields: LogField[]): string | null {
	return readSurest(fields, 'response', ({ value, place }) => {
		if (typeof value === 'string') return beginning(value) || null;
		return place || !isNonEmpty(value) || isDeep(value) ? null : beginning(JSON.stringify(value));
	});
}

function readUrl(fields: LogField[]): string | null {
	return readSurest(fields, 'url', ({ value }) =>
		typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null,
	);
}

/** Reads the type of the event: as the record states it, else as the event does. */
function readTypeOfEvent(own: LogField[], event: DeliveryDetails['event']): string | null {
	const places = isObject(event) ? placesOf(event) : [];
	return (
		readSurest(own, 'eventType', ({ value }) => (isEventType(value) ? value : null)) ??
		places.map(({ text }) => text).find(isEventType) ??
		null
	);
}

/** @returns true for a text without blanks and digits but a version's: `call.completed.v2`, but not `evt_3NqA8` */
function isEventType(value: unknown): value is string {
	return typeof value === 'string' && /^([\p{L}_.:/*-]|v\d){1,200}$/iu.test(value);
}

function readEvent(fields: LogField[]): DeliveryDetails['event'] {
	return readSurest(fields, 'event', ({ value, place }) => {
		const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
		return place || !isNonEmpty(parsed) || isDeep(parsed)
			? null
			: (parsed as IDataObject | IDataObject[]);
	});
}
