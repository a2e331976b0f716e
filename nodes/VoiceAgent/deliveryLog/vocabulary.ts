/* Words in the names and texts of delivery logs, in lower case and the singular. */

import { listed, setOf } from '../matcher/words';
import type { TopicNames } from '../matcher/topicFinder';

/** Words for the same thing, by the word that stands for all of them in the tables below. */
export const SYNONYMS: Readonly<Record<string, string[]>> = {
	response: ['respond', 'resp', 'res', 'reply', 'answer', 'receiver'],
	request: ['requested', 'req', 'sent', 'send'],
	event: ['message', 'msg', 'notification'],
	body: ['content', 'text', 'json', 'raw'],
	endpoint: ['destination', 'target', 'subscription', 'subscriber'],
	delivery: ['deliver', 'dispatch'],
	attempt: ['attempted', 'try', 'trial', 'transmission', 'invocation'],
	webhook: ['hook'],
	error: ['exception', 'failure', 'fault'],
	url: ['uri', 'address', 'link', 'href'],
	id: ['uuid', 'uid', 'sid'],
};

/** Words in the names of objects and lists, which decide whether their fields are read. */
export const OBJECTS = {
	/** Of objects that hold parts of a record. */
	parts: setOf(`
		response, request, event, endpoint, delivery, attempt, webhook, last, latest, final, current
	`),
	/** Of objects that only wrap fields. */
	wrappers: setOf(`
		node, attribute, record, item, entry, property, field, detail, http, meta, metadata, info,
		result, outcome, exchange, server, log
	`),
	/** Of a request's or a response's body. */
	bodies: setOf('body, payload, data'),
	/** Of fields that only a request or a response of HTTP has. */
	httpFields: setOf('header, method'),
	/** Of lists of attempts. */
	attempts: setOf('attempt, delivery'),
	/** Of the fields of an event that is only named, such as `{ id, type }`. */
	reference: setOf(`
		id, guid, type, name, topic, kind, event, object, status, version, created, at, time,
		timestamp
	`),
};
const DELIVERY = listed('delivery, attempt, last, latest, final, current');
const CLOCK = listed(`
	at, on, time, timestamp, ts, date, datetime, utc, gmt, unix, epoch, iso, ms, millisecond, sec,
	second, last, latest
`);

const SUCCESS = listed('success, succeeded, succeed, successful, ok, delivered, accepted');
export const FAILURES = setOf(`
	fail, failed, failing, failure, error, errored, exception, timeout, timed, exhausted, rejected,
	refused, undelivered, undeliverable, unsuccessful, dead, unreachable, invalid, dropped,
	discarded, skipped, cancelled, canceled, expired, aborted, blocked, broken
`);
export const SUCCESSES: ReadonlySet<string> = new Set(SUCCESS);
export const NEGATIONS = setOf('not, no, non, never, un');
/** Words of a state that give no reason. */
export const PLAIN_FAILURES = setOf(`
	fail, failed, failing, failure, error, errored, unsuccessful, undelivered, exhausted, dead,
	permanently, delivery, attempt, last, latest, final, current
`);

/** Names of fields with those of the objects that hold them: a `status` in a `response` is `response status`. */
export const LOG_TOPICS = {
	id: {
		sure: ['id'],
		lessSure: ['guid'],
		ranked: listed(`
			webhook delivery id, attempt id, attempt guid, delivery id, delivery guid, log id, log guid
		`),
	},
	eventId: { sure: ['event id', 'event guid'] },
	deliveryId: { sure: ['delivery id', 'delivery guid', 'guid'], beside: ['webhook', 'event'] },
	/** The names of the attempt's time, of its end, of its record, and of the receiver's response. */
	time: {
		ranked: listed(`
			attempt, request, delivered, delivery, dispatched, triggered, fired, posted, transmitted,
			invoked, , started, start, begun, executed, completed, complete, finished, ended,
			responded, received, succeeded, successful, failed, processed, created, create, added,
			logged, recorded, response, response created
		`),
		beside: CLOCK,
	},
	/** The names of the time of the service's next attempt. */
	nextAttempt: {
		sure: ['next', 'retry', 'next retry', 'scheduled', 'rescheduled', 'retry scheduled'],
		beside: [...CLOCK, 'attempt', 'delivery', 'request', 'webhook', 'for', 'after', 'run'],
	},
	attempt: {
		sure: ['attempt'],
		lessSure: ['retry count', 'retry number', 'retry num', 'retry no'],
		beside: ['number', 'num', 'no', 'count', 'made', 'total', 'current', 'delivery', 'time'],
	},
	status: {
		sure: listed(`
			response status, response code, response status code, http status, http code,
			http status code, http response status, http response code
		`),
		lessSure: ['status code'],
		ranked: ['status', 'code'],
		beside: ['returned', 'return', 'server', 'webhook', 'endpoint', ...DELIVERY],
	},
	outcome: {
		sure: [...SUCCESS, ...listed('status, state, result, outcome, disposition, response status')],
		beside: [
			...DELIVERY,
			...listed('body, label, is, was, has, been, the, name, overall, processing'),
		],
	},
	error: {
		sure: ['error'],
		lessSure: ['error code'],
		beside: ['event', 'reason', 'body', 'detail', 'description', 'webhook', ...DELIVERY],
	},
	url: {
		sure: ['endpoint url', 'webhook url', 'request url', 'callback url', 'delivery url'],
		lessSure: ['url', 'endpoint'],
		beside: ['webhook', 'request', 'callback', 'delivery', 'last', 'to', 'endpoint', 'attempt'],
	},
	response: {
		sure: ['response body', 'response payload', 'response data'],
		lessSure: ['response'],
	},
	event: {
		ranked: listed(`
			request body, request payload, request data, event payload, payload, event, request,
			data, event data, event body
		`),
		beside: ['webhook', ...DELIVERY],
	},
	eventType: {
		sure: ['event type', 'event name', 'event topic', 'event kind', 'webhook topic'],
		lessSure: ['topic', 'event'],
		beside: ['webhook'],
	},
} satisfies Record<string, TopicNames>;
