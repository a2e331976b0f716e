import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { causeOf } from './causes';
import { isInDoubt, isRepeatable, type Outcome } from './retry';
import { hideAllSecrets } from './secrets';
import { fieldsIn, isNonEmpty, isObject, parseJson } from '../text/json';
import { excerptOf } from '../text/words';

/** The request of an error. */
export interface FailedRequest {
	node: INode;
	method: string;
	/** e.g. `/webhooks`; an API key in it, pasted as an ID, is hidden */
	path: string;
	/**
	 * Secrets that the service may repeat, such as the API key: they are hidden by value, all others by the
	 * name of their field.
	 */
	secrets: string[];
}

/** Advice for a request that must not be sent twice and has no readable answer, in place of "try again". */
const IN_DOUBT =
	'The service may have carried out the request: check that before you send it again.';

/**
 * The error for a request that did not succeed. It has no cause: the headers of the failed request hold
 * the API key.
 */
export function requestError(failed: FailedRequest, outcome: Outcome): NodeApiError {
	const hide = (text: string) => hideAllSecrets(text, failed.secrets);
	const mayBeDone = !isRepeatable(failed.method) && isInDoubt(outcome);
	const [shown, ...details] =
		'failure' in outcome
			? [outcome.failure, excerptOf(hide(outcome.failure))]
			: [
					statusShown(outcome.status, outcome.text),
					`status ${outcome.status}`,
					readErrorMessage(hide(outcome.text), isLog(failed)),
				];
	const { happened, advice } = causeOf('n8n', shown!);
	const detail = details.filter(Boolean).join(', ');
	const message = `${happened} (${detail}). ${mayBeDone ? IN_DOUBT : advice}`;
	return apiError(failed, message, 'status' in outcome ? String(outcome.status) : undefined);
}

/** Whether an answer is of the delivery log, whose events hold the data of callers: errors show nothing of it. */
function isLog({ path }: FailedRequest): boolean {
	return path.endsWith('/deliveries');
}

/**
 * The error for a 2xx answer that can't be read: not JSON, cut, or without the wanted data. It shows the
 * beginning of the answer, but not of the delivery log.
 *
 * @param wanted e.g. "a list of webhooks"
 */
export function unreadableError(failed: FailedRequest, wanted: string, text: string): NodeApiError {
	const shown =
		isLog(failed) && !isHtml(text)
			? `has ${text.length} characters. They are not shown, since they may hold events.`
			: `begins with: ${excerptOf(hideAllSecrets(text, failed.secrets))}`;
	const came = text.trim() ? shown : 'is empty';
	const advice = isRepeatable(failed.method)
		? 'Check the Base URL of the credential, or try again later.'
		: IN_DOUBT;
	const message = isHtml(text)
		? `The address does not answer like the API: a web page came instead of data. Check the Base URL of the credential. The answer ${came}`
		: `The answer of the service cannot be read: ${wanted} was expected. ${advice} The answer ${came}`;
	return apiError(failed, message);
}

/** @returns the HTTP status that an error was built from, or undefined */
export function statusOf(error: unknown): number | undefined {
	return error instanceof NodeApiError && error.httpCode ? Number(error.httpCode) : undefined;
}

/** @returns true for the status of a record that does not exist, or no longer */
export function isGone(status: number | undefined): boolean {
	return status === 404 || status === 410;
}

/** Whether a request failed for now: no answer, a fault, or too many requests. */
export function isTransient(error: Error): boolean {
	const status = statusOf(error) ?? 0;
	return error instanceof NodeApiError && (status === 0 || status === 429 || status >= 500);
}

/** @returns the text for an HTTP status: what happened, then what to do */
export function explainStatus(status: number): string {
	const { happened, advice } = causeOf('n8n', `status ${status}`);
	return `${happened}. ${advice}`;
}

/**
 * The error for a failure that is not of one request. n8n would replace a message that quotes `ETIMEDOUT` by its own.
 */
export function operationError(node: INode, message: string, description?: string) {
	const error = new NodeOperationError(node, message, { description });
	error.message = message;
	return error;
}

function apiError(failed: FailedRequest, message: string, httpCode?: string): NodeApiError {
	const description = hideAllSecrets(`${failed.method} ${failed.path}`, failed.secrets);
	const error = new NodeApiError(failed.node, { message }, { description, httpCode });
	// n8n replaces some messages by its own, and shows nothing but the message if a publish fails.
	error.message = message;
	return error;
}

/* Errors in answers. The contract does not show their form. */

/** The fields of an answer that say how the request ended, by a word or a number. */
const VERDICTS = ['status', 'result', 'code', 'statusCode', 'status_code'];

/**
 * Detects a failure in the top level of a 2xx answer: `{ "ok": false, "message": "No" }` → true. It does
 * not fit the answer to a test event, which reports on a delivery.
 *
 * @param isRemoval whether the request was to remove a record: `{ "revoked": false }` → true
 */
export function reportsFailure(body: unknown, isRemoval = false): boolean {
	if (!isObject(body)) return false;
	const isError = (error: unknown) => (typeof error === 'object' ? isNonEmpty(error) : error);
	// A body with an id is a record, with a status of its own.
	const verdicts = 'id' in body ? [] : VERDICTS.map((name) => body[name]);
	const removals = isRemoval && !('id' in body) ? [body.deleted, body.removed, body.revoked] : [];
	return (
		[body.error, body.errors].some(isError) ||
		[body.ok, body.success, ...removals].some((value) => String(value) === 'false') ||
		verdicts.some((value) => /^(error|fail(ed|ure)?|[45]\d{2,4})$/i.test(String(value)))
	);
}

/**
 * Finds an error's message in JSON, HTML or text: `{ "errors": [{ "detail": "No" }] }` → `No`
 *
 * @param isPrivate whether JSON without a message is not shown, and of several messages the first
 */
export function readErrorMessage(text: string, isPrivate = false): string {
	const reasons = reasonsIn(parseJson(text)).slice(0, isPrivate ? 1 : MOST_REASONS);
	const found = isHtml(text) ? /<title[^<>]*>([^<]+)/i.exec(text)?.[1] : reasons.join(' – ');
	return excerptOf(found || (isPrivate && /^\s*[[{]/.test(text) ? '' : text));
}

/** Names of fields that say why something failed. */
const WHY = 'errors?|message|details?|reason|title|(?:error_?)?description|invalid[_-]?params';
/** The places of texts that say why: `error`, `error.message`, `error.details.0.reason`, `error.errors.url.0` */
const REASON = new RegExp(`^(?:(?:\\d+|${WHY})\\.)*(?:${WHY}|errors\\.[^.]+)(?:\\.\\d+)*$`, 'i');
/** An error shows 200 characters. */
const MOST_REASONS = 20;

/** Finds the texts that say why something failed, the outer ones first: the value itself, or those of usual names. */
export function reasonsIn(error: unknown): string[] {
	const fields = fieldsIn({ error }, () => true);
	const reasons = fields.filter(({ keys }) => REASON.test(keys.join('.')));
	const texts = reasons.flatMap(({ value }) => (typeof value === 'string' ? value : []));
	return [...new Set(texts)].filter(Boolean);
}

/** @returns true for a web page: the request did not reach the API */
export function isHtml(text: string): boolean {
	return /^\s*(?:<(?:\?|!--)[^<>]*>\s*)*<(!doctype|html|head|body)/i.test(text);
}

/** The statuses of refusals for which the service and n8n give their reasons in JSON. */
const REFUSED_BY_PAGE = [401, 403, 406, 407, 429];

/**
 * Describes an answer by its status, and by what says more of the cause (`service/causes.ts`): the web page of a proxy
 * or of a protection against bots, which is about no key and no token. 403, `<html>…` → `status 403, a web page`
 */
export function statusShown(status: number, answer: string): string {
	const isRefusal = REFUSED_BY_PAGE.includes(status) && isHtml(answer);
	return isRefusal ? `status ${status}, a web page` : `status ${status}`;
}
