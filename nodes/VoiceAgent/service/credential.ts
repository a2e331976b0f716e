import { NodeOperationError, UserError, type FunctionsBase, type IDataObject } from 'n8n-workflow';

import { readText } from '../text/json';

/** The fields of the credential `voiceAgentApi`. */
export type VoiceAgentCredential = ReturnType<typeof checkCredential>;

/** @returns the secrets of a credential, to be hidden wherever they are repeated */
export function secretsOf({ apiKey, webhookSigningSecret }: VoiceAgentCredential): string[] {
	return [apiKey, webhookSigningSecret];
}

/** Credentials by context. n8n creates a new context for each execution, call and delivery; a poll's stays. */
const credentials = new WeakMap<FunctionsBase, Promise<VoiceAgentCredential>>();

/**
 * Reads and checks the credential of a node, once for each context: n8n asks its database each time.
 * As in n8n's own requests, an expression in it is evaluated for the first item.
 *
 * @throws NodeOperationError that names the wrong field
 */
export async function readCredential(context: FunctionsBase): Promise<VoiceAgentCredential> {
	const known = credentials.get(context) ?? readStored(context);
	credentials.set(context, known);
	return await known;
}

/** Makes the next request read the credential again: for a context that lives longer than a credential. */
export function forgetCredential(context: FunctionsBase): void {
	credentials.delete(context);
}

async function readStored(context: FunctionsBase): Promise<VoiceAgentCredential> {
	const stored = await context.getCredentials('voiceAgentApi');
	try {
		return checkCredential(stored);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/**
 * Checks the fields as typed, before a request is sent.
 *
 * @returns the credential with a base URL without `/`, `?` and `#` at its end and an API key without spaces around it
 * @throws UserError with the wrong field and the correction, never with the API key
 */
export function checkCredential(stored: IDataObject) {
	const baseUrl = readText(stored.baseUrl).replace(/[/?#]+$/, '');
	const apiKey = readText(stored.apiKey);
	const fault = faultOfBaseUrl(baseUrl) ?? faultOfApiKey(apiKey);
	if (fault) throw new UserError(fault);
	return {
		/** Ends in the API version, such as `https://api.example.com/v1`. */
		baseUrl,
		/** A workspace API key, `svc_live_…`. */
		apiKey,
		/** The header that carries the key; the service accepts either (docs/the-service.md). */
		authHeader: stored.authHeader === 'x-api-key' ? 'x-api-key' : 'authorization',
		/** Verifies deliveries if the endpoint has no signing secret, or its secret does not fit. Empty if there is none. */
		webhookSigningSecret: readText(stored.webhookSigningSecret),
		/** Whether a certificate of the service that n8n does not trust is accepted. */
		ignoreSSLIssues: stored.ignoreSSLIssues === true,
	};
}

/**
 * @param stored the fields as typed, see {@link checkCredential}
 * @param url of the request: the API key is sent to the base URL's own origin only, so that a mistyped
 *   URL or a forged "next page" link can't collect it
 * @param base of a relative URL
 * @returns the header with the API key
 * @throws UserError for a wrong field, and for another origin
 */
export function authHeaders(stored: IDataObject, url: string, base?: string) {
	const credential = checkCredential(stored);
	const { origin } = new URL(credential.baseUrl);
	if (new URL(url, base).origin !== origin) {
		throw new UserError(
			`The API key is only sent to ${origin}, the origin of the credential's Base URL, but the request goes elsewhere. Change the URL, or use a credential for that address.`,
		);
	}
	return credential.authHeader === 'x-api-key'
		? { 'x-api-key': credential.apiKey }
		: { Authorization: `Bearer ${credential.apiKey}` };
}

/** @returns the text of the error for a wrong base URL, with the correction; undefined for a good one */
function faultOfBaseUrl(baseUrl: string): string | undefined {
	if (!baseUrl) {
		return "'Base URL' is empty. Enter the address of the service, e.g. https://api.example.com/v1";
	}
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	const extra = url && url.search + url.hash + url.username + url.password;
	if (!url || !/^https?:$/.test(url.protocol) || extra) {
		return "'Base URL' is not the address of an API. Enter it like https://api.example.com/v1: it begins with https:// and has no query and no login.";
	}
	if (url.protocol === 'http:' && !isLocalHost(url.hostname)) {
		url.protocol = 'https:';
		return `'Base URL' begins with http://, so the API key would travel unencrypted. http:// is accepted only for a service in your own network (localhost, a private IP address, a name without dots, .local or .internal). Enter: ${url.href.replace(/\/$/, '')}`;
	}
	if (!/\/v\d+$/.test(url.pathname)) {
		const versioned =
			/^.*?\/v\d+(?=\/)/.exec(url.pathname)?.[0] ?? `${url.pathname.replace(/\/$/, '')}/v1`;
		return `'Base URL' must end in the API version, such as /v1. Enter: ${url.origin}${versioned}`;
	}
	return undefined;
}

/** @returns the text of the error for a wrong API key, with the correction; undefined for one that may be good */
function faultOfApiKey(apiKey: string): string | undefined {
	if (!apiKey) {
		return "'API Key' is empty. Create a key with the scope workspace:admin in the service, and paste it here.";
	}
	if (/^(pk_live_|eyJ[\w-]*\.[\w-]+\.)/.test(apiKey)) {
		return "'API Key' holds a publishable key (pk_live_…) or an access token (a JWT). Both are for browsers, and may not manage a workspace. Paste a workspace API key (svc_live_…).";
	}
	return /[^\x21-\x7e]/.test(apiKey)
		? `'API Key' holds blanks or characters that a key cannot have. Copy the key alone (svc_live_…), without "Bearer", and paste it again.`
		: undefined;
}

/**
 * @param hostname of a parsed URL, which writes IP addresses in one form: `127.1` → `127.0.0.1`
 * @returns true for a loopback, private or link-local IP address (RFC 1918, 3927, 4193, 4291), and for
 *   a name that the public DNS does not have
 */
function isLocalHost(hostname: string): boolean {
	const host = hostname.replace(/\.$/, '');
	if (host.startsWith('[')) return /^\[(::1\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/.test(host);
	if (/^[\d.]+$/.test(host)) {
		return /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host);
	}
	return !host.includes('.') || /\.(localhost|local|internal)$/.test(host);
}
