import { isNonEmpty, isObject, parseJson } from '../text/json';

/* Errors in answers. The contract does not show their form. */

/**
 * Detects a failure in the top level of a 2xx answer: `{ "ok": false, "message": "No" }` → true. It does
 * not fit the answer to a test event, which reports on a delivery.
 */
export function reportsFailure(body: unknown): boolean {
	if (!isObject(body)) return false;
	const isError = (error: unknown) => (typeof error === 'object' ? isNonEmpty(error) : error);
	// A body with an id is a record, with a status of its own.
	const verdicts = 'id' in body ? [] : [body.status, body.result];
	return (
		[body.error, body.errors].some(isError) ||
		[body.ok, body.success].some((value) => String(value) === 'false') ||
		verdicts.some((value) => /^(error|fail(ed|ure)?)$/i.test(String(value)))
	);
}

/**
 * Finds an error's message in JSON, HTML or text: `{ "errors": [{ "detail": "No" }] }` → `No`
 *
 * @param isPrivate whether JSON without a message is not shown
 */
export function readErrorMessage(text: string, isPrivate = false): string {
	const found = isHtml(text) ? /<title[^<>]*>([^<]+)/i.exec(text)?.[1] : messageIn(parseJson(text));
	return beginning(found ?? (isPrivate && /^\s*[[{]/.test(text) ? '' : text));
}

/** @returns true for a web page: the request did not reach the API */
export function isHtml(text: string): boolean {
	return /^\s*(?:<(?:\?|!--)[^<>]*>\s*)*<(!doctype|html|head|body)/i.test(text);
}

/** The statuses of refusals for which the service and n8n give their reasons in JSON. */
const REFUSED_BY_PAGE = [401, 403, 406, 407, 429];

/** What answers of n8n and of tunnels say of the cause. */
const SIGNS = /Unrecognized node type|Failed to parse request body|ERR_NGROK_\d+|cdn\.ngrok\.com/;

/**
 * Describes an answer by its status, and by what says more of the cause (`service/causes.ts`): the web page of a proxy
 * or of a protection against bots, which is about no key and no token. 403, `<html>…` → `status 403, a web page`
 */
export function statusShown(status: number, answer: string): string {
	const isRefusal = REFUSED_BY_PAGE.includes(status) && isHtml(answer);
	const sign = isRefusal ? 'a web page' : SIGNS.exec(answer)?.[0];
	return sign ? `status ${status}, ${sign}` : `status ${status}`;
}

/** The longest beginning of a text that is read, with its white space. */
const LONGEST_READ = 2_000;

/** @returns the first 200 characters of a text, on one line, without characters that reorder it */
export function beginning(text: string): string {
	const line = text
		.slice(0, LONGEST_READ)
		.replace(/[\s\p{Cc}\p{Bidi_C}]+/gu, ' ')
		.trim();
	return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Finds an error's message in a JSON value: a text, or a field of a usual name. */
export function messageIn(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body;
	if (depth > 4) return undefined;
	if (Array.isArray(body)) {
		const messages = body.map((entry) => messageIn(entry, depth + 1));
		return messages.filter(Boolean).join('; ') || undefined;
	}
	if (!isObject(body)) return undefined;
	const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
	const usual = ['message', 'error', 'detail', 'title', 'errors'];
	const inField = (name: string) => messageIn(fields.get(name), depth + 1);
	return usual.reduce<string | undefined>((found, name) => found || inField(name), undefined);
}
