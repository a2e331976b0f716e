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
export const SALT_LENGTH = 11;

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
export function pathOf(url: string): string {
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

/** Masks the query of a URL, which may hold a secret; null for no URL. `https://a.example/1?key=2` → `https://a.example/1?***` */
export function maskQuery(url: string | null | undefined): string | null {
	const parsed = parseUrl(url ?? '');
	return parsed ? parsed.origin + parsed.pathname + (parsed.search && '?***') : null;
}

function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
