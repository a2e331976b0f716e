/**
 * Verifies signatures of any scheme that is an HMAC of the body, with or without a timestamp. The scheme is
 * found: each part of a header that can be an HMAC is compared with the HMACs of the texts that services
 * sign. An equal one can't be there by chance.
 */
import { createHmac, timingSafeEqual } from 'crypto';

import { parseJson } from '../text/json';
import type { Headers } from '../events/headers';

/** A text that may be signed, by what stands before and after the body. */
type SignedText = Pick<ReturnType<typeof textsOf>[number], 'form' | 'head' | 'tail'>;

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
/** Limits for hostile deliveries: eleven texts, each with three hashes and two keys of a secret. */
const MOST_SIGNATURES = 8;
const MOST_TIMESTAMPS = 2;
/**
 * Each HMAC hashes the body anew. A body of 16 MB, n8n's limit, has an HMAC of each form with both keys for one
 * timestamp. The body alone is tried in any case.
 */
const MOST_HASHED_BYTES = 170_000_000;
/** A timestamp behind the whole text, or where forms have it: `1900000000.`, `msg_1.1900000000.`, `v0:1900000000:` */
const TIMED = /(?:^|[.:])1\d{9}(?:\d{3})?[.:]|1\d{9}(?:\d{3})?$/;

/**
 * Verifies the signature of a delivery over its raw bytes. If one of its signatures covers a timestamp, another one
 * without a timestamp does not suffice.
 *
 * @param secrets one of them has to fit, so that a secret can be changed without a gap
 * @param now milliseconds since the epoch
 * @returns false also without a secret or a signature, and for a signed timestamp that is not the present
 * @see https://www.standardwebhooks.com — the secrets in Base64, and the form `id.t.body`
 */
export function isSigned(secrets: string[], headers: Headers, rawBody: Buffer, now: number) {
	const sent = sentHeaders(headers);
	const fits = textFitter(secrets, signaturesIn(sent), rawBody);
	const found = textsOf(sent, headers, now).find(fits);
	return found?.form === 'body' ? !isTimed(rawBody) : found?.isValid === true;
}

/** Makes a function that tests whether one of the signatures is an HMAC of a text, until too many bytes were hashed. */
function textFitter(secrets: string[], signatures: Buffer[], rawBody: Buffer) {
	const hashes = new Set(signatures.flatMap(({ length }) => HASHES.get(length) ?? []));
	const keys = secrets.flatMap(keysFor);
	const methods = [...hashes].flatMap((hash) => keys.map((key) => ({ hash, key })));
	let hashedBytes = 0;
	return ({ form, head, tail }: SignedText): boolean =>
		methods.some(({ hash, key }) => {
			hashedBytes += rawBody.length;
			if (hashedBytes > MOST_HASHED_BYTES && form !== 'body') return false;
			const keyed = createHmac(hash, key.text, { encoding: key.encoding });
			const hmac = keyed.update(head).update(rawBody).update(tail).digest();
			return signatures.some((one) => one.length === hmac.length && timingSafeEqual(one, hmac));
		});
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

/** The parts of a header's value, without their names: `t=19,v1=ab` → `19`, `ab` */
function partsOf(value: string): string[] {
	return value.split(/[\s,;"]+/).map((part) => part.replace(/^[\w-]{1,16}[=:](?=.)/, ''));
}

/** Reads the headers that were sent once. A repeated header is ambiguous. */
function sentHeaders(headers: Headers) {
	return Object.entries(headers).flatMap(([name, value]) => {
		if (typeof value !== 'string') return [];
		const parts = partsOf(value);
		return { name, parts, signatures: parts.flatMap((part) => decode(part) ?? []) };
	});
}

/** The signatures that were sent, those of headers with a name for it first. */
function signaturesIn(sent: SentHeader[]): Buffer[] {
	const isNamed = ({ name }: SentHeader) => /sign|hmac/.test(name);
	return sent
		.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
		.flatMap(({ signatures }) => signatures)
		.slice(0, MOST_SIGNATURES);
}

/** Decodes a text in hex or Base64 that has the length of an HMAC. */
function decode(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, /^[\da-f]+$/i.test(text) ? 'hex' : 'base64');
	return HASHES.has(bytes.length) ? bytes : undefined;
}

/**
 * Lists the texts that may be signed, those with a timestamp first.
 *
 * @returns each text by its form (`t.body`, …), by what stands before and after the body, and whether a signature of
 *   it is valid now
 */
function textsOf(sent: SentHeader[], headers: Headers, now: number) {
	const signed = sent.filter(({ signatures }) => signatures.length > 0).map(({ name }) => name);
	const isClock = (name: string) => name.includes('timestamp') || signed.includes(name);
	const numbers = sent.flatMap(({ name, parts }) => (isClock(name) ? parts : []));
	const timestamps = [...new Set(numbers)]
		.filter((number) => /^\d{10}(\d{3})?$/.test(number))
		.map((t) => ({ t, isValid: isPresent(t, now) }))
		.toSorted((a, b) => Number(b.isValid) - Number(a.isValid));
	// The ID's header has the first words of the signature's: `webhook-signature`, `webhook-id`.
	const named = signed.filter((name) => name.includes('signature'));
	const id = named.map((name) => headers[name.replace(/signature.*$/, 'id')]).find(Boolean);
	const timed = timestamps.slice(0, MOST_TIMESTAMPS).flatMap(({ t, isValid }) => [
		{ form: 'id.t.body', head: `${String(id)}.${t}.`, tail: '', isValid },
		{ form: 't.body', head: `${t}.`, tail: '', isValid },
		{ form: 't:body', head: `${t}:`, tail: '', isValid },
		{ form: 'v0:t:body', head: `v0:${t}:`, tail: '', isValid },
		{ form: 'body t', head: '', tail: t, isValid },
	]);
	return [...timed, { form: 'body', head: '', tail: '', isValid: true }];
}

/**
 * Whether a body is a text that was signed with its timestamp, which somebody may send again: `msg_1.1900000000.{…}`
 * JSON is none, whatever the ID and the body in such a text are.
 */
function isTimed(body: Buffer): boolean {
	const text = String(body);
	return TIMED.test(text) && typeof parseJson(text) !== 'object';
}

/** Whether a timestamp in seconds or milliseconds is of the present. */
function isPresent(timestamp: string, now: number): boolean {
	const at = Number(timestamp) * (timestamp.length === 10 ? 1000 : 1);
	return Math.abs(now - at) <= TOLERANCE_MS;
}
