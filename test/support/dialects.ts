/** The trigger's options to verify each kind of signature. */
export const SIGNATURE_OPTIONS = {
	none: {},
	'standard-webhooks': { signature: { settings: { scheme: 'standardWebhooks' } } },
	'hmac-hex': { signature: { settings: { scheme: 'hmac', prefix: 'sha256=' } } },
	'hmac-base64': { signature: { settings: { scheme: 'hmac', encoding: 'base64' } } },
	svix: { signature: { settings: { scheme: 'standardWebhooks' } } },
	timestamped: { signature: { settings: { scheme: 'timestampedHmac' } } },
} as const;
