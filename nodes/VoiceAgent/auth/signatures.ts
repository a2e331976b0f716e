/**
 * Verifies signatures of any scheme that is an HMAC of the body, with or without a timestamp. The scheme is
 * found: each part of a header that can be an HMAC is compared with the HMACs of the texts that services
 * sign. An equal one can't be there by chance.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

import { parseJson } from '../text/json';
import { readInstant } from '../text/times';
import type { Headers } from '../events/places';
import { isEqual } from './token';

/** A text that may be signed, by what stands before and after the body. */
type SignedText = ReturnType<typeof textsOf>[number];

/** A header that was sent once, with the parts of its value, and the signatures among them. */
type SentHeader = ReturnType<typeof sentHeaders>[number];

/** The hash functions by the length of their HMACs in bytes. */
const HASHES: ReadonlyMap<number, string> = new Map([
	[20, 'sha1'],
	[32, 'sha256'],
	[64, 'sha512'],
]);
/** How far the timestamp of a valid signature may differ from the present time. */
const TOLERANCE_MS = 5 * 60 * 1000;
/** A secret of at least 16 bytes in Base64; a shorter text in Base64 is a text by chance. */
const KEY_IN_BASE64 = /^[\w+/-]{22,}={0,2}$/;
/** The limit for a hostile delivery: 25 texts, each with three hashes and two keys of a secret. */
const MOST_TIMESTAMPS = 4;
/** Each HMAC hashes the body anew. A body of 16 MB, n8n's limit, has each form with both keys for one timestamp. */
const MOST_HASHED_BYTES = 230_000_000;
/** A timestamp in a header: seconds or milliseconds since 1970, or ISO 8601. */
const TIMESTAMP = /^([1-9]\d{9}(\d{3})?|20\d\d-\d\d-\d\dT[\d:.]{8,18}(Z|[+-]\d\d:?\d\d)?)$/;
/** Where forms have a timestamp before the body: `1900000000.`, `msg_1.1900000000.`, `v0:1900000000:`, `1900000000,` */
const NUMBER_BEFORE = /(?<=^|[.:])\d{10}(?:\d{3})?(?=[.:,])/g;
/** A time in ISO 8601 before or behind the body. */
const ISO_BESIDE =
	/(?<=^|[.:])20\d\d-\d\d-\d\dT\d|20\d\d-\d\d-\d\dT[\d:.]{8,18}(Z|[+-][\d:]{4,5})?$/;
/** The forms by what stands before the body, where `t` is a timestamp. One may stand after the body, too. */
const HEADS = ['id.t.', 't.', 't:', 't,', 'v0:t:'];
/** The ID in `id.t.body`, where no other text can be taken for it. */
const SIGNED_ID = /^[^.'"{}]+$/;

/** The hashes of secrets with which this process has seen a timestamp signed: it accepts no signature without one. */
const timedSecrets = new Set<string>();

/**
 * Verifies the signature of a delivery over its raw bytes. If one of its signatures or of an earlier delivery's covers
 * a timestamp, another one without a timestamp does not suffice.
 *
 * @param secrets one of them has to fit, so that a secret can be changed without a gap
 * @param now milliseconds since the epoch
 * @param timed see {@link timedSecrets}
 * @returns false also without a secret, a signature or a body, and for a signed timestamp that is not the present
 * @see https://www.standardwebhooks.com — the secrets in Base64, and the form `id.t.body`
 */
export function isSigned(
	secrets: string[],
	headers: Headers,
	rawBody: Buffer,
	now: number,
	timed = timedSecrets,
): boolean {
	// n8n leaves no bytes of a form with files: the signature of any empty body would fit it.
	if (rawBody.length === 0) return false;
	const sent = sentHeaders(headers);
	const texts = textsOf(sent, headers, now);
	const signatures = sent.flatMap((header) => header.signatures);
	const fits = textFitter(signatures, rawBody);
	return secrets.some((secret) => {
		const hash = createHash('sha256').update(secret).digest('base64');
		const found = texts.find((text) => fits(text, secret));
		if (!found?.time) return found !== undefined && !timed.has(hash) && !isTimed(rawBody, now);
		timed.add(hash);
		return Math.abs(now - msOf(found.time)) <= TOLERANCE_MS;
	});
}

/** Makes a function that tests whether one of the signatures is an HMAC of a text, until too many bytes were hashed. */
function textFitter(signatures: Buffer[], rawBody: Buffer) {
	const hashes = new Set(signatures.flatMap(({ length }) => HASHES.get(length) ?? []));
	let hashedBytes = 0;
	return ({ head, tail }: SignedText, secret: string): boolean =>
		keysFor(secret).some(({ text, encoding }) =>
			[...hashes].some((hash) => {
				hashedBytes += rawBody.length;
				if (hashedBytes > MOST_HASHED_BYTES) return false;
				const keyed = createHmac(hash, text, { encoding });
				const hmac = keyed.update(head).update(rawBody).update(tail).digest();
				return signatures.some((one) => one.length === hmac.length && timingSafeEqual(one, hmac));
			}),
		);
}

/**
 * A secret is used as typed, and as Standard Webhooks decodes it: `whsec_` and Base64.
 *
 * @returns each key as a text, because Node.js 24 takes many times longer for a key in a buffer
 */
function keysFor(secret: string) {
	const base64 = secret.replace(/^whsec_/, '');
	return [
		...(KEY_IN_BASE64.test(base64) ? [{ text: base64, encoding: 'base64' } as const] : []),
		// Everyone can sign with a key without bytes.
		...(secret ? [{ text: secret, encoding: 'utf8' } as const] : []),
	];
}

/** Tests whether a header has a secret as its whole value: `x-api-key: s3cret`, `authorization: Bearer s3cret` */
export function isInHeader(secret: string, headers: Headers): boolean {
	const values = Object.values(headers).filter((value) => typeof value === 'string');
	const bare = values.map((value) => value.replace(/^Bearer\s+/i, ''));
	return secret !== '' && [...values, ...bare].some((value) => isEqual(value, secret));
}

/** Reads the headers that were sent once. A repeated header is ambiguous. */
function sentHeaders(headers: Headers) {
	return Object.entries(headers).flatMap(([name, value]) => {
		if (typeof value !== 'string') return [];
		// Without their names: `t=19,v1=ab` → `19`, `ab`
		const parts = value.split(/[\s,;"]+/).map((part) => part.replace(/^[\w-]{1,16}[=:](?=.)/, ''));
		return { name, value, parts, signatures: parts.flatMap((part) => decode(part) ?? []) };
	});
}

/** Decodes a text in hex or Base64 that has the length of an HMAC. */
function decode(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, /^[\da-f]+$/i.test(text) ? 'hex' : 'base64');
	return HASHES.has(bytes.length) ? bytes : undefined;
}

/** Lists the texts that may be signed: first those with a timestamp, of which the present ones come first. */
function textsOf(sent: SentHeader[], headers: Headers, now: number) {
	const signed = sent.filter(({ signatures }) => signatures.length > 0).map(({ name }) => name);
	const isClock = (name: string) => name.includes('timestamp') || signed.includes(name);
	const stated = sent.flatMap(({ name, value, parts }) => (isClock(name) ? [value, ...parts] : []));
	const age = (time: string) => Math.abs(now - msOf(time));
	const times = [...new Set(stated)]
		.filter((text) => TIMESTAMP.test(text))
		.toSorted((a, b) => age(a) - age(b));
	// The ID's header has the first words of the signature's: `webhook-signature`, `webhook-id`.
	const named = signed.filter((name) => name.includes('signature'));
	const ids = named.map((name) => String(headers[name.replace(/signature.*$/, 'id')] ?? ''));
	const id = ids.find((one) => SIGNED_ID.test(one));
	const heads = id === undefined ? HEADS.slice(1) : HEADS;
	const timed = times.slice(0, MOST_TIMESTAMPS).flatMap((time) => [
		...heads.map((form) => {
			const head = form.replace(/id|t/g, (part) => (part === 't' ? time : `${id}`));
			return { head, tail: '', time };
		}),
		{ head: '', tail: time, time },
	]);
	// Where a timestamp was not tried, a text without one proves nothing.
	return times.length > MOST_TIMESTAMPS ? timed : [...timed, { head: '', tail: '', time: '' }];
}

/**
 * Whether a body is a text that was signed with its timestamp, which somebody may send again: `msg_1.1900000000.{…}`
 * JSON is not such a text, whatever ID and body it holds.
 */
function isTimed(body: Buffer, now: number): boolean {
	const text = String(body);
	const numbers = [...(text.match(NUMBER_BEFORE) ?? []), text.slice(-10), text.slice(-13)];
	// A later number is no time of a signature, as a phone number.
	const isPast = (number: string) => TIMESTAMP.test(number) && msOf(number) <= now + TOLERANCE_MS;
	return (numbers.some(isPast) || ISO_BESIDE.test(text)) && typeof parseJson(text) !== 'object';
}

/** @returns a timestamp in milliseconds since 1970; NaN for one that is no time */
function msOf(timestamp: string): number {
	return readInstant(timestamp, true) ?? NaN;
}
