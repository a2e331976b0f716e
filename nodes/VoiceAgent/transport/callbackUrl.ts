/** The query parameter of a registered URL that authenticates its deliveries. */
export const TOKEN_PARAMETER = 'voice_agent_token';

/** 32 random bytes in base64url: what a token looks like when a service does not mask it. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A token in JSON: in a query, however often it was escaped, or as a field of its own. */
const TOKEN_IN_JSON = new RegExp(
	String.raw`(${TOKEN_PARAMETER}(?:=|%(?:25)*3D|\\*":\s*\\*"))[A-Za-z0-9_-]+`,
	'gi',
);

/** @returns the value if it can be a callback token */
export function asToken(value: unknown): string | undefined {
	return typeof value === 'string' && TOKEN_SHAPE.test(value) ? value : undefined;
}

/** @returns the URL to register: a webhook URL plus its callback token */
export function withToken(webhookUrl: string, token: string): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(TOKEN_PARAMETER, token);
	return url.href;
}

/** @returns the callback token of a URL as a list shows it; undefined where it is masked or gone */
export function tokenOf(listedUrl: string): string | undefined {
	return URL.canParse(listedUrl)
		? asToken(new URL(listedUrl).searchParams.get(TOKEN_PARAMETER))
		: undefined;
}

/** Tells whether two URLs are the same but for their query, however a service normalised them. */
export function isSameAddress(one: string, other: string): boolean {
	const address = addressOf(one);
	return address !== undefined && address === addressOf(other);
}

/**
 * Hides the callback tokens in anything that a person or a model may see.
 *
 * @param value any JSON value
 * @returns a copy in which each token is `***`
 */
export function maskTokens<T>(value: T): T {
	const masked = JSON.stringify(value)?.replace(TOKEN_IN_JSON, '$1***');
	return masked === undefined ? value : (JSON.parse(masked) as T);
}

function addressOf(text: string): string | undefined {
	if (!URL.canParse(text)) return undefined;
	const { origin, pathname } = new URL(text);
	return origin + decode(pathname).replace(/\/+$/, '');
}

function decode(pathname: string): string {
	try {
		return decodeURIComponent(pathname);
	} catch {
		// A lone % is no escape: such a path can only be compared as it stands.
		return pathname;
	}
}
