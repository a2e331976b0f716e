import type { IDataObject } from 'n8n-workflow';

import { beginning, isObject, parseJson } from '../../transport/read';
import { readInstant } from '../../trigger/callDetails/times';
import { setOf } from '../../trigger/callDetails/words';
import {
	areAll,
	BODY,
	DELIVERY,
	ENDPOINT,
	ERROR,
	EVENT,
	findBest,
	hasAny,
	readAttempt,
	readFields,
	readTime,
	readWords,
	REQUEST,
	RESPONSE,
	WRAPPER,
	type DeliveryFields,
	type Field,
} from './deliveryFields';

/** What a delivery record tells, in fields that don't depend on the service; null for what it does not tell. */
export interface DeliveryDetails extends IDataObject {
	/** The record's own id: the attempt's where the log records attempts. */
	id: string | null;
	/** The endpoint whose log it is. */
	endpointId: string;
	/** Without its query, which holds what authenticates. */
	endpointUrl: string | null;
	eventType: string | null;
	/** When it was attempted, the latest time where there were several: ISO 8601 in UTC. */
	time: string | null;
	/** The HTTP status of the receiver's answer. */
	status: number | null;
	/** Null where it is under way, or where its parts disagree. */
	succeeded: boolean | null;
	/** The beginning of the receiver's answer. */
	response: string | null;
	/** Counted from 1. */
	attempt: number | null;
	/** What was sent, where the log holds it. */
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
		const details = readDeliveryDetails(record, endpoint);
		return { json: { [field]: details, ...record }, details };
	});
}

/** Reads what a delivery record tells, by the meaning of its names. Pure, and never throws. */
export function readDeliveryDetails(
	record: IDataObject,
	endpoint: LoggedEndpoint,
): DeliveryDetails {
	const { own, latest, attempts }: DeliveryFields = readFields(record);
	// The latest attempt goes before what is said of them all.
	const fields = [...latest, ...own];
	const status = readStatus(fields) ?? null;
	const id = readId([...own, ...latest], endpoint.id) ?? null;
	const event = readEvent(fields, own) ?? null;
	const time = readTime(latest) ?? readTime(own);
	return {
		id,
		endpointId: endpoint.id,
		endpointUrl: maskQuery(endpoint.url ?? readUrl(fields, id)),
		eventType: readEventType(own, event) ?? null,
		time: time === undefined ? null : new Date(time).toISOString(),
		status,
		succeeded: readSucceeded(fields, status) ?? null,
		response: readResponse(fields) ?? null,
		attempt: readAttempt(latest) ?? readAttempt(own) ?? attempts ?? null,
		event,
	};
}

/** Texts that are longer tell no state and no type. */
const LONGEST = 200;

const ID = setOf('id uuid uid guid sid');

function readId(fields: Field[], endpointId: string): string | undefined {
	return findBest(
		fields,
		({ value }) => {
			const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
			return id === '' || id === endpointId ? undefined : id;
		},
		({ words, within }) => {
			if (!areAll(within, DELIVERY, WRAPPER) || !words.some((word) => ID.has(word))) return;
			if (words.length === 1) return within.length === 0 ? 3 : 1;
			return areAll(words, ID, DELIVERY) && hasAny(words, setOf('delivery attempt transmission'))
				? 2
				: undefined;
		},
	);
}

const STATUS = setOf('http status code returned return server webhook endpoint destination result');
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;
/** In words: "Invalid HTTP Response: 503", "Request failed with status code 500". */
const SAID_STATUS = /\b(?:http|status|status code|response|http error):? ([1-5]\d\d)\b/i;

function readStatus(fields: Field[]): number | undefined {
	return findBest(
		fields,
		({ value }) => {
			if (typeof value === 'number') {
				return Number.isInteger(value) && value >= 100 && value < 600 ? value : undefined;
			}
			if (typeof value !== 'string' || value.length > LONGEST) return undefined;
			const code = (STATUS_LINE.exec(value.trim()) ?? SAID_STATUS.exec(value))?.[1];
			return code === undefined ? undefined : Number(code);
		},
		({ words, within, value }) => {
			if (isOfAnother(within)) return undefined;
			if (hasAny(words, ERROR) || hasAny(within, ERROR)) {
				return typeof value === 'string' ? 0 : undefined;
			}
			if (!areAll(words, STATUS, RESPONSE, DELIVERY)) return undefined;
			if (areAll(words, RESPONSE)) return 2;
			if (!hasAny(words, setOf('http status code'))) return undefined;
			if (hasAny([...within, ...words], RESPONSE) || words.includes('http')) return 4;
			return words.includes('code') ? (words.includes('status') ? 3 : 1) : 2;
		},
	);
}

const STATE = setOf('status state result outcome disposition');
const BESIDE_STATE = setOf('text label is was has been the name overall processing');
const SUCCESS = setOf('success succeeded succeed successful ok delivered accepted acknowledged');
const FAILURE = setOf(
	'fail failed failing failure error errored exception timeout timed exhausted rejected refused undelivered undeliverable unsuccessful unreachable invalid dead dropped discarded skipped cancelled canceled expired aborted blocked broken',
);
const PENDING = setOf(
	'pending queued scheduled rescheduled retry retrying retried sending waiting hold held delayed paused new progress processing started running',
);
const NEGATION = setOf('not no non never without un');

/** What a name or a text says of a delivery; undefined where it says nothing of its end. */
function verdictOf(words: string[]): boolean | 'pending' | undefined {
	const isNegated = hasAny(words, NEGATION);
	if (hasAny(words, FAILURE)) return isNegated ? undefined : false;
	if (hasAny(words, PENDING)) return 'pending';
	return hasAny(words, SUCCESS) ? !isNegated : undefined;
}

function readSucceeded(fields: Field[], status: number | null): boolean | undefined {
	const ofDelivery = fields.filter(
		({ within }) => !isOfAnother(within) && !hasAny(within, RESPONSE) && !hasAny(within, ERROR),
	);
	const said = ofDelivery.map(stateIn).filter((verdict) => verdict !== undefined);
	const ends = said.filter((verdict) => verdict !== 'pending');
	if (status !== null && status >= 200 && (status < 300 || status >= 400)) ends.push(status < 300);
	else if (said.includes('pending')) return undefined;
	const [end, ...others] = ends.length > 0 ? ends : fields.map(hintIn).filter(isTold);
	return others.every((other) => other === end) ? end : undefined;
}

/** What a field says of the delivery's state: a text, or a boolean such as `succeeded`. */
function stateIn({ words, value }: Field): boolean | 'pending' | undefined {
	const rest = words.filter((word) => !BESIDE_STATE.has(word) && !DELIVERY.has(word));
	const isState = rest.length > 0 && areAll(rest, STATE);
	if (typeof value === 'string') {
		// `response_status: "timeout"`
		const isText = hasAny(rest, STATE) && areAll(rest, STATE, RESPONSE);
		return isText && value.length <= LONGEST ? verdictOf(readWords(value)) : undefined;
	}
	if (typeof value !== 'boolean') return undefined;
	if (isState) return value;
	// Such as `delivered`, of which the words of the delivery are a part.
	const telling = words.filter((word) => !BESIDE_STATE.has(word));
	if (telling.length > 0 && areAll(telling, SUCCESS, DELIVERY) && hasAny(telling, SUCCESS)) {
		return value;
	}
	if (rest.length === 1 && areAll(rest, FAILURE) && value) return false;
	return undefined;
}

/** What a field lets one think of the delivery's end where nothing says it: an error, or a time. */
function hintIn({ words, within, value }: Field): boolean | undefined {
	if (isOfAnother(within) || hasAny(within, RESPONSE)) return undefined;
	if (readInstant(value, true) !== undefined) {
		const happened = words.filter((word) => !DELIVERY.has(word));
		if (words.at(-1) === 'at' && happened.length === 2 && happened[0] !== 'delivered') {
			const verdict = verdictOf(happened);
			return verdict === 'pending' ? undefined : verdict;
		}
		return undefined;
	}
	const isError =
		hasAny(words, ERROR) && areAll(words, ERROR, setOf('message reason code text detail type'));
	if (!isError || !value || words.includes('type')) return undefined;
	const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
	return isEmpty || /^(none|null|0)$/i.test(String(value)) ? undefined : false;
}

function isTold(verdict: boolean | undefined): verdict is boolean {
	return verdict !== undefined;
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
		const isNamed = name === 'type' || name === 'trigger';
		return isNamed && /[._:/]/.test(String(value)) ? 0 : undefined;
	});
}

/** A name without blanks that is neither an id nor a word for any delivery. */
function readTypeName({ value }: Field): string | undefined {
	if (typeof value !== 'string' || value.length > LONGEST) return undefined;
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
		if (areAll(words, EVENT, DELIVERY) && hasAny(words, EVENT)) return 2;
		if (areAll(words, REQUEST)) return isObject(value) && isRequest(value) ? undefined : 2;
		return isBody ? 1 : undefined;
	});
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

/** Tells whether something stands in what is not the delivery: the event, the endpoint, the request. */
function isOfAnother(within: string[]): boolean {
	return hasAny(within, EVENT) || hasAny(within, ENDPOINT) || hasAny(within, REQUEST);
}
