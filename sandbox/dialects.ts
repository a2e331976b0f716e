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
	],
	/** What an entry of the event catalog is (contract, section 4: "catalog of event types"). */
	catalogEntry: [
		/** Assumed: the event type's name. */
		'string',
		/** `{ "name": "call.completed", "description": … }` */
		'name',
		/** `{ "type": … , "description": … }` */
		'type',
		/** `{ "event": … , "description": … }` */
		'event',
		/** `{ "id": … , "description": … }` */
		'id',
		/** With an opaque id and a label: `{ "id": … , "name": "call completed", "slug": "call.completed" }` */
		'slug',
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
	],
	/** What an endpoint's record shows as its `url` (contract, section 2). */
	listedUrl: [
		/** Assumed: the URL as it was sent. */
		'asSent',
		/** With `***` for its query. */
		'masked',
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
} as const;

type Axes = typeof axes;

/** One value for each axis: all that a client of the service can't know from its contract. */
export type Dialect = { [Axis in keyof Axes]: Axes[Axis][number] };

/** The assumptions: the first value of each axis. */
export const defaultDialect = Object.fromEntries(
	Object.entries(axes).map(([axis, values]) => [axis, values[0]]),
) as Dialect;

/** Three whole services; the latter two differ from the first on every axis. */
export const namedDialects = {
	/** All assumptions. */
	assumed: defaultDialect,
	/** Everything in envelopes, told in full, and signed by the Standard Webhooks specification. */
	wrapped: {
		listEnvelope: 'nested',
		recordEnvelope: 'nested',
		catalogEntry: 'name',
		paging: 'page',
		errorBody: 'errors',
		successCode: 'ok',
		eventEnvelope: 'event.type',
		sampleType: 'ping',
		listedEvents: 'catalog',
		listedUrl: 'masked',
		signature: 'standard-webhooks',
		retrySchedule: 'eager',
	},
	/** As little in bodies as can be: bare arrays, and headers for the rest. */
	terse: {
		listEnvelope: 'array',
		recordEnvelope: 'resource',
		catalogEntry: 'id',
		paging: 'link',
		errorBody: 'title',
		successCode: 'accepted',
		eventEnvelope: 'header',
		sampleType: 'untyped',
		listedEvents: 'star',
		listedUrl: 'normalised',
		signature: 'hmac-hex',
		retrySchedule: 'eager',
	},
} as const satisfies Record<string, Dialect>;

/**
 * The paging that a dialect can express: a bare array has no place for paging data, so there
 * every paging but `none` is done by the `Link` header.
 */
export function effectivePaging({ listEnvelope, paging }: Dialect): Dialect['paging'] {
	return listEnvelope === 'array' && paging !== 'none' ? 'link' : paging;
}

/**
 * Reads a dialect as written on the command line: words between commas, each a named dialect
 * (`wrapped`) or an axis with its value (`listEnvelope=array`); later words override earlier ones.
 *
 * @throws an Error that names the unknown word and what could stand in its place
 */
export function parseDialect(text: string): Dialect {
	const words = text
		.split(',')
		.map((word) => word.trim())
		.filter(Boolean);
	return Object.assign({}, defaultDialect, ...words.map(parseWord)) as Dialect;
}

function parseWord(word: string): Partial<Dialect> {
	const [name = '', value] = word.split('=');
	if (value === undefined) return oneOf(namedDialects, name, 'dialect');
	const values: readonly string[] = oneOf(axes, name, 'axis of dialects');
	if (!values.includes(value)) {
		throw new Error(`'${name}' can't be '${value}'; it can be ${values.join(', ')}`);
	}
	return { [name]: value };
}

function oneOf<Value>(table: Record<string, Value>, name: string, kind: string): Value {
	const found = Object.entries(table).find(([key]) => key === name);
	if (!found) {
		throw new Error(`There is no ${kind} '${name}'; there is ${Object.keys(table).join(', ')}`);
	}
	return found[1];
}
