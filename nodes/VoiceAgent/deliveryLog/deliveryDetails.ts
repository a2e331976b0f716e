import type { IDataObject } from 'n8n-workflow';

import { withCallDetails } from '../callDetails/callDetails';
import { isObject, parseJson } from '../matcher/fields';
import { beginning } from '../api/messages';
import {
	areAll,
	ATTEMPTS,
	BODY,
	DELIVERY,
	ENDPOINT,
	EVENT,
	findBest,
	hasAny,
	isOfAnother,
	LONGEST_TEXT,
	readAttempt,
	readFields,
	readTime,
	readWords,
	REQUEST,
	RESPONSE,
	setOf,
	type Field,
} from './fields';
import { readError, readStatus, readSucceeded } from './outcome';

/** What a delivery record tells, in fields that don't depend on the service; null for what it does not tell. */
export interface DeliveryDetails extends IDataObject {
	/** The record's own id: the attempt's where the log records attempts. */
	id: string | null;
	/** The endpoint whose log it is. */
	endpointId: string;
	/** Without its query, which holds what authenticates. */
	webhookUrl: string | null;
	eventType: string | null;
	/** When it was attempted, the latest time where there were several: ISO 8601 in UTC. */
	time: string | null;
	/** The HTTP status of the receiver's answer. */
	status: number | null;
	/** Null where it is under way, or where its parts disagree. */
	succeeded: boolean | null;
	/** The beginning of the receiver's answer. */
	response: string | null;
	/** Why there was no answer, or none that counts, in the service's words; null where it succeeded. */
	error: string | null;
	/** Counted from 1. */
	attempt: number | null;
	/** What was sent, where the log holds it; in records, each event with its call details, as the trigger gives it. */
	event: IDataObject | IDataObject[] | null;
}

/** An endpoint as far as it is known whose log was read. */
export interface LoggedEndpoint {
	id: string;
	url?: string;
}

/** The field that delivery details are added as. */
const FIELD = 'deliveryDetails';

/**
 * Puts the details of each delivery first in its record. Where a record has a field of that name,
 * ours goes under a name that is free in all of them.
 */
export function withDeliveryDetails(
	records: IDataObject[],
	endpoint: LoggedEndpoint,
): Array<{ json: IDataObject; details: DeliveryDetails }> {
	let field = FIELD;
	for (let count = 1; records.some((record) => field in record); count++) {
		field = `${FIELD}_${count}`;
	}
	return records.map((record) => {
		const read = readDeliveryDetails(record, endpoint);
		const details = { ...read, event: describeCalls(read.event) };
		return { json: { [field]: details, ...record }, details };
	});
}

/** Adds call details to the events, so that a workflow can do with them what it does behind the trigger. */
function describeCalls(event: DeliveryDetails['event']): DeliveryDetails['event'] {
	if (Array.isArray(event)) {
		return event.map((each) => (isObject(each) ? withCallDetails(each).json : each));
	}
	return event && withCallDetails(event).json;
}

/** Reads what a delivery record tells, by the meaning of its names. Pure. */
export function readDeliveryDetails(
	record: IDataObject,
	endpoint: LoggedEndpoint,
): DeliveryDetails {
	const { own, latest, attempts } = readFields(record);
	// The latest attempt goes before what is said of them all.
	const fields = [...latest, ...own];
	const status = readStatus(fields) ?? null;
	const id = readId([...own, ...latest], endpoint.id) ?? null;
	const event = readEvent(fields, own) ?? null;
	const time = readTime(latest) ?? readTime(own);
	const succeeded = readSucceeded(fields, status) ?? null;
	return {
		id,
		endpointId: endpoint.id,
		webhookUrl: maskQuery(endpoint.url ?? readUrl(fields, id)),
		eventType: readEventType(own, event) ?? null,
		time: time === undefined ? null : new Date(time).toISOString(),
		status,
		succeeded,
		response: readResponse(fields) ?? null,
		// It may be that of an earlier attempt.
		error: (succeeded !== true && readError(fields)) || null,
		attempt: readAttempt(latest) ?? readAttempt(own) ?? attempts ?? null,
		event,
	};
}

const ID = setOf('id uuid uid guid sid');

function readId(fields: Field[], endpointId: string): string | undefined {
	return findBest(
		fields,
		({ value }) => {
			const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
			return id === '' || id === endpointId ? undefined : id;
		},
		({ words, within }) => {
			if (isOfAnother(within) || hasAny(within, RESPONSE) || !hasAny(words, ID)) return undefined;
			if (words.length === 1) return within.length === 0 ? 3 : 1;
			return areAll(words, ID, DELIVERY, ATTEMPTS) && hasAny(words, ATTEMPTS) ? 2 : undefined;
		},
	);
}

function readResponse(fields: Field[]): string | undefined {
	return findBest(
		fields,
		({ value }) => {
			if (typeof value === 'string') return beginning(value) || undefined;
			if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return;
			return beginning(JSON.stringify(value));
		},
		({ words, within, value, isEntered }) => {
			const all = [...within, ...words];
			if (isEntered && hasAny(words, BODY)) return undefined;
			if (!hasAny(all, RESPONSE) || hasAny(words, REQUEST)) return undefined;
			if (hasAny(words, BODY) && areAll(words, BODY, RESPONSE)) return 2;
			if (!areAll(words, RESPONSE)) return undefined;
			const names = isObject(value) ? Object.keys(value).map(readWords) : [];
			const isHttp = names.some((name) => hasAny(name, setOf('status code header body duration')));
			return isHttp ? undefined : 1;
		},
	);
}

const ADDRESS = setOf('url uri address link href endpoint destination target');
const BESIDE_ADDRESS = setOf('webhook hook request requested callback delivery last sent http to');

function readUrl(fields: Field[], id: string | null): string | undefined {
	return findBest(
		fields,
		({ value }) => {
			if (typeof value !== 'string' || !/^https?:\/\//i.test(value)) return undefined;
			// The record's own address at the service has its id in it.
			return !URL.canParse(value) || (id !== null && value.includes(id)) ? undefined : value;
		},
		({ words, within }) => {
			if (hasAny(within, RESPONSE) || hasAny(within, EVENT)) return undefined;
			if (!hasAny(words, ADDRESS) || !areAll(words, ADDRESS, BESIDE_ADDRESS)) return undefined;
			return words.length > 1 || hasAny(within, ENDPOINT) || hasAny(within, REQUEST) ? 2 : 1;
		},
	);
}

/** Shows a URL without its query, which may hold what authenticates; null where it is none. */
export function maskQuery(url: string | undefined): string | null {
	if (url === undefined || !URL.canParse(url)) return null;
	const { origin, pathname, search } = new URL(url);
	return origin + pathname + (search && '?***');
}

const TYPE = setOf('type name topic kind');

function readEventType(own: Field[], event: DeliveryDetails['event']): string | undefined {
	const inEvent = isObject(event)
		? Object.entries(event).map(([name, value]) => ({
				words: readWords(name),
				within: ['event'],
				value: value as unknown,
				isEntered: false,
			}))
		: [];
	return findBest([...own, ...inEvent], readTypeName, ({ words, within, value }) => {
		if (hasAny(within, RESPONSE) || hasAny(within, ENDPOINT)) return undefined;
		const name = words.join(' ');
		if (/^(webhook )?event( webhook)? (type|name|topic)$|^webhook topic$/.test(name)) return 3;
		if (name === 'topic' || name === 'event') return 2;
		if (hasAny(within, EVENT) && areAll(words, TYPE)) return name === 'type' ? 2 : 1;
		// The record's own type, unless it is written like an event's.
		return /^(type|trigger|hook)$/.test(name) && /[._:/]/.test(String(value)) ? 0 : undefined;
	});
}

/** A name without blanks that is neither an id nor a word for any delivery. */
function readTypeName({ value }: Field): string | undefined {
	if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined;
	if (!/^[\p{L}\p{N}_.:/*-]+$/u.test(value) || value.includes('://')) return undefined;
	if (/^[\d-]+$|[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value)) return undefined;
	// Such as `evt_3NqA8c2eZv`.
	if (/^[a-z]{1,8}[_-](?=[^\d]*\d)[A-Za-z0-9]{6,}$/.test(value)) return undefined;
	const words = readWords(value);
	return areAll(words, DELIVERY, EVENT, setOf('event log record')) ? undefined : value;
}

function readEvent(fields: Field[], own: Field[]): DeliveryDetails['event'] | undefined {
	const hasResponse = own.some(
		({ words }) => hasAny(words, RESPONSE) && hasAny(words, BODY) && !hasAny(words, REQUEST),
	);
	return findBest(fields, readJson, ({ words, within, value, isEntered }) => {
		const all = [...within, ...words];
		if (hasAny(all, RESPONSE) || (isEntered && hasAny(words, BODY))) return undefined;
		const isBody = hasAny(words, BODY) && areAll(words, BODY, EVENT, REQUEST, DELIVERY);
		if (isBody && hasAny(all, REQUEST)) return 4;
		if (isBody && words.includes('payload')) return 3;
		// Of a bare `body` it can't be told whose it is, unless the answer's is there too.
		if (words.join() === 'body') return hasResponse ? 1 : undefined;
		if (areAll(words, EVENT, DELIVERY) && hasAny(words, EVENT)) {
			return isObject(value) && isReference(value) ? undefined : 2;
		}
		if (areAll(words, REQUEST)) return isObject(value) && isRequest(value) ? undefined : 2;
		return isBody ? 1 : undefined;
	});
}

/** Tells whether an event is only named: `{ id, type }`. */
function isReference(event: IDataObject): boolean {
	const about = setOf('object status version created at time timestamp');
	return Object.keys(event).every((name) => areAll(readWords(name), ID, TYPE, EVENT, about));
}

function isRequest(value: IDataObject): boolean {
	return Object.keys(value).some((name) =>
		hasAny(readWords(name), setOf('header url uri method body payload')),
	);
}

/** An object or a list that is not empty, also as JSON text. */
function readJson({ value }: Field): DeliveryDetails['event'] | undefined {
	const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
	const isFull = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0;
	return isFull ? (parsed as IDataObject | IDataObject[]) : undefined;
}
