import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { SentDelivery } from './deliveries';
import type { Service } from './grammar';

/** The secret that an endpoint's deliveries are signed with. */
export function secretOf({ signing, secretPlace }: Service, endpointId: string | number): string {
	// What stands in the dashboard is the workspace's.
	const owner = secretPlace.kind === 'inDashboard' ? 'workspace' : endpointId;
	const secret = `secret of the ${owner}`;
	return signing.kind === 'standard' || signing.kind === 'svix'
		? `whsec_${Buffer.from(secret).toString('base64')}`
		: Buffer.from(secret).toString('hex');
}

/** The option that a user sets to have the service's signatures verified. */
export function verificationOf({ signing }: Service): IDataObject {
	const settings: Record<typeof signing.kind, IDataObject | undefined> = {
		none: undefined,
		standard: { scheme: 'standardWebhooks' },
		svix: { scheme: 'standardWebhooks' },
		hmacHex: { scheme: 'hmac', header: 'X-Acme-Signature', prefix: 'sha256=' },
		hmacBase64: { scheme: 'hmac', header: 'X-Acme-Signature', encoding: 'base64' },
		timestamped: { scheme: 'timestampedHmac', header: 'X-Acme-Signature' },
	};
	const chosen = settings[signing.kind];
	return chosen ? { signature: { settings: chosen } } : {};
}

/** Signs a delivery as the service does. */
export function sign({ signing }: Service, delivery: SentDelivery, secret: string): SentDelivery {
	const now = Math.floor(Date.now() / 1000);
	const hmac = (text: string, key: string | Buffer, encoding: 'hex' | 'base64') =>
		createHmac('sha256', key).update(text).digest(encoding);
	const standard = (name: string) => {
		const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
		const signature = hmac(`msg_1.${now}.${delivery.text}`, key, 'base64');
		return {
			[`${name}-id`]: 'msg_1',
			[`${name}-timestamp`]: String(now),
			[`${name}-signature`]: `v1,AAAA v1,${signature}`,
		};
	};
	const headers: Record<typeof signing.kind, () => Record<string, string>> = {
		none: () => ({}),
		standard: () => standard('webhook'),
		svix: () => standard('svix'),
		hmacHex: () => ({ 'x-acme-signature': `sha256=${hmac(delivery.text, secret, 'hex')}` }),
		hmacBase64: () => ({ 'x-acme-signature': hmac(delivery.text, secret, 'base64') }),
		timestamped: () => ({
			'x-acme-signature': `t=${now},v1=${hmac(`${now}.${delivery.text}`, secret, 'hex')}`,
		}),
	};
	return { ...delivery, headers: { ...delivery.headers, ...headers[signing.kind]() } };
}
