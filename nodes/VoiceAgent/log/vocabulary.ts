/* Words in the names and texts of delivery logs, in lower case and the singular. */

import type { TopicNames } from '../text/topics';
import { groupsOf, setOf, DATE_WORDS, ENVELOPES, TYPE_NAMES } from '../text/words';

/** The word of the tables below for each word that means the same. */
export const STANDS_FOR = groupsOf({
	response: 'respond, resp, res, reply, answer, receiver',
	request: 'requested, req, sent, send',
	event: 'message, msg, notification',
	body: 'content, text, json, raw',
	endpoint: 'destination, target, subscription, subscriber',
	delivery: 'deliver, dispatch',
	attempt: 'attempted, try, trial, transmission, invocation',
	webhook: 'hook',
	error: 'exception, failure, fault',
	url: 'uri, address, link, href',
	id: 'uuid, uid, sid',
});

const DELIVERY = 'delivery, attempt, last, latest, final, current';

/** Words in the names of objects and lists, which decide whether their fields are read. */
export const OBJECTS = {
	/** Of objects that hold parts of a record. */
	parts: setOf(`${DELIVERY}, response, request, event, endpoint, webhook`),
	/** Of objects that only wrap fields. */
	wrappers: setOf(`
		${ENVELOPES.record}, ${ENVELOPES.fields}, ${ENVELOPES.about}, metadata, detail, node, http, outcome,
		exchange, server, log
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
const CLOCK = `${DATE_WORDS}, last, latest`;

const SUCCESS = 'success, succeeded, succeed, successful, ok, delivered, accepted';
const PLAIN_FAILURE =
	'fail, failed, failing, failure, error, errored, unsuccessful, undelivered, exhausted, dead';
export const FAILURES = setOf(`
	${PLAIN_FAILURE}, exception, timeout, timed, rejected, refused, undeliverable, unreachable,
	invalid, dropped, discarded, skipped, cancelled, canceled, expired, aborted, blocked, broken
`);
export const SUCCESSES = setOf(SUCCESS);
export const NEGATIONS = setOf('not, no, non, never, un');
/** Words of a state that give no reason. */
export const PLAIN_FAILURES = setOf(`${PLAIN_FAILURE}, permanently, ${DELIVERY}`);

/** Names of fields with those of the objects that hold them: a `status` in a `response` is `response status`. */
export const LOG_TOPICS = {
	id: {
		ranked: `
			id, guid, webhook delivery id, attempt id, attempt guid, delivery id, delivery guid, log id,
			log guid
		`,
	},
	eventId: { sure: 'event id, event guid' },
	deliveryId: { sure: 'delivery id, delivery guid, guid', beside: 'webhook, event' },
	/**
	 * The names of the attempt's time, of its end, of its record, and of the receiver's response. The empty name among
	 * them is that of a field with words of `beside` only: `at`, `timestamp`.
	 */
	time: {
		ranked: `
			attempt, request, delivered, delivery, dispatched, triggered, fired, posted, transmitted,
			invoked, , started, start, begun, executed, completed, complete, finished, ended,
			responded, received, succeeded, successful, failed, processed, created, create, added,
			logged, recorded, response, response created
		`,
		beside: CLOCK,
	},
	/** The names of the time of the service's next attempt. */
	nextAttempt: {
		sure: 'next, retry, next retry, scheduled, rescheduled, retry scheduled',
		beside: `${CLOCK}, attempt, delivery, request, webhook, for, after, run`,
	},
	attempt: {
		sure: 'attempt',
		lessSure: 'retry count, retry number, retry num, retry no',
		beside: 'number, num, no, count, made, total, current, delivery, time',
	},
	status: {
		sure: `
			response status, response code, response status code, http status, http code,
			http status code, http response status, http response code
		`,
		ranked: 'status code, status, code',
		beside: `returned, return, server, webhook, endpoint, ${DELIVERY}`,
	},
	outcome: {
		sure: `${SUCCESS}, status, state, result, outcome, disposition, response status`,
		beside: `${DELIVERY}, body, label, is, was, has, been, the, name, overall, processing`,
	},
	error: {
		ranked: 'error, error code',
		beside: `event, reason, body, detail, description, webhook, ${DELIVERY}`,
	},
	url: {
		sure: 'endpoint url, webhook url, request url, callback url, delivery url',
		lessSure: 'url, endpoint',
		beside: 'webhook, request, callback, delivery, last, to, endpoint, attempt',
	},
	response: {
		sure: 'response body, response payload, response data',
		lessSure: 'response',
	},
	event: {
		ranked: `
			request body, request payload, request data, event payload, payload, event, request,
			data, event data, event body
		`,
		beside: `webhook, ${DELIVERY}`,
	},
	eventType: {
		sure: TYPE_NAMES,
		lessSure: 'topic, event',
		beside: 'webhook',
	},
} satisfies Record<string, TopicNames>;
