import {
	headerKind,
	idsIn,
	shownHeaders,
	type HeaderKind,
} from '../../nodes/VoiceAgent/events/places';

/** Names of headers that services send, by what their values are. */
const NAMES: Record<HeaderKind | 'none', string[]> = {
	id: [
		...['webhook-id', 'svix-id', 'ce-id', 'event-id', 'x-acme-event-id', 'x-delivery-id'],
		...['x-acme-delivery', 'x-gitlab-event-uuid', 'x-amz-sns-message-id', 'X-Acme-Event-Id'],
		...['paypal-transmission-id', 'idempotency-key', 'i-twilio-idempotency-token'],
	],
	type: [
		...['x-event-type', 'x-acme-event', 'x-event-name', 'x-acme-event-name', 'x-event-action'],
		...['event-type', 'topic', 'type', 'message-type', 'ce-type', 'webhook-type', 'x-topic-name'],
		...['x-github-event', 'x-shop-topic', 'x-webhookevent', 'X-Event-Key', 'x-acme_event'],
		...['x-wc-webhook-topic', 'x-amz-sns-message-type', 'x-acme-type'],
	],
	time: [
		...['webhook-timestamp', 'svix-timestamp', 'x-webhook-timestamp', 'timestamp', 'ce-time'],
		...['x-acme-request-timestamp', 'x-slack-request-timestamp', 'event-time'],
		...['paypal-transmission-time'],
	],
	none: [
		...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-auth-token', 'x-otp'],
		...['x-signature', 'webhook-signature', 'x-hub-signature-256', 'stripe-signature'],
		...['x-twilio-signature', 'x-webhook-secret', 'x-webhook-pass', 'x-event-token'],
		...['x-api-key', 'x-apikey', 'x-access-key', 'webhook-id-key', 'x-event-id-key'],
		...['x-delivery-key', 'user-agent-key', 'x-topic-key', 'ce-type-key', 'x-timestamp-key'],
		...['x-event-time-key', 'x-original-url', 'x-forwarded-uri', 'x-forwarded-for', 'forwarded'],
		...['referer', 'host', 'date', 'x-client-ip', 'accept', 'x-user-agent', 'ce-source'],
		// IDs of other things: several events may share them.
		...['x-user-id', 'x-session-id', 'x-account-id', 'x-request-id', 'x-call-id', 'x-webhook-id'],
		...['x-shopify-webhook-id', 'x-wc-webhook-id', 'x-gitlab-webhook-uuid', 'x-github-hook-id'],
		// Of another event, or of another thing than the event.
		...['x-last-event', 'x-previous-event-type', 'last-event-id', 'x-parent-event-id'],
		...['x-github-hook-installation-target-type'],
	],
};
const CASES = Object.entries(NAMES).flatMap(([kind, names]) =>
	names.map((name) => [name, kind === 'none' ? undefined : kind] as const),
);

test.each(CASES)('the value of %s is: %s', (name, kind) => expect(headerKind(name)).toBe(kind));

// Promise: The headers in the delivery details hold no secrets.
test('a workflow sees the IDs, the types and the times, and what describes the body', () => {
	const shown = [...NAMES.id, ...NAMES.type, ...NAMES.time, 'content-type', 'user-agent'];
	const sent = Object.fromEntries([...shown, ...NAMES.none].map((name) => [name, 'a']));
	expect(Object.keys(shownHeaders(sent)).toSorted()).toEqual(shown.toSorted());
});

test('the IDs of a delivery are those in its headers, but empty ones and that of its endpoint', () => {
	const others = { 'svix-id': '', 'webhook-id': 'we_1', 'x-call-id': 'c', 'x-acme-event': 'e' };
	const headers = { ...others, 'x-event-id': 'evt_1', 'x-delivery-id': 'd' };
	expect(idsIn(headers, ['we_1'])).toEqual(['evt_1', 'd']);
});
