import { createHmac } from 'crypto';

import { isEqual } from '../transport/isEqual';

/** Headers of a delivery by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** How deliveries are verified, beside the callback token. */
export type Verification =
	| { scheme: 'none' }
	| { scheme: 'standardWebhooks' }
	| ({ scheme: 'timestampedHmac' } & HmacSettings)
	| ({
			scheme: 'hmac';
			/** Stands before the signature in the header, e.g. `sha256=`. */
			prefix: string;
	  } & HmacSettings);

/** What the schemes of HMAC leave open. */
export interface HmacSettings {
	/** Header that carries the signature. */
	header: string;
	hash: 'sha256' | 'sha1' | 'sha512';
	encoding: 'hex' | 'base64';
}

type Hmac = Extract<Verification, { scheme: 'hmac' }>;
type TimestampedHmac = Extract<Verification, { scheme: 'timestampedHmac' }>;

/** A signature is good for five minutes around its time stamp, either way. */
const TOLERANCE_S = 5 * 60;

/** The names that the headers of Standard Webhooks begin with. */
const STANDARD_NAMES = ['webhook', 'svix'];

/**
 * Verifies the signature of a delivery over its raw bytes.
 *
 * @param secrets any of which may have signed, so that a secret can be changed without a gap
 * @param now seconds since the epoch
 * @returns false also where there is no secret, or no signature
 * @see https://www.standardwebhooks.com — the scheme `standardWebhooks`
 * @see https://docs.stripe.com/webhooks#verify-manually — the form of `timestampedHmac`
 */
export function isSigned(
	verification: Verification,
	secrets: string[],
	headers: Headers,
	rawBody: Buffer,
	now: number,
): boolean {
	if (verification.scheme === 'none') return true;
	return secrets
		.filter((secret) => secret !== '')
		.some((secret) => {
			switch (verification.scheme) {
				case 'standardWebhooks':
					return STANDARD_NAMES.some((name) =>
						hasStandardSignature(name, secret, headers, rawBody, now),
					);
				case 'timestampedHmac':
					return hasTimestampedHmac(verification, secret, headers, rawBody, now);
				case 'hmac':
					return hasHmac(verification, secret, headers, rawBody);
			}
		});
}

function hasStandardSignature(
	name: string,
	secret: string,
	headers: Headers,
	rawBody: Buffer,
	now: number,
): boolean {
	const id = single(headers[`${name}-id`]);
	const timestamp = single(headers[`${name}-timestamp`]);
	const signatures = single(headers[`${name}-signature`]);
	if (!id || !timestamp || !signatures || !isFresh(timestamp, now)) return false;

	const text = secret.replace(/^whsec_/, '');
	// The standard has secrets in Base64; a service may take any text, such as `my...secret`.
	const keys = [Buffer.from(text, 'base64'), Buffer.from(text)].filter(({ length }) => length > 0);
	const expected = keys.map((key) =>
		createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64'),
	);
	return signatures
		.split(' ')
		.some((sent) => expected.some((signature) => isEqual(sent, `v1,${signature}`)));
}

/** The header is `t=…,v1=…`: a time stamp, and one or several signatures of it and the body. */
function hasTimestampedHmac(
	{ header, hash, encoding }: TimestampedHmac,
	secret: string,
	headers: Headers,
	rawBody: Buffer,
	now: number,
): boolean {
	const parts = single(headers[header])?.split(',') ?? [];
	const valuesOf = (name: string) =>
		parts
			.map((part) => part.trim())
			.filter((part) => part.startsWith(`${name}=`))
			.map((part) => part.slice(name.length + 1));
	const [timestamp, ...others] = valuesOf('t');
	if (!timestamp || others.length > 0 || !isFresh(timestamp, now)) return false;

	const expected = createHmac(hash, secret)
		.update(`${timestamp}.`)
		.update(rawBody)
		.digest(encoding);
	return valuesOf('v1').some((sent) => isEqual(asWritten(sent, encoding), expected));
}

function hasHmac(
	{ header, hash, encoding, prefix }: Hmac,
	secret: string,
	headers: Headers,
	rawBody: Buffer,
): boolean {
	const signature = single(headers[header])?.trim();
	if (!signature?.startsWith(prefix)) return false;
	const expected = createHmac(hash, secret).update(rawBody).digest(encoding);
	return isEqual(asWritten(signature.slice(prefix.length), encoding), expected);
}

/** Hex digits may be written in capitals. */
function asWritten(signature: string, encoding: Hmac['encoding']): string {
	return encoding === 'hex' ? signature.toLowerCase() : signature;
}

/** @param timestamp seconds since the epoch */
function isFresh(timestamp: string, now: number): boolean {
	return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE_S;
}

/** A header that came twice is no signature: which one would have been meant? */
function single(header: string | string[] | undefined): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
