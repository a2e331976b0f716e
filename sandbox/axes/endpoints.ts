/** The forms of an endpoint's record, and the rules for registering a URL. */
export const endpointAxes = {
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
		/** Never any `events`. */
		'hidden',
		/** The chosen ones, spelled otherwise: `CALL_COMPLETED`. */
		'upper',
		/** The chosen ones as objects, in the reverse order: `[ { "type": "call.completed" } ]` */
		'objects',
	],
	/** The `url` of an endpoint's record. */
	listedUrl: [
		/** Assumed: the URL as it was sent. */
		'asSent',
		/** With `***` for its query. */
		'masked',
		/** With as many `x` for each value in its query as that has characters. */
		'x-masked',
		/** Without its query. */
		'dropped',
		/** The same URL written another way: `%2f` as `%2F`, port 443 spelled out, the query in reverse order. */
		'normalised',
		/** With a query parameter of the service's own at its end: `&source=acme`. */
		'extended',
	],
	/** The list's entry for an endpoint that was removed. */
	removedRecord: [
		/** Assumed: none. */
		'absent',
		/** The record with `status: "deleted"`. */
		'shown',
	],
	/** A condition for registering a URL. */
	challenge: [
		/** Assumed: none. */
		'none',
		/** The URL answers a POST of `{ "challenge": TEXT }` with the same text, else 422. */
		'post',
		/** The same with `{ "type": "url_verification", "challenge": TEXT, "token": … }`. */
		'typed',
		/** The URL answers a POST with the query `hub.challenge` with that text, else 422. */
		'query',
	],
	/** The queries of URLs that can be registered. */
	query: [
		/** Assumed: all. */
		'any',
		/** At most one parameter, else 422. */
		'one parameter',
	],
	/** The answer for a URL that is registered already. */
	sameUrl: [
		/** Assumed: it is registered once more. */
		'taken again',
		/** 409, if it is the same with its query. */
		'409 with query',
		/** 409, whatever its query. */
		'409',
		/** 422, whatever its query. */
		'422',
		/** The present record, whatever its query, as if it had just been created. */
		'old record',
	],
} as const;
