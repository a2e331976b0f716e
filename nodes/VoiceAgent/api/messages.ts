import { isObject, parseJson } from '../matcher/fields';

/* What an answer says in words. The contract shows no form of errors ("not shown", section 7). */

/**
 * Tells whether the body of a success says at its top level that it failed. Not to be asked of the
 * answer to a test event, which reports on a delivery.
 *
 * @returns what it says of the failure
 */
export function saysFailed(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const errors = [body.error, body.errors].filter((error) =>
		typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : error,
	);
	// What has an id is a record, whose status is its own.
	const verdicts = 'id' in body ? [] : [body.status, body.result];
	const isFailed =
		[body.ok, body.success].some((value) => String(value) === 'false') ||
		verdicts.some((value) => /^(error|fail(ed|ure)?)$/i.test(String(value)));
	if (!isFailed && errors.length === 0) return undefined;
	return messageIn(body) ?? beginning(JSON.stringify(body));
}

/** Finds what an answer says of an error, in JSON of any of the usual shapes, HTML or text. */
export function readErrorMessage(text: string): string {
	const found = isHtml(text) ? /<title[^<>]*>([^<]+)/i.exec(text)?.[1] : messageIn(parseJson(text));
	return beginning(found ?? text);
}

/** @returns true for a page that a person should see, which an API does not send */
export function isHtml(text: string): boolean {
	return /^\s*(?:<(?:\?|!--)[^<>]*>\s*)*<(!doctype|html|head|body)/i.test(text);
}

/** The first characters of a text on one line, for an error that shows what came. */
export function beginning(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function messageIn(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body;
	if (depth > 4) return undefined;
	if (Array.isArray(body)) {
		const messages = body.map((entry) => messageIn(entry, depth + 1));
		return messages.filter(Boolean).join('; ') || undefined;
	}
	if (!isObject(body)) return undefined;
	for (const key of ['message', 'error', 'detail', 'title', 'errors']) {
		const message = messageIn(body[key], depth + 1);
		if (message) return message;
	}
	return undefined;
}
