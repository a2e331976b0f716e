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
	const hmac = () => createHmac('sha256', secrets.workspace).update(body);
	switch (scheme) {
		case 'none':
			return {};
		case 'hmac-hex':
			return { 'x-signature': `sha256=${hmac().digest('hex')}` };
		case 'hmac-base64':
			return { 'x-signature': hmac().digest('base64') };
		case 'timestamped': {
			const seconds = Math.floor(Date.now() / 1000);
			const signed = createHmac('sha256', secrets.workspace).update(`${seconds}.${body}`);
			return { 'x-signature': `t=${seconds},v1=${signed.digest('hex')}` };
		}
		case 'standard-webhooks':
		case 'svix': {
			const now = new Date(Date.now());
			const prefix = scheme === 'svix' ? 'svix' : 'webhook';
			return {
				[`${prefix}-id`]: deliveryId,
				[`${prefix}-timestamp`]: String(Math.floor(now.getTime() / 1000)),
				[`${prefix}-signature`]: new Webhook(secrets.endpoint).sign(deliveryId, now, body),
			};
		}
	}
}
