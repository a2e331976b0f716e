import type { IDataObject } from 'n8n-workflow';

import { maskQuery } from '../api/callbackUrl';
import { toIso } from '../callDetails/instants';
import { withCallDetails } from '../callDetails/callDetails';
import { placesOf } from '../eventTypes/places';
import { freeName, isDeep, isNonEmpty, isId, isObject, parseJson } from '../matcher/json';
import { beginning } from '../api/messages';
import { hasAny, logFieldsOf, readAttempt, readSurest, readTime, type LogField } from './logFields';
import { readError, readStatus, readSucceeded } from './outcome';
import { OBJECTS } from './vocabulary';

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

/** Without blanks and digits but a version's: `call.completed.v2`, but not `evt_3NqA8` */
const EVENT_TYPE = /^([\p{L}_.:/*-]|v\d){1,200}$/iu;

/** A date or a time of day: `23.11.2026`, `11/23/26 20:10` */
const DATE_OR_TIME = /^(?=.{6,60}$).*(\d[./-]\d\d?[./-]\d|\d:\d\d)/;

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
		// So that a workflow can use the event like an item of the trigger.
		const event = isObject(read.event) ? withCallDetails(read.event) : read.event;
		const details = { ...read, event };
		return { json: { [field]: details, ...record }, details };
	});
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
	const { own, latest, all, attempts } = readFields(record);
	const status = readStatus(all);
	const event = readSurest(all, 'event', readLoggedBody) as DeliveryDetails['event'];
	const succeeded = readSucceeded(all, status);
	const url = endpoint.url || readSurestText(all, 'url', /^https?:\/\//i);
	return {
		id: readSurest(own, 'id', ({ value }) => (isId(value) ? String(value) : null)),
		endpointId: endpoint.id,
		webhookUrl: maskQuery(url),
		workflowUrl: workflowUrlOf(url),
		eventType: readTypeOfEvent(own, event),
		time: toIso(readTime(latest) ?? readTime(own)),
		status,
		succeeded,
		response: readResponse(all),
		// The error of a success is an earlier attempt's.
		error: succeeded === true ? null : readError(all),
		attempt: readAttempt(all) ?? (attempts.length || null),
		event,
	};
}

/**
 * Reads the fields of a delivery record.
 *
 * @returns its own fields; those of the latest attempt and of each, if the record lists attempts; and all fields,
 *   those of the latest attempt first
 */
export function readFields(record: IDataObject) {
	const own = logFieldsOf(record);
	const isList = ({ words, value }: LogField) =>
		Array.isArray(value) && value.some(isObject) && hasAny(words, OBJECTS.attempts);
	const list = (own.find(isList)?.value ?? []) as unknown[];
	const attempts = list.filter(isObject).map((entry) => logFieldsOf(entry));
	const latest = latestOf(attempts);
	return { own, latest, all: [...latest, ...own], attempts };
}

/** The latest of several attempts: by their times, else the last one. */
function latestOf(attempts: LogField[][]): LogField[] {
	const times = attempts.map(readTime);
	const isOrdered = !times.includes(null) && new Set(times).size === times.length;
	const newest = isOrdered ? times.indexOf(Math.max(...(times as number[]))) : -1;
	return attempts.at(newest) ?? [];
}

/** Reads each attempt that a record lists as its only attempt. */
export function readListedAttempts(
	record: IDataObject,
	details: DeliveryDetails,
): DeliveryDetails[] {
	return readFields(record).attempts.map((fields) => {
		const status = readStatus(fields);
		const succeeded = readSucceeded(fields, status);
		return { ...details, status, succeeded, response: readResponse(fields) };
	});
}

/** Finds the time of a record that {@link readTime} can't read: `at: '23.11.2026 20:10'` → `23.11.2026 20:10` */
export function findUnreadableTime(record: IDataObject): string | null {
	return readSurestText(readFields(record).all, 'time', DATE_OR_TIME);
}

function readResponse(fields: LogField[]): string | null {
	return readSurest(fields, 'response', (field) => {
		if (typeof field.value === 'string') return beginning(field.value) || null;
		const body = readLoggedBody(field);
		return body && beginning(JSON.stringify(body));
	});
}

/** Reads the type of the event: as the record states it, else as the event does. */
function readTypeOfEvent(own: LogField[], event: DeliveryDetails['event']): string | null {
	const places = isObject(event) ? placesOf(event) : [];
	const inEvent = places.find(({ text }) => EVENT_TYPE.test(text));
	return readSurestText(own, 'eventType', EVENT_TYPE) ?? inEvent?.text ?? null;
}

/** Reads the surest text of a topic that has a form. */
function readSurestText(
	fields: LogField[],
	topic: 'url' | 'eventType' | 'time',
	form: RegExp,
): string | null {
	const texts = ({ value }: LogField) =>
		typeof value === 'string' && form.test(value) ? value : null;
	return readSurest(fields, topic, texts);
}

/** Reads a body: an object or array, also as JSON in a text; null if the fields of the object are read. */
function readLoggedBody({ value, place }: LogField): object | null {
	const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
	return place || !isNonEmpty(parsed) || isDeep(parsed) ? null : parsed;
}
