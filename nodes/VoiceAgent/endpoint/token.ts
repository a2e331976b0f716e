import { createHash, createHmac, randomInt } from 'crypto';

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asToken, pathOf, SALT_LENGTH } from '../api/callbackUrl';
import { isEqual } from '../api/isEqual';

/*
 * A callback token proves itself: 11 base64url characters of salt (the time of registration,
 * then random bits), then 32 of an HMAC with the API key. Whoever has the key can check it
 * with nothing stored: before n8n has stored anything, after it lost everything, in every process.
 * Each registration has another, and the salt shows which of two is the newer.
 */

/** Keeps anything else that is ever signed with an API key from passing for a token. */
const LABEL = 'n8n-nodes-voice-agent callback token';

/**
 * What a token is bound to: the node, and whether it is published or listens for a test event. The
 * path of its webhook URL would show the mode, but while n8n 1.x receives, it gives only the
 * production URL. Hosts and prefixes change with the proxies in front, so they are left out.
 */
export function bindingOf(
	context: IHookFunctions | IWebhookFunctions,
	mode = context.getMode() === 'manual' ? 'test' : 'production',
): string {
	const path = pathOf(context.getNodeWebhookUrl('default') ?? '').split('/');
	return [mode, context.getWorkflow().id, ...path.slice(-2)].join('/');
}

/**
 * Makes the callback token of a registration.
 *
 * @param binding see {@link bindingOf}
 */
export function makeToken(apiKey: string, binding: string): string {
	const now = Date.now();
	const salt = Buffer.alloc(8);
	salt.writeUInt32BE(Math.floor(now / 1000));
	for (;;) {
		// 10 bits of milliseconds, so that of two in one second the newer is still the newer; 22 random bits.
		salt.writeUInt32BE((now % 1000) * 2 ** 22 + randomInt(2 ** 22), 4);
		// One that would be taken for a mask is drawn again.
		const token = asToken(sign(apiKey, binding, salt.toString('base64url')));
		if (token) return token;
	}
}

/** Whether a token was made with this API key, and for this binding. */
export function isTokenOf(apiKey: string, binding: string, token: string): boolean {
	return isEqual(token, sign(apiKey, binding, token.slice(0, SALT_LENGTH)));
}

/** When a token was made, in ms since the epoch. */
export function madeAt(token: string): number {
	return saltOf(token).readUInt32BE() * 1000;
}

/** Whether a token was made after another one; of two, exactly one is the newer. */
export function isNewer(token: string, other: string): boolean {
	return Buffer.compare(saltOf(token), saltOf(other)) > 0;
}

/** What is stored of a token: it confirms a token, and no token can be made of it. */
export function hashOf(token: string): string {
	return createHash('sha256').update(token).digest('base64url');
}

function sign(apiKey: string, binding: string, salt: string): string {
	const hmac = createHmac('sha256', apiKey).update(`${LABEL}\n${binding}\n${salt}`);
	// 24 of the 32 bytes are 32 characters.
	return salt + hmac.digest().subarray(0, 24).toString('base64url');
}

function saltOf(token: string): Buffer {
	return Buffer.from(token.slice(0, SALT_LENGTH), 'base64url');
}
