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

/** How many pairs of values the dialects meet, and how many there are. */
export function countPairs(dialects: Dialect[]): { met: number; all: number } {
	const names = Object.keys(axes) as Array<keyof Dialect>;
	const pairs = names.flatMap((one, index) =>
		names.slice(index + 1).map((other) => [one, other] as const),
	);
	const met = new Set(
		dialects.flatMap((dialect) =>
			pairs.map(([one, other]) => [one, dialect[one], other, dialect[other]].join(' ')),
		),
	);
	return {
		met: met.size,
		all: pairs.reduce((sum, [one, other]) => sum + axes[one].length * axes[other].length, 0),
	};
}
