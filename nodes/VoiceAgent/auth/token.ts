import { createHash, createHmac, randomBytes, timingSafeEqual } from 'crypto';

/** The query parameter of a registered URL that authenticates its deliveries. */
export const TOKEN_PARAMETER = 'voice_agent_token';

/** The query parameter of a registered URL that names its workflow. It proves nothing. */
const WORKFLOW_PARAMETER = 'voice_agent_workflow';

/** The ID of a workflow: letters and digits, or an older n8n's number. */
const WORKFLOW_ID = /^(?:\d{1,10}|[A-Za-z\d][\w-]{15,35})$/;

/** n8n's path of the trigger; with N8N_ENDPOINT_WEBHOOK, only the id of its webhook shows it. */
const N8N_PATH =
	/\/webhook\/?$(?<=\/(webhook(-test)?\/.+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})\/webhook\/?)/;

/** How many characters of a token are its salt, which contains the time of registration. */
const SALT_LENGTH = 11;

/** @returns the value if it has the form of a callback token */
export function asToken(value: unknown): string | undefined {
	return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** @returns the URL to register: a webhook URL plus its callback token, and the ID of its workflow */
export function withToken(webhookUrl: string, token: string, workflowId = ''): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(TOKEN_PARAMETER, token);
	// Behind the token, which must survive a service that changes or drops what follows a `&`.
	if (WORKFLOW_ID.test(workflowId)) url.searchParams.set(WORKFLOW_PARAMETER, workflowId);
	return url.href;
}

/** @returns the ID of the workflow that a listed URL names; undefined without one */
export function workflowIdOf(listedUrl: string): string | undefined {
	const id = parseUrl(listedUrl)?.searchParams.get(WORKFLOW_PARAMETER);
	return id && WORKFLOW_ID.test(id) ? id : undefined;
}

/** @returns the callback token of a listed URL; undefined without one */
export function tokenOf(listedUrl: string): string | undefined {
	return asToken(parseUrl(listedUrl)?.searchParams.get(TOKEN_PARAMETER));
}

/** @returns true if two URLs differ in their query, escapes or final slashes only */
export function isSameAddress(one: string, other: string): boolean {
	const origin = parseUrl(one)?.origin;
	const isSameOrigin = origin !== undefined && origin === parseUrl(other)?.origin;
	return isSameOrigin && pathOf(one) === pathOf(other);
}

/** @returns the path of a URL, unescaped and without final slashes; empty for a text that is no URL */
function pathOf(url: string): string {
	let path = parseUrl(url)?.pathname ?? '';
	try {
		path = decodeURIComponent(path);
	} catch {
		// A lone % is no escape: the path is compared as written.
	}
	while (path.endsWith('/')) path = path.slice(0, -1);
	return path;
}

/**
 * Detects the endpoint of a trigger by the callback token in its URL. A list that masks the token
 * still shows n8n's path; an endpoint whose URL is hidden may be a trigger's.
 */
export function isOfTrigger(url: string): boolean {
	const parsed = parseUrl(url);
	return !parsed || parsed.searchParams.has(TOKEN_PARAMETER) || N8N_PATH.test(parsed.pathname);
}

/**
 * Masks the query of a URL, which may hold a secret; null for no URL. `https://a.example/1?key=2` →
 * `https://a.example/1?***`
 */
export function maskQuery(url: string | null | undefined): string | null {
	const parsed = parseUrl(url ?? '');
	return parsed ? parsed.origin + parsed.pathname + (parsed.search && '?***') : null;
}

function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

/*
 * A callback token proves itself: 11 base64url characters of salt (the time of its creation, then random
 * bits), then 32 of an HMAC with the API key. With the key, every process can verify a token without
 * stored data. Each endpoint has its own token.
 */

/** Keeps other signatures with the same API key from passing as a token. */
const LABEL = 'n8n-nodes-voice-agent callback token';

/**
 * The binding of a token: the node, and whether it is published or listens for a test event. The mode is
 * explicit because n8n 1.x gives only the production URL in a delivery. Hosts and prefixes are left out
 * because they change with the proxies before n8n.
 */
export function bindingOf(mode: 'test' | 'production', workflowId = '', webhookUrl = '') {
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
	return Buffer.from(token.slice(0, SALT_LENGTH), 'base64url').readUInt32BE() * 1000;
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

/*
 * A poll sends what it has done to the trigger's own webhook, where n8n has just read the static data, and
 * stores them at once. The request has a callback token of its own, and a second token that is bound to its body.
 */

/** The header with the proof, which also tells the request from a delivery. */
export const RESULTS_HEADER = 'x-voice-agent-results';

/** @returns the binding of the token that proves results: their text */
export function bindingOfResults(body: string): string {
	return `poll results\n${body}`;
}
