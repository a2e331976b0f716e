/** The query parameter of a registered URL that authenticates its deliveries. */
export const TOKEN_PARAMETER = 'voice_agent_token';

/** The query parameter of a registered URL that names its workflow. It proves nothing. */
const WORKFLOW_PARAMETER = 'voice_agent_workflow';

/** The ID of a workflow: letters and digits, or an older n8n's number. No mask such as `xxxx`, `redacted`. */
const WORKFLOW_ID = /^(?:\d{1,10}|(?!(.)\1*$)[A-Za-z\d][\w-]{15,35})$/;

/** n8n's path of the trigger; with N8N_ENDPOINT_WEBHOOK, only the id of its webhook shows it. */
const N8N_PATH = /\/(webhook(-test)?\/.+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})\/webhook\/?$/;

/** A part of a URL that a list does not show: `***`, `…`, `...`, `xxxxxx`, `[redacted]` */
const HIDDEN_PART = /[*•●∙·…]+|\.{3,}|x{4,}|\[\w*\]|<\w*>/;

/** How many characters of a token are its salt, which contains the time of registration. */
export const SALT_LENGTH = 11;

/** @returns the value if it can be a callback token; undefined for a mask such as `xxxxx…` */
export function asToken(value: unknown): string | undefined {
	if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(value)) return undefined;
	// A list may mask each letter of a token. After the salt, no token repeats a letter four times in a
	// row; the salt may, at some times of registration.
	return /(.)\1{3}/.test(value.slice(SALT_LENGTH)) ? undefined : value;
}

/** @returns the URL to register: a webhook URL plus its callback token, and the ID of its workflow */
export function withToken(webhookUrl: string, token: string, workflowId = ''): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(TOKEN_PARAMETER, token);
	// Behind the token, which must survive a service that changes or drops what follows a `&`.
	if (WORKFLOW_ID.test(workflowId)) url.searchParams.set(WORKFLOW_PARAMETER, workflowId);
	return url.href;
}

/** @returns the ID of the workflow that a listed URL names; undefined if it is masked or missing */
export function workflowIdOf(listedUrl: string): string | undefined {
	const id = parseUrl(listedUrl)?.searchParams.get(WORKFLOW_PARAMETER);
	return id && WORKFLOW_ID.test(id) ? id : undefined;
}

/** @returns the callback token of a listed URL; undefined if it is masked or missing */
export function tokenOf(listedUrl: string): string | undefined {
	return asToken(parseUrl(listedUrl)?.searchParams.get(TOKEN_PARAMETER));
}

/** @returns true if two URLs differ in their query, escapes or final slashes only */
export function isSameAddress(one: string, other: string): boolean {
	const origin = parseUrl(one)?.origin;
	const isSameOrigin = origin !== undefined && origin === parseUrl(other)?.origin;
	return isSameOrigin && pathOf(one) === pathOf(other);
}

/**
 * Tests whether an endpoint may be at a URL, as far as a list shows it: at the same address, or with
 * visible parts that agree with it. `https://n8n.example.com/•••`, `***` or no URL at all → true;
 * `https://crm.example.com/***` → false, because the host differs.
 */
export function mayBeAt(shown: string, url: string): boolean {
	if (isSameAddress(shown, url)) return true;
	const [visible = ''] = shown.toLowerCase().split('?');
	const [head = '', ...parts] = visible.split(HIDDEN_PART);
	// A word in place of the URL, such as `hidden`; or an address without its scheme.
	if (parts.length === 0) return !/[./:]/.test(head) || isSameAddress(`https://${shown}`, url);
	const address = url.toLowerCase();
	let at = head.length;
	return (
		address.startsWith(head) &&
		parts.every((part, index) => {
			const found = address.indexOf(part, at);
			at = found + part.length;
			// The last part may be the end of the query: `https://n8n…k3Fq`
			return found >= 0 || (index === parts.length - 1 && /^[\w=&-]*$/.test(part));
		})
	);
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
