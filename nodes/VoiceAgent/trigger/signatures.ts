import { createHmac, timingSafeEqual } from 'crypto';

import type { Verification } from './settings';

/** Headers of a delivery by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** A Standard Webhooks signature is good for five minutes around its time stamp, either way. */
const TOLERANCE_S = 5 * 60;

/**
 * Verifies the signature of a delivery over its raw bytes.
 *
 * @param secrets any of which may have signed, so that a secret can be changed without a gap
 * @param now seconds since the epoch
 * @returns false also where there is no secret or no signature
 * @see https://www.standardwebhooks.com — the scheme `standardWebhooks`
 */
export function isSigned(
	verification: Verification,
	secrets: string[],
	headers: Headers,
	rawBody: Buffer,
	now: number,
): boolean {
	switch (verification.scheme) {
		case 'none':
			return true;
		case 'standardWebhooks':
			return secrets.some((secret) => hasStandardSignature(secret, headers, rawBody, now));
		case 'hmac':
			return secrets.some((secret) => hasHmac(verification, secret, headers, rawBody));
	}
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function isEqual(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

function hasStandardSignature(
	secret: string,
	headers: Headers,
	rawBody: Buffer,
	now: number,
): boolean {
	const id = single(headers['webhook-id']);
	const timestamp = single(headers['webhook-timestamp']);
	const signatures = single(headers['webhook-signature']);
	if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
	if (Math.abs(now - Number(timestamp)) > TOLERANCE_S) return false;

	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	if (key.length === 0) return false;
	const expected = createHmac('sha256', key)
		.update(`${id}.${timestamp}.`)
		.update(rawBody)
		.digest('base64');
	return signatures
		.split(' ')
		.some((signature) => signature.startsWith('v1,') && isEqual(signature.slice(3), expected));
}

function hasHmac(
	{ header, hash, encoding, prefix }: Extract<Verification, { scheme: 'hmac' }>,
	secret: string,
	headers: Headers,
	rawBody: Buffer,
): boolean {
	const signature = single(headers[header])?.trim();
	if (!secret || !signature?.startsWith(prefix)) return false;
	const sent = signature.slice(prefix.length);
	const expected = createHmac(hash, secret).update(rawBody).digest(encoding);
	return isEqual(encoding === 'hex' ? sent.toLowerCase() : sent, expected);
}

/** A header that came twice is no signature: which one would have been meant? */
function single(header: string | string[] | undefined): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
