/** The forms of lists and of their pages. */
export const listAxes = {
	/** The envelope of a list. */
	listEnvelope: [
		/** Assumed: `{ "data": [ … ] }` */
		'data',
		/** `[ … ]`; the body then has no place for paging, see `effectivePaging`. */
		'array',
		/** `{ "items": [ … ] }` */
		'items',
		/** `{ "results": [ … ] }` */
		'results',
		/** Under the resource's name: `apiKeys`, `webhooks`, `deliveries` or `eventTypes`. */
		'resource',
		/** One level further down: `{ "data": { "webhooks": [ … ] } }` */
		'nested',
		/** Three levels, the innermost of no usual name: `{ "response": { "payload": { "frobs": [ … ] } } }` */
		'deep',
		/** Under an unusual name, with other values and their ids beside it: see `listBody`. */
		'odd',
		/** As a connection of GraphQL: `{ "viewer": { "id": …, "edges": [ { "node": … } ] } }` */
		'edges',
		/** No list, but records by their ids: `{ "data": { "3f25…": { "id": "3f25…", … } } }` */
		'map',
	],
	/** The form of a list without entries. */
	emptyList: [
		/** Assumed: `[]`, in the envelope of all lists. */
		'enveloped',
		/** `null`, in the envelope. */
		'null',
		/** The body `null`. */
		'null body',
		/** 204, and no body. */
		'no content',
	],
	/** The order of a list's entries. */
	listOrder: [
		/** Assumed: deliveries newest first, all other records oldest first. */
		'usual',
		/** The reverse. */
		'reversed',
	],
	/** An entry of the event catalog. */
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
		/** Names, and wildcards for all or some of them: `[ "call.started", …, "call.*", "*" ]` */
		'wildcards',
		/** No list, but groups of names: `{ "call": [ "call.started", … ], "chat": [ … ] }` */
		'groups',
		/** No list, but descriptions by name: `{ "call.started": "A call has begun", … }` */
		'map',
	],
	/** The sign of a list that has more (the contract shows no paging). */
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
		/** `hasNextPage` and `endCursor` in the body, as GraphQL has them; the query is `after`. */
		'end cursor',
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
	/** The place of paging fields in the body. */
	pagingPlace: [
		/** Assumed: at the body's top level. */
		'top',
		/** `{ "meta": { … } }` at the top level. */
		'meta',
		/** `{ "meta": { "pagination": { … } } }` at the top level. */
		'meta.pagination',
		/** Beside the list, in the innermost envelope. */
		'beside the list',
	],
	/** The last page's value of the field that elsewhere leads to the next page. */
	lastPage: [
		/** Assumed: `null`. */
		'null',
		/** The field is left out. */
		'left out',
		/** An empty text. */
		'empty text',
	],
	/** The first entry of a page that the service gives the way to (by cursor or URL). */
	pageOverlap: [
		/** Assumed: the entry after the last of the page before. */
		'none',
		/** The last entry of the page before. */
		'one entry',
	],
	/** The answer to a query parameter that the list does not have. */
	unknownQuery: [
		/** Assumed: as without it. */
		'ignored',
		/** 400. */
		'refused',
	],
} as const;
