import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Dialect } from '../dialects';

/**
 * The headers that sign one attempt in a dialect.
 *
 * @param deliveryId the same for all attempts of a delivery
 * @param body the sent bytes
 * @param secrets the endpoint's (`whsec_…`) and the workspace's (any text)
 */
export function signatureHeaders(
	scheme: Dialect['signature'],
	deliveryId: string,
	body: string,
	secrets: { endpoint: string; workspace: string },
): Record<string, string> {
	const hmac = (text: string) => createHmac('sha256', secrets.workspace).update(text).digest('hex');
	switch (scheme) {
		case 'none':
			return {};
		case 'hmac-hex':
			return { 'x-signature': `sha256=${hmac(body)}` };
		case 'timestamped': {
			const seconds = Math.floor(Date.now() / 1000);
			return { 'x-signature': `t=${seconds},v1=${hmac(`${seconds}.${body}`)}` };
		}
		case 'standard-webhooks': {
			const now = new Date(Date.now());
			return {
				'webhook-id': deliveryId,
				'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
				'webhook-signature': new Webhook(secrets.endpoint).sign(deliveryId, now, body),
			};
		}
	}
}
