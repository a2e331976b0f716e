import type { IDataObject } from 'n8n-workflow';

import { maskQuery, isOfTrigger } from '../auth/token';
import { identityOf, idIn, readBodyIds, type EventIdentity } from '../events/identity';
import { placesOf } from '../events/places';
import {
	readAttemptNumber,
	readFields,
	readLoggedBody,
	readSurest,
	readSurestText,
	readNextAttempt,
	type LogField,
} from './logFields';
import { readResult, statesResult } from './outcome';
import { isHtml } from '../service/errors';
import { isId, isObject } from '../text/json';
import { toIso } from '../text/times';

/** The values of a delivery record, in fields that don't depend on the service; null for the unknown. */
export type DeliveryDetails = ReturnType<typeof readDetails>;

/** Without blanks and digits but a version's: `call.completed.v2`, but not `evt_3NqA8` */
const EVENT_TYPE = /^([\p{L}_.:/*-]|v\d){1,200}$/iu;

/** The endpoint whose log was read. */
export interface LoggedEndpoint {
	id: string;
	url?: string;
}

/** Reads the values of a delivery record from its fields. */
function readDetails(fields: ReturnType<typeof readFields>, endpoint: LoggedEndpoint) {
	const { own, attempts, all, time } = fields;
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
		/** As the record states it, else as the event does. */
		eventType: readSurestText(own, 'eventType', EVENT_TYPE) ?? inEvent?.text ?? null,
		/** The time of the latest attempt: ISO 8601 in UTC. */
		time: toIso(time),
		...readResult(all),
		/** Counted from 1. */
		attempt: readAttemptNumber(all) ?? (attempts.length || null),
		/** The delivered event, if the log holds it. */
		event: event as IDataObject | IDataObject[] | null,
	};
}

/** @returns true if n8n answered while it was starting: with 200, and without taking the event in */
export function wasStarting({ response }: DeliveryDetails): boolean {
	return /n8n is starting up/i.test(response ?? '');
}

/**
 * Decides whether the receiver took the event in. At the endpoint of a trigger, n8n's status decides:
 * `failed` with 200 → true; `delivered` with 503, or with the 302 of a proxy's login → false
 *
 * @returns null for a delivery under way or unknown
 */
export function hasArrived(delivery: DeliveryDetails): boolean | null {
	if (wasStarting(delivery)) return false;
	const { status, succeeded, response, webhookUrl } = delivery;
	const isTriggers = isOfTrigger(webhookUrl ?? '');
	const end = isTriggers && status !== null && status >= 200 ? status < 300 : succeeded;
	if (!end || !isHtml(response ?? '')) return end;
	// n8n never answers with a web page. Other receivers may.
	return isTriggers ? false : null;
}

/** A record of the delivery log, as it was read. */
export type LoggedAttempt = ReturnType<typeof readAttempt>;

/**
 * Reads a record of the log by the words of its names, with the identity of its event. Pure.
 *
 * @param publishedAt the time of a record without a time zone is not earlier: the log is this endpoint's own (ms since
 *   the epoch)
 */
export function readAttempt(
	record: IDataObject,
	endpoint: LoggedEndpoint,
	publishedAt = -Infinity,
) {
	const fields = readFields(record, publishedAt);
	const { own, all, attempts } = fields;
	const details = readDetails(fields, endpoint);
	const lastArrived = hasArrived(details);
	// Each attempt that a record lists is read as its only one.
	const results = attempts.map((fields) => hasArrived({ ...details, ...readResult(fields) }));
	return {
		/** As the service sent it; empty in a reading that the next poll goes on with. */
		record,
		details,
		/** Of its event. */
		identity: readIdentity(own, details, attempts.length > 0),
		/** Whether the event arrived, with this attempt or with one that the record lists; null for an unknown result. */
		hasArrived: results.includes(true) ? true : lastArrived,
		/** Whether its latest attempt arrived; null for an unknown result. */
		lastArrived,
		/** Whether the record states nothing about its result: the service got no answer, or waits for it. */
		isSilent: (details.status ?? details.response) === null && !all.some(statesResult),
		/** When the service sends the event again (ms since the epoch); 0 if it does not say so. */
		nextAttemptAt: readNextAttempt(all),
	};
}

/**
 * Sorts attempts by time. At the same time the higher number is the newer one, then the failed one, so that no failure
 * is overlooked.
 *
 * @returns undefined for several attempts of which one has no time
 */
export function newestFirst(attempts: LoggedAttempt[]): LoggedAttempt[] | undefined {
	const isUnknown = attempts.some(({ details }) => details.time === null);
	if (attempts.length > 1 && isUnknown) return undefined;
	const timeOf = ({ details }: LoggedAttempt) => Date.parse(details.time ?? '') || 0;
	return attempts.toSorted(
		(one, other) =>
			timeOf(other) - timeOf(one) ||
			(other.details.attempt ?? 1) - (one.details.attempt ?? 1) ||
			Number(one.lastArrived) - Number(other.lastArrived),
	);
}

/** @param isList whether the record lists attempts: its own id is the delivery's then */
function readIdentity(own: LogField[], details: DeliveryDetails, isList: boolean): EventIdentity {
	const { id, event, eventType } = details;
	const read = (topic: 'eventId' | 'deliveryId') =>
		readSurest(own, topic, ({ value }) => idIn(value));
	const isKnown = (one: string | null) => one !== null;
	const ofEvent = [read('eventId'), ...readBodyIds(event).sure].filter(isKnown);
	const ofDelivery = [read('deliveryId'), isList ? id : null].filter(isKnown);
	const identity = identityOf(eventType, [...ofEvent, ...ofDelivery], event, ofEvent.length > 0);
	const isPart = read('eventId') !== null && isObject(event) && placesOf(event).length === 0;
	return isPart ? { ...identity, isPart } : identity;
}
