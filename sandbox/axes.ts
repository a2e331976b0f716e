/**
 * The axes: each is a point that the contract leaves open (docs/the-service.md), with the forms that services
 * have. The first value of each axis is assumed. No axis contradicts the contract.
 */
export const axes = {
	/** The envelope of a list. */
	listEnvelope: [
		/** Assumed: `{ "data": [ … ] }` */
		'data',
		/** `[ … ]`; the body then has no place for paging, see `effectivePaging`. */
		'array',
		/** Under the resource's name: `apiKeys`, `webhooks`, `deliveries` or `eventTypes`. */
		'resource',
		/** One level further down: `{ "data": { "webhooks": [ … ] } }` */
		'nested',
	],
	/** An entry of the event catalog. */
	catalogEntry: [
		/** Assumed: `{ "name": "call.completed", "description": … }` */
		'name',
		/** The event type's name. */
		'string',
		/** With an opaque id and a label: `{ "id": … , "name": "call completed", "slug": "call.completed" }` */
		'slug',
		/** No list, but descriptions by name: `{ "call.started": "A call has begun", … }` */
		'map',
	],
	/** The sign of a list that has more (the contract shows no paging). */
	paging: [
		/** Assumed: every list comes whole. */
		'none',
		/** `next_cursor` in the body, to be sent as the query `cursor`; at the end `null`. */
		'cursor',
		/** The next page's absolute URL in the body, under `next`. */
		'next',
		/** The next page's absolute URL in a header: `Link: <…>; rel="next"`. */
		'link',
		/** `page` and `total_pages` in the body; `page` is also the query. */
		'page',
		/** `offset`, `limit` and `total` in the body; the former are also the query. */
		'offset',
		/** `has_more: true` in the body; the last entry's id is the query `starting_after`; whole without ids. */
		'last id',
		/** `has_more: true`, and no way to get more. */
		'silent',
	],
	/** The envelope of a single record, e.g. the answer of a creation. */
	recordEnvelope: [
		/** Assumed: the record is the body. */
		'bare',
		/** `{ "data": { … } }` */
		'data',
		/** Under the record's name: `apiKey` or `webhook`. */
		'resource',
		/** A value that is shown only once stands beside the record: `{ "apiKey": { … }, "key": … }` */
		'split',
	],
	/** The place of a record's fields. */
	recordShape: [
		/** Assumed: beside its `id`. */
		'flat',
		/** Below its `id`: `{ "id": …, "kind": "webhook", "attributes": { "url": … } }` */
		'attributes',
	],
	/** The answer of success. */
	successCode: [
		/** Assumed: 200 for lists, 201 for creations, 204 with no body for delete, revoke and test. */
		'conventional',
		/** 200 for everything; `{ "success": true }` for delete, revoke and test. */
		'ok',
		/** 202 with no body for delete, revoke and test (whose delivery comes later), 204 for an empty list; else 200. */
		'accepted',
	],
	/** The `events` of an endpoint's record. */
	listedEvents: [
		/** Assumed: the selected types; without a selection, no `events`. */
		'chosen',
		/** The selected types; without a selection, `[]`. */
		'empty',
		/** The selected types; without a selection, `["*"]`. */
		'star',
		/** The selected types; without a selection, the whole catalog. */
		'catalog',
	],
	/** The `url` of an endpoint's record. */
	listedUrl: [
		/** Assumed: the URL as it was sent. */
		'asSent',
		/** With `***` for its query. */
		'masked',
		/** Without its query. */
		'dropped',
		/** The same URL written another way: `%2f` as `%2F`, port 443 spelled out, the query in reverse order. */
		'normalised',
	],
	/** A condition for registering a URL. */
	challenge: [
		/** Assumed: none. */
		'none',
		/** The URL answers a POST of `{ "challenge": TEXT }` with the same text, else 422. */
		'post',
	],
	/** The answer for a URL that is registered already. */
	sameUrl: [
		/** Assumed: it is registered once more. */
		'taken again',
		/** 409, whatever its query. */
		'409',
		/** The present record, whatever its query, as if it had just been created. */
		'old record',
	],
	/** The place of the event's type. */
	eventEnvelope: [
		/** Assumed: `{ "id": …, "type": …, "created_at": …, "data": { … } }` */
		'type',
		/** The same with `event` instead of `type`. */
		'event',
		/** `{ "event": { "id": …, "type": …, "created_at": … }, "data": { … } }` */
		'event.type',
		/** A CloudEvent: with the type `com.example.call.completed`, as `application/cloudevents+json`. */
		'cloudevents',
		/** In the header `x-event-type`, and nowhere in the body. */
		'header',
		/** The body is an array of one event in the first form. */
		'array',
	],
	/** The spelling of the event's type, which is `call.completed` in the catalog. */
	eventSpelling: [
		/** Assumed: as in the catalog. */
		'same',
		/** `CALL_COMPLETED` */
		'upper',
	],
	/** The fields of a call. */
	payload: [
		/** Assumed: `{ "call_id": …, "customer": { … }, "agent": { … }, "duration_seconds": … }` */
		'snake',
		/** `{ "call": { "id": …, "fromNumber": … }, "customer": { … } }`, times in ms since 1970. */
		'camel',
		/** The names of a telephone company's forms: `{ "CallSid": …, "From": …, "To": … }` */
		'form',
	],
	/** The event that the test operation sends. */
	sampleType: [
		/** Assumed: the first type that the endpoint subscribed to, else `call.completed`. */
		'subscribed',
		/** `ping`, which is not in the catalog. */
		'ping',
		/** An event without a type. */
		'untyped',
	],
	/** The proof that a delivery is the service's own. */
	signature: [
		/** Assumed: none. */
		'none',
		/**
		 * Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`;
		 * the endpoint's secret (`whsec_…`) is in the answer of its creation, as `secret`, only there.
		 */
		'standard-webhooks',
		/** `x-signature: sha256=HEX`, the HMAC-SHA256 of the raw body by the workspace's secret. */
		'hmac-hex',
		/** `x-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY` by the workspace's secret. */
		'timestamped',
	],
	/** The event in a record of the delivery log. */
	loggedEvent: [
		/** Assumed: the record has no event. */
		'none',
		/** As `payload`. */
		'payload',
	],
	/**
	 * The attempts of a failed delivery. Assumed, too: a
	 * delivery succeeds if any 2xx comes within 10 s; redirects are not followed.
	 */
	retrySchedule: [
		/** Assumed: ten attempts, 1, 2, 4, 8, … s apart (times the sandbox's `retryScale`). */
		'backoff',
		/** One attempt. */
		'once',
		/** 25 attempts, 0.2 s apart. */
		'eager',
	],
} as const;
