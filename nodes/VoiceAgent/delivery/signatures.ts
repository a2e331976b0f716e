import { createHmac } from 'crypto';

import { isEqual } from '../api/isEqual';

/** The headers of a delivery, by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** How deliveries are verified beside the callback token. All fields but `scheme` are for the HMAC schemes. */
export interface Verification {
	scheme: 'none' | 'standardWebhooks' | 'hmac' | 'timestampedHmac';
	/** The header that carries the signature; `x-signature` by default. */
	header?: string;
	/** `sha256` by default. */
	hash?: 'sha256' | 'sha1' | 'sha512';
	/** `hex` by default. */
	encoding?: 'hex' | 'base64';
	/** The text before the signature, for the scheme `hmac`: `sha256=` */
	prefix?: string;
}

/** The signatures of a delivery, and the text that is signed before its body. */
interface Signed {
	head: string;
	/** Seconds since the epoch, as sent; undefined for a scheme without a timestamp. */
	timestamp?: string;
	signatures: string[];
}

/** A key as a text, because Node.js 24 takes many times longer for a key in a buffer. */
interface Key {
	text: string;
	encoding: 'base64' | 'utf8';
}

/** How far the timestamp of a valid signature may differ from the present time. */
const TOLERANCE_S = 5 * 60;

/** The first parts of the header names of Standard Webhooks. */
const STANDARD_NAMES = ['webhook', 'svix'];

/**
 * Verifies the signature of a delivery over its raw bytes.
 *
 * @param secrets one of them has to fit, so that a secret can be changed without a gap
 * @param now seconds since the epoch
 * @returns false also without a secret or a signature
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
	const { scheme, hash = 'sha256', encoding = 'hex' } = verification;
	if (scheme === 'none') return true;
	const isStandard = scheme === 'standardWebhooks';
	const keys = secrets
		.flatMap((text): Key[] => (isStandard ? standardKeys(text) : [{ text, encoding: 'utf8' }]))
		// Everyone can sign with a key without bytes.
		.filter((key) => Buffer.from(key.text, key.encoding).length > 0);
	const isRight = ({ head, signatures }: Signed, key: Key) => {
		const hmac = createHmac(isStandard ? 'sha256' : hash, key.text, { encoding: key.encoding })
			.update(head)
			.update(rawBody);
		const expected = hmac.digest(isStandard ? 'base64' : encoding);
		return signatures.some((sent) => isEqual(sent, expected));
	};
	return signedIn(verification, headers)
		.filter(({ timestamp }) => timestamp === undefined || isFresh(timestamp, now))
		.some((signed) => keys.some((key) => isRight(signed, key)));
}

/** Standard Webhooks has secrets in Base64; some services use any text, such as `my...secret`. */
function standardKeys(secret: string): Key[] {
	const text = secret.replace(/^whsec_/, '');
	return [
		{ text, encoding: 'base64' },
		{ text, encoding: 'utf8' },
	];
}

function signedIn(verification: Verification, headers: Headers): Signed[] {
	const { scheme, header, encoding = 'hex', prefix = '' } = verification;
	if (scheme === 'standardWebhooks')
		return STANDARD_NAMES.flatMap((name) => standardIn(name, headers));
	const value = single(headers[(header || 'x-signature').trim().toLowerCase()])?.trim() ?? '';
	// Hex digits may be upper case.
	const asWritten = (sent: string) => (encoding === 'hex' ? sent.toLowerCase() : sent);
	if (scheme === 'hmac') {
		const signature = asWritten(value.slice(prefix.length));
		return value.startsWith(prefix) ? [{ head: '', signatures: [signature] }] : [];
	}
	// The header is `t=…,v1=…`: a timestamp, and one or several signatures of timestamp and body.
	const parts = value.split(',').map((part) => part.trim());
	const [timestamp, ...others] = withoutPrefix('t=', parts);
	if (!timestamp || others.length > 0) return [];
	const signatures = withoutPrefix('v1=', parts).map(asWritten);
	return [{ head: `${timestamp}.`, timestamp, signatures }];
}

function standardIn(name: string, headers: Headers): Signed[] {
	const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) =>
		single(headers[`${name}-${part}`]),
	);
	if (!id || !timestamp || !signatures) return [];
	const head = `${id}.${timestamp}.`;
	return [{ head, timestamp, signatures: withoutPrefix('v1,', signatures.split(' ')) }];
}

/** @returns the rest of each text that starts with the prefix */
function withoutPrefix(prefix: string, texts: string[]): string[] {
	return texts.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length));
}

/** @param timestamp seconds since the epoch */
function isFresh(timestamp: string, now: number): boolean {
	return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE_S;
}

/** @returns the value of a header that was sent once; a repeated header is ambiguous */
function single(header: string | string[] | undefined): string | undefined {
	return typeof header === 'string' ? header : undefined;
}
