/** The query parameter of a registered URL that authenticates its deliveries. */
export const TOKEN_PARAMETER = 'voice_agent_token';

/** How many characters of a token are its salt, which tells when it was made. */
export const SALT_LENGTH = 11;

/** @returns the value if it can be a callback token, and not the mask of one */
export function asToken(value: unknown): string | undefined {
	if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(value)) return undefined;
	// A list may mask a token letter by letter. After its salt, no token has the same one four times in
	// a row; in the salt, the letters of some times are alike.
	return /(.)\1{3}/.test(value.slice(SALT_LENGTH)) ? undefined : value;
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

/** Whether two URLs are the same but for their query, however a service normalised them. */
export function isSameAddress(one: string, other: string): boolean {
	if (!URL.canParse(one) || !URL.canParse(other)) return false;
	return new URL(one).origin === new URL(other).origin && pathOf(one) === pathOf(other);
}

/** The path of a URL, unescaped and without slashes at its end; empty for what is no URL. */
export function pathOf(url: string): string {
	if (!URL.canParse(url)) return '';
	let path = new URL(url).pathname;
	try {
		path = decodeURIComponent(path);
	} catch {
		// A lone % is no escape: such a path can only be compared as it stands.
	}
	while (path.endsWith('/')) path = path.slice(0, -1);
	return path;
}
