import { createHash, createHmac, randomBytes, timingSafeEqual } from 'crypto';

import { pathOf, SALT_LENGTH } from './callbackUrl';

/*
 * A callback token proves itself: 11 base64url characters of salt (the time of its creation, then random
 * bits), then 32 of an HMAC with the API key. With the key, every process can verify a token without
 * stored data. Each endpoint has its own token, and the salt shows which of two tokens is newer.
 */

/** Keeps other signatures with the same API key from passing as a token. */
const LABEL = 'n8n-nodes-voice-agent callback token';

/**
 * The binding of a token: the node, and whether it is published or listens for a test event. The mode is
 * explicit because n8n 1.x gives only the production URL in a delivery. Hosts and prefixes are left out
 * because they change with the proxies before n8n.
 */
export function bindingOf(mode: 'test' | 'production', workflowId: string, webhookUrl: string) {
	return [mode, workflowId, ...pathOf(webhookUrl).split('/').slice(-2)].join('/');
}

/**
 * Makes the callback token of a new endpoint.
 *
 * @param binding see {@link bindingOf}
 */
export function makeToken(apiKey: string, binding: string): string {
	const salt = randomBytes(8);
	salt.writeUInt32BE(Math.floor(Date.now() / 1000));
	return sign(apiKey, binding, salt.toString('base64url'));
}

/** Tests whether a token was made with this API key for this binding. */
export function isTokenOf(apiKey: string, binding: string, token: string): boolean {
	return isEqual(token, sign(apiKey, binding, token.slice(0, SALT_LENGTH)));
}

/** @returns the time when a token was made, in ms since the epoch */
export function madeAt(token: string): number {
	return saltOf(token).readUInt32BE() * 1000;
}

/** Tests whether a token was made after another one. Of two different tokens, exactly one is newer. */
export function isNewer(token: string, other: string): boolean {
	return Buffer.compare(saltOf(token), saltOf(other)) > 0;
}

/** @returns the hash to store: it confirms a token, and no token can be made from it */
export function hashOf(token: string): string {
	return createHash('sha256').update(token).digest('base64url');
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function isEqual(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

function sign(apiKey: string, binding: string, salt: string): string {
	const hmac = createHmac('sha256', apiKey).update(`${LABEL}\n${binding}\n${salt}`);
	// 24 bytes are 32 base64url characters.
	return salt + hmac.digest().subarray(0, 24).toString('base64url');
}

function saltOf(token: string): Buffer {
	return Buffer.from(token.slice(0, SALT_LENGTH), 'base64url');
}
