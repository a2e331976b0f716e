/** The forms of answers with one record, of records themselves, of success and of errors. */
export const answerAxes = {
	/** The envelope of a single record, e.g. the answer of a creation. */
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
		/** Under an unusual name: `{ "origin": { "id": "ws_…" }, "notes": [], "outcome": { … } }` */
		'odd',
		/** A list of one: `{ "results": [ { … } ] }` */
		'list',
		/** A value that is shown only once stands beside the record: `{ "apiKey": { … }, "key": … }` */
		'split',
	],
	/** The place of a record's fields. */
	recordShape: [
		/** Assumed: beside its `id`. */
		'flat',
		/** Below its `id`: `{ "id": …, "kind": "webhook", "attributes": { "url": … } }` */
		'attributes',
		/** Beside another record: `{ "owner": { "id": "ws_…", "name": … }, "id": …, "url": … }` */
		'related',
	],
	/** Fields of a record beside the contract's. */
	recordNoise: [
		/** Assumed: none. */
		'none',
		/** `created_at`, `updatedAt` and `version`. */
		'times',
		/** `workspace_id`, and the person who made it: `{ "created_by": { "id": "usr_1", "name": … } }` */
		'person',
		/** `status: "active"` and `enabled: true`. */
		'state',
	],
	/** Values beside the list or record in the outermost envelope. */
	envelopeNoise: [
		/** Assumed: none. */
		'none',
		/** Ids of other things: `id` (the request's), `workspace`, `requested_by`. */
		'ids',
		/** Other lists: `warnings`, `included`. */
		'lists',
		/** The outcome: `success`, `error`, `code`, `message`, `status`. */
		'outcome',
	],
	/** The place of an error's message. */
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
	/** The answer for an id that does not exist. */
	unknownId: [
		/** Assumed: 404. */
		'404',
		/** 410. */
		'410',
		/** 200 with `{ "ok": false, "error": "not_found" }` */
		'not ok',
	],
	/** The answer of success. */
	successCode: [
		/** Assumed: 200 for lists, 201 for creations, 204 with no body for delete, revoke and test. */
		'conventional',
		/** 200 for everything; `{ "success": true }` for delete, revoke and test. */
		'ok',
		/** 202 with no body for delete, revoke and test (whose delivery comes later); else 200. */
		'accepted',
		/** 200 for everything; `{ "message": "Done", "status": "success", "error": "" }` as above. */
		'message',
	],
	/** The media type of JSON bodies (the contract states only that of requests). */
	mediaType: [
		/** Assumed: `application/json` */
		'json',
		/** `text/plain` */
		'text',
	],
} as const;
