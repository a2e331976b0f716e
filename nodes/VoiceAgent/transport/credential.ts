import { UserError } from 'n8n-workflow';

/** The stored fields of the credential `voiceAgentApi`. */
export interface VoiceAgentCredential {
	/** As in the contract: ends in the version segment, such as `https://api.example.com/v1`. */
	baseUrl: string;
	/** A workspace API key, `svc_live_…`. */
	apiKey: string;
	/** The header that carries the key; the service accepts either (contract, section 5). */
	authHeader: 'authorization' | 'x-api-key';
	/** Verifies signed deliveries where creating the endpoint returned no secret of its own. */
	webhookSigningSecret?: string;
}

/**
 * Checks what a person typed before anything is sent.
 *
 * @returns the credential with a base URL without trailing slashes and a key without blanks around it
 * @throws UserError that names the field and says what to do; it never holds the key
 */
export function checkCredential(stored: Partial<VoiceAgentCredential>): VoiceAgentCredential {
	return {
		baseUrl: checkBaseUrl(stored.baseUrl ?? ''),
		apiKey: checkApiKey(stored.apiKey ?? ''),
		authHeader: stored.authHeader === 'x-api-key' ? 'x-api-key' : 'authorization',
		webhookSigningSecret: stored.webhookSigningSecret?.trim(),
	};
}

/**
 * Puts the key into the one header that the credential names.
 *
 * @param url where the request goes; the key is only ever sent to the base URL's own origin,
 *   so that a mistyped address or a forged "next page" link can't collect it
 */
export function authHeaders(credential: VoiceAgentCredential, url: string): Record<string, string> {
	const { origin } = new URL(credential.baseUrl);
	if (new URL(url).origin !== origin) {
		throw new UserError(
			`The API key is only sent to ${origin}, the origin of the credential's Base URL, but the request goes elsewhere. Change the URL, or use a credential for that address.`,
		);
	}
	return credential.authHeader === 'x-api-key'
		? { 'x-api-key': credential.apiKey }
		: { Authorization: `Bearer ${credential.apiKey}` };
}

function checkBaseUrl(typed: string): string {
	const baseUrl = typed.trim().replace(/\/+$/, '');
	if (!baseUrl) {
		throw new UserError(
			'Base URL is empty. Enter the address of the service, e.g. https://api.example.com/v1',
		);
	}
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (
		!url ||
		!/^https?:$/.test(url.protocol) ||
		url.search ||
		url.hash ||
		url.username ||
		url.password
	) {
		throw new UserError(
			'Base URL is not the address of an API. Enter it like https://api.example.com/v1: it begins with https:// and has no query and no login.',
		);
	}
	if (!/\/v\d+$/.test(url.pathname)) {
		const versioned =
			/^.*?\/v\d+(?=\/)/.exec(url.pathname)?.[0] ?? `${url.pathname.replace(/\/$/, '')}/v1`;
		throw new UserError(
			`Base URL must end in the version segment. Enter: ${url.origin}${versioned}`,
		);
	}
	return baseUrl;
}

function checkApiKey(typed: string): string {
	const apiKey = typed.trim();
	if (!apiKey) {
		throw new UserError(
			'API Key is empty. Create a key with the scope workspace:admin in the service, and paste it here.',
		);
	}
	if (apiKey.startsWith('pk_live_')) {
		throw new UserError(
			'API Key holds a publishable key (pk_live_…), which is for chat widgets in browsers and may not manage a workspace. Paste a workspace API key (svc_live_…).',
		);
	}
	if (/^eyJ[\w-]*\.[\w-]+\./.test(apiKey)) {
		throw new UserError(
			'API Key holds an access token (a JWT), which is for browser sessions and soon expires. Paste a workspace API key (svc_live_…).',
		);
	}
	if (/[^\x21-\x7e]/.test(apiKey)) {
		throw new UserError(
			'API Key holds blanks or characters that a key cannot have. Copy the key alone (svc_live_…), without "Bearer", and paste it again.',
		);
	}
	return apiKey;
}
