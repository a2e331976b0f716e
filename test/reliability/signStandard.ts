import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/**
 * Signs a body by the specification's own library.
 *
 * @param offset seconds from now to the timestamp; negative for an earlier time
 * @returns the headers of Standard Webhooks
 */
export function signStandard(secret: string, body: string, offset = 0): Record<string, string> {
	const id = `msg_${randomUUID()}`;
	const timestamp = Math.floor(Date.now() / 1000) + offset;
	return {
		'webhook-id': id,
		'webhook-timestamp': String(timestamp),
		'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
	};
}
