/** The forms of deliveries, their signatures and retries. */
export const deliveryAxes = {
	/** The place of the event's type. */
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
		/** The first form with `topic` instead of `type`. */
		'topic',
		/** `{ "id": …, "type": "event", "name": …, "created_at": …, "data": { … } }` */
		'name',
		/** A CloudEvent: with the type `com.example.call.completed`, as `application/cloudevents+json`. */
		'cloudevents',
		/** In the header `x-event-type`, and nowhere in the body. */
		'header',
		/** The body is an array of one event in the first form. */
		'array',
		/** The second form with a `name`: `{ "event": { "id": …, "name": …, "created_at": … }, "data": … }` */
		'event.name',
		/** `{ "type": "webhook_event", "data": { "type": …, "object": { … } } }` */
		'data.type',
		/** In a vendor's header, `x-acme-event`, beside a `type` that is no event type: `inbound_call`. */
		'vendor header',
		/** A CloudEvent in binary mode: all in headers (`ce-type`), the body is the data. */
		'ce-type',
		/** A batch under a key: `{ "batch_id": …, "events": [ { … } ] }`, each event in the first form. */
		'events',
	],
	/** The spelling of the event's type, which is `call.completed` in the catalog. */
	eventSpelling: [
		/** Assumed: as in the catalog. */
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
	/** The fields of a call. */
	payload: [
		/** Assumed: `{ "call_id": …, "customer": { … }, "agent": { … }, "duration_seconds": … }` */
		'snake',
		/** `{ "call": { "id": …, "fromNumber": … }, "customer": { … } }`, times in ms since 1970. */
		'camel',
		/** No field is called customer: `{ "id": …, "direction": "inbound", "from": …, "to": … }` */
		'from-to',
		/** The names of a telephone company's forms: `{ "CallSid": …, "From": …, "To": … }` */
		'form',
	],
	/** Fields of an event that name an event type or an address, and are not the event's own. */
	eventNoise: [
		/** Assumed: none. */
		'none',
		/** The call's own types and states: `call_type`, `channel`, `status`, `reason`. */
		'states',
		/** Another event type of the catalog: `{ "previous_event": …, "history": [ { "step": … } ] }` */
		'other type',
		/** The endpoint: `{ "webhook": { "id": …, "url": … } }` */
		'endpoint',
	],
	/** The event that the test operation sends. */
	sampleType: [
		/** Assumed: the first type that the endpoint subscribed to, else `call.completed`. */
		'subscribed',
		/** The same, which says that it is a test: `{ "data": { …, "test": true } }` */
		'marked',
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
		/** `x-signature: BASE64`, of the same. */
		'hmac-base64',
		/** Standard Webhooks with the older names `svix-id`, …; the secret is there as `signing_key`. */
		'svix',
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
