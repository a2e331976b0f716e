/**
 * Every point on which the service contract is silent ("not shown"), and the forms that a real
 * service may take there. The first value of each axis is what this project assumes until the
 * service shows otherwise; nothing that the contract states is varied.
 */
export const axes = {
	/** What a list stands in (contract, section 4: "exact response bodies … are not shown"). */
	listEnvelope: [
		/** Assumed: `{ "data": [ … ] }` */
		'data',
		/** `[ … ]`; the body then has no place for paging, see {@link effectivePaging}. */
		'array',
		/** `{ "items": [ … ] }` */
		'items',
		/** `{ "results": [ … ] }` */
		'results',
		/** Under the resource's name: `apiKeys`, `webhooks`, `deliveries` or `eventTypes`. */
		'resource',
		/** One level further down: `{ "data": { "webhooks": [ … ] } }` */
		'nested',
		/** Of no usual name, with other things and their ids beside it: see `listBody`. */
		'odd',
		/** As a connection of GraphQL: `{ "viewer": { "id": …, "edges": [ { "node": … } ] } }` */
		'edges',
		/** No list, but records by their ids: `{ "data": { "3f25…": { "id": "3f25…", … } } }` */
		'map',
	],
	/** What a single record stands in, e.g. the answer of a creation (contract, section 4). */
	recordEnvelope: [
		/** Assumed: the record is the body. */
		'bare',
		/** `{ "data": { … } }` */
		'data',
		/** Under the record's name: `apiKey` or `webhook`. */
		'resource',
		/** One level further down: `{ "data": { "webhook": { … } } }` */
		'nested',
		/** Beside the request's id: `{ "id": "req_…", "data": { … } }` */
		'request',
		/** Of no usual name: `{ "origin": { "id": "ws_…" }, "notes": [], "outcome": { … } }` */
		'odd',
		/** What is shown only once stands beside the record: `{ "apiKey": { … }, "key": … }` */
		'split',
	],
	/** What a list without entries is. */
	emptyList: [
		/** Assumed: `[]`, in the envelope of all lists. */
		'enveloped',
		/** `null`, in the envelope. */
		'null',
		/** 204, and no body. */
		'no content',
	],
	/** Where a record's fields stand (contract, section 2: "not shown beyond those above"). */
	recordShape: [
		/** Assumed: beside its `id`. */
		'flat',
		/** Below its `id`: `{ "id": …, "kind": "webhook", "attributes": { "url": … } }` */
		'attributes',
		/** Beside another record: `{ "owner": { "id": "ws_…", "name": … }, "id": …, "url": … }` */
		'related',
	],
	/** What an entry of the event catalog is (contract, section 4: "catalog of event types"). */
	catalogEntry: [
		/** Assumed: `{ "name": "call.completed", "description": … }` */
		'name',
		/** The event type's name. */
		'string',
		/** `{ "type": … , "description": … }` */
		'type',
		/** `{ "event": … , "description": … }` */
		'event',
		/** `{ "id": … , "description": … }` */
		'id',
		/** With an opaque id and a label: `{ "id": … , "name": "call completed", "slug": "call.completed" }` */
		'slug',
		/** Names, and what stands for all or some of them: `[ "call.started", …, "call.*", "*" ]` */
		'wildcards',
		/** No list, but groups of names: `{ "call": [ "call.started", … ], "chat": [ … ] }` */
		'groups',
		/** No list, but descriptions by name: `{ "call.started": "A call has begun", … }` */
		'map',
	],
	/** How a list that has more says so (contract, section 4 shows no paging). */
	paging: [
		/** Assumed: every list comes whole. */
		'none',
		/** `next_cursor` in the body, to be sent as the query `cursor`. */
		'cursor',
		/** The next page's absolute URL in the body, under `next`. */
		'next',
		/** The next page's absolute URL in a header: `Link: <…>; rel="next"`. */
		'link',
		/** `page` and `total_pages` in the body; `page` is also the query. */
		'page',
		/** `offset`, `limit` and `total` in the body; the former are also the query. */
		'offset',
		/** `nextMarker` in the body, to be sent as the query `marker`. */
		'marker',
		/** `last: false` and `number`, the page counted from 0, in the body; the query is `page`. */
		'last',
		/** `has_more: true` in the body; the last entry's id is the query `starting_after`; whole without ids. */
		'last id',
		/** `Content-Range: items 0-49/120` as a header; `offset` is the query. */
		'content-range',
		/** `X-Total-Count: 120` as a header; `page` is the query. */
		'total-count',
		/** `has_more: true`, and no way to get more. */
		'silent',
	],
	/** Where an error's message stands (contract, section 7: "not shown"). */
	errorBody: [
		/** Assumed: `{ "error": { "code": …, "message": … } }` */
		'error.message',
		/** `{ "message": … }` */
		'message',
		/** `{ "error": "…" }` */
		'error',
		/** `{ "detail": … }` */
		'detail',
		/** A problem document (RFC 9457) whose `title` is the message. */
		'title',
		/** `{ "errors": [ { "message": … } ] }` */
		'errors',
		/** An HTML page. */
		'html',
		/** The status alone. */
		'empty',
	],
	/** The status of success (contract, section 4: "success status codes … are not shown"). */
	successCode: [
		/** Assumed: 200 for lists, 201 for creations, 204 with no body for delete, revoke and test. */
		'conventional',
		/** 200 for everything, always with a JSON body. */
		'ok',
		/** 202 with no body for delete, revoke and test (which is then not waited for); else 200. */
		'accepted',
	],
	/** Where a delivery tells the event's type (contract, section 6: "payload shape … not shown"). */
	eventEnvelope: [
		/** Assumed: `{ "id": …, "type": …, "created_at": …, "data": { … } }` */
		'type',
		/** The same with `event` instead of `type`. */
		'event',
		/** The same with `event_type`. */
		'event_type',
		/** The same with `eventType`. */
		'eventType',
		/** `{ "event": { "id": …, "type": …, "created_at": … }, "data": { … } }` */
		'event.type',
		/** As the first with `topic` instead of `type`. */
		'topic',
		/** `{ "id": …, "type": "event", "name": …, "created_at": …, "data": { … } }` */
		'name',
		/** As CloudEvents has it: of the type `com.example.call.completed`, as `application/cloudevents+json`. */
		'cloudevents',
		/** In the header `x-event-type`, and nowhere in the body. */
		'header',
		/** The body is an array of one event, which is as the first. */
		'array',
		/** As the second with a `name`: `{ "event": { "id": …, "name": …, "created_at": … }, "data": … }` */
		'event.name',
		/** `{ "type": "webhook_event", "data": { "type": …, "object": { … } } }` */
		'data.type',
		/** In a header of the vendor's, `x-acme-event`, beside a `type` that says nothing: `inbound_call`. */
		'vendor header',
		/** As CloudEvents has it in binary mode: all in headers (`ce-type`), the body is the data. */
		'ce-type',
		/** A batch under a key: `{ "batch_id": …, "events": [ { … } ] }`, each event as the first. */
		'events',
	],
	/** How a delivery spells the event's type, which the catalog calls `call.completed`. */
	eventSpelling: [
		/** Assumed: as the catalog does. */
		'same',
		/** `CALL_COMPLETED` */
		'upper',
		/** `v1.call.completed` */
		'versioned',
		/** `call.completed.v1` */
		'version last',
		/** `urn:acme:call.completed` */
		'urn',
	],
	/** What a delivery tells of a call (contract, section 6: "payload shape … not shown"). */
	payload: [
		/** Assumed: `{ "call_id": …, "customer": { … }, "agent": { … }, "duration_seconds": … }` */
		'snake',
		/** `{ "call": { "id": …, "durationMs": … }, "customer": { … } }`, times in ms since 1970. */
		'camel',
		/** Nobody is called customer: `{ "id": …, "direction": "inbound", "from": …, "to": … }` */
		'from-to',
		/** The names of a telephone company's forms: `{ "CallSid": …, "From": …, "To": … }` */
		'form',
	],
	/** Which event the test operation sends (contract, section 6: "a sample event"). */
	sampleType: [
		/** Assumed: the first type that the endpoint subscribed to, else `call.completed`. */
		'subscribed',
		/** `ping`, which is not in the catalog. */
		'ping',
		/** One that does not tell its type. */
		'untyped',
	],
	/** What an endpoint's record shows as its `events` (contract, section 2). */
	listedEvents: [
		/** Assumed: what was chosen; no `events` where none were chosen. */
		'chosen',
		/** As chosen; `[]` where none were. */
		'empty',
		/** As chosen; `["*"]` where none were. */
		'star',
		/** As chosen; the whole catalog where none were. */
		'catalog',
		/** Never any `events`. */
		'hidden',
		/** What was chosen, spelled otherwise: `CALL_COMPLETED`. */
		'upper',
	],
	/** What an endpoint's record shows as its `url` (contract, section 2). */
	listedUrl: [
		/** Assumed: the URL as it was sent. */
		'asSent',
		/** With `***` for its query. */
		'masked',
		/** With as many `x` for each value in its query as that has characters. */
		'x-masked',
		/** Without its query. */
		'dropped',
		/** The same URL written another way: host in lower case, `%2f` as `%2F`, port 443 spelled out. */
		'normalised',
	],
	/** What shows that a delivery is the service's own (contract, section 6: "not shown"). */
	signature: [
		/** Assumed: nothing. */
		'none',
		/**
		 * Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`;
		 * the endpoint's secret (`whsec_…`) is in the answer of its creation, as `secret`, only there.
		 */
		'standard-webhooks',
		/** `x-signature: sha256=HEX`, the HMAC-SHA256 of the raw body by the workspace's secret. */
		'hmac-hex',
		/** `x-signature: BASE64`, of the same. */
		'hmac-base64',
		/** As the second, with the older names `svix-id`, …; the secret is there as `signing_key`. */
		'svix',
		/** `x-signature: t=SECONDS,v1=HEX`, the HMAC-SHA256 of `SECONDS.BODY` by the workspace's secret. */
		'timestamped',
	],
	/**
	 * When a failed delivery is tried again (contract, section 6: "not shown"). Assumed, too: a
	 * delivery has succeeded when any 2xx comes within 10 s; redirects are not followed.
	 */
	retrySchedule: [
		/** Assumed: ten tries, 1, 2, 4, 8, … s apart (times the sandbox's `retryScale`). */
		'backoff',
		/** One try. */
		'once',
		/** 25 tries, 0.2 s apart. */
		'eager',
	],
	/** What a URL has to do before it is registered (contract, section 4: "Register a URL"). */
	challenge: [
		/** Assumed: nothing. */
		'none',
		/** Answer a POST of `{ "challenge": TEXT }` with the same, else it is refused with 422. */
		'post',
	],
	/** What happens to a URL that is registered already. */
	sameUrl: [
		/** Assumed: it is registered once more. */
		'taken again',
		/** 409, if it is the same with its query. */
		'409 with query',
		/** 409, whatever its query. */
		'409',
		/** 422, whatever its query. */
		'422',
		/** The record that there is, whatever its query, as if it had just been created. */
		'old record',
	],
} as const;
