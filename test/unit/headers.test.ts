import { shownHeaders } from '../../nodes/VoiceAgent/delivery/item';

const isShown = (name: string) => name in shownHeaders({ [name]: 'a' });

test.each([
	...['content-type', 'user-agent'],
	...['webhook-id', 'svix-id', 'ce-id', 'x-acme-delivery', 'x-acme-event-id', 'x-delivery-id'],
	...['x-event-type', 'x-acme-event', 'ce-type', 'x-shop-topic', 'x-event-name', 'event-type'],
	...['webhook-timestamp', 'svix-timestamp', 'ce-time', 'x-acme-request-timestamp'],
	...['event-id', 'topic', 'message-type', 'timestamp', 'event-time'],
])('%s is shown', (name) => expect(isShown(name)).toBe(true));

test.each([
	...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-auth-token'],
	...['x-signature', 'webhook-signature', 'x-hub-signature-256', 'x-webhook-secret', 'x-otp'],
	...['x-api-key', 'x-apikey', 'x-access-key', 'x-event-key', 'x-event-token', 'x-webhook-pass'],
	...['x-original-url', 'x-forwarded-uri', 'x-forwarded-for', 'forwarded', 'referer', 'host'],
	...['x-client-ip', 'x-user-id', 'x-session-id', 'x-account-id', 'accept', 'x-request-id'],
	...['x-webhook-id', 'webhook-id-key', 'x-event-id-key', 'x-delivery-key', 'x-user-agent'],
	...['user-agent-key', 'x-topic-key', 'ce-type-key', 'x-timestamp-key', 'x-event-time-key'],
])('%s is hidden', (name) => expect(isShown(name)).toBe(false));
