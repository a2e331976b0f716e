import { make } from 'covertable';

import { axes } from '../../sandbox/axes';
import type { Dialect } from '../../sandbox/dialects';

/** Dialects that together meet every value of every axis, and every pair of values of two axes. */
export const pairwiseDialects = make(
	Object.fromEntries(Object.entries(axes).map(([axis, values]) => [axis, [...values]])),
) as unknown as Dialect[];

/** The trigger's options that verify each kind of signature. */
export const SIGNATURE_OPTIONS = {
	none: {},
	'standard-webhooks': { signature: { settings: { scheme: 'standardWebhooks' } } },
	'hmac-hex': { signature: { settings: { scheme: 'hmac', prefix: 'sha256=' } } },
	'hmac-base64': { signature: { settings: { scheme: 'hmac', encoding: 'base64' } } },
	svix: { signature: { settings: { scheme: 'standardWebhooks' } } },
	timestamped: { signature: { settings: { scheme: 'timestampedHmac' } } },
} as const;
