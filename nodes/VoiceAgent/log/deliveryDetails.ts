import type { IDataObject } from 'n8n-workflow';

import { maskQuery } from '../auth/callbackUrl';
import { withCallDetails } from '../callDetails/callDetails';
import { toIso } from '../callDetails/values';
import { placesOf } from '../events/places';
import { freeName, isId, isObject } from '../text/json';
import {
	readAttemptNumber,
	readFields,
	readLoggedBody,
	readSurest,
	readSurestText,
} from './logFields';
import { readResult } from './outcome';

/** The values of a delivery record, in fields that don't depend on the service; null for the unknown. */
export type DeliveryDetails = ReturnType<typeof readDeliveryDetails>;

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
) {
	const { own, attempts, all, time } = readFields(record);
	const event = readSurest(all, 'event', readLoggedBody);
	const places = isObject(event) ? placesOf(event) : [];
	const inEvent = places.find(({ text }) => EVENT_TYPE.test(text));
	const url = endpoint.url || readSurestText(all, 'url', /^https?:\/\//i);
	return {
		/** The record's own id: the attempt's id if the log records attempts. */
		id: readSurest(own, 'id', ({ value }) => (isId(value) ? String(value) : null)),
		/** The endpoint whose log it is. */
		endpointId: endpoint.id,
		/** With a masked query, which may hold a secret. */
		webhookUrl: maskQuery(url),
		/** Its workflow in this n8n's editor. */
		workflowUrl: workflowUrlOf(url),
		/** As the record states it, else as the event does. */
		eventType: readSurestText(own, 'eventType', EVENT_TYPE) ?? inEvent?.text ?? null,
		/** The time of the latest attempt: ISO 8601 in UTC. */
		time: toIso(time),
		...readResult(all),
		/** Counted from 1. */
		attempt: readAttemptNumber(all) ?? (attempts.length || null),
		/** The delivered event, if the log holds it. `withDeliveryDetails` adds call details to it. */
		event: event as IDataObject | IDataObject[] | null,
	};
}

/** Finds the time of a record that `readFields` can't read: `at: '23.11.2026 20:10'` → `23.11.2026 20:10` */
export function findUnreadableTime(record: IDataObject): string | null {
	return readSurestText(readFields(record).all, 'time', DATE_OR_TIME);
}
