import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { beginning, isHtml, isRefusalPage, readErrorMessage } from './messages';
import { isInDoubt, isRepeatable, kindOfFailure, type FailureKind, type Outcome } from './retry';
import { hideAllSecrets } from './secrets';

/** The text of an error: what happened, then what to do. */
type Words = [happened: string, advice: string];

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

const REFUSED: Words = ['The service refused the request', 'Check the fields of the node.'];
const FAULT: Words = ['The service returned a server error', 'Try again later.'];
const REDIRECT: Words = [
	'The service is at another address',
	'It answers with a redirect, which is not followed, because the API key would go along. Put the new address into the Base URL of the credential.',
];
const REFUSAL_PAGE: Words = [
	'A web page refused the request: of a proxy, or of a protection against bots',
	'The API key may be right. Let the requests of n8n pass there, and check the Base URL of the credential.',
];

const BY_STATUS: Record<number, Words> = {
	401: [
		'The API key was not accepted',
		'It is invalid or was revoked. Paste a valid key into the credential.',
	],
	403: [
		'The API key lacks the scope workspace:admin',
		'Every operation of the Voice Agent nodes needs it. Create a key that has it, and put that into the credential.',
	],
	404: [
		'The service has nothing at this address',
		'Check the Base URL of the credential, and the ID if there is one.',
	],
	407: [
		'The proxy of n8n asks for a login',
		'Put its user and password into the environment variable HTTPS_PROXY of n8n.',
	],
	409: ['The service reports a conflict', 'The record may exist already, or may be in use.'],
	429: ['Too many requests', 'Wait, then try again.'],
};

const LATE: Words = ['The service did not answer in time', 'Try again later.'];
const BROKEN: Words = ['The connection to the service broke', 'Try again later.'];

const BY_FAILURE: Partial<Record<FailureKind, Words>> = {
	unknownHost: [
		'The host was not found',
		'Check the Base URL of the credential, and the DNS of n8n.',
	],
	unreachable: [
		'The service cannot be reached',
		'Check the Base URL of the credential, and that it is up.',
	],
	insecure: [
		'No secure connection: the certificate of the service was not accepted',
		'Check the Base URL of the credential. A private certificate authority is added to n8n with NODE_EXTRA_CA_CERTS.',
	],
	proxy: [
		'The proxy of n8n did not let the request through',
		'Check the environment variables HTTPS_PROXY and NO_PROXY of n8n, and what the proxy allows.',
	],
	blocked: [
		"n8n's protection against SSRF blocks the service's address",
		'Check the Base URL; whoever runs n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.',
	],
	late: LATE,
	ended: LATE,
};

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
	const textOf = ([happened, advice]: Words, detail: string) =>
		`${happened} (${detail}). ${mayBeDone ? IN_DOUBT : advice}`;
	if ('failure' in outcome) {
		const words = BY_FAILURE[kindOfFailure(outcome.failure)] ?? BROKEN;
		return build(failed, textOf(words, beginning(hide(outcome.failure))));
	}
	const { status, text } = outcome;
	const detail = [`status ${status}`, readErrorMessage(hide(text))].filter(Boolean).join(', ');
	const words = isRefusalPage(status, text) ? REFUSAL_PAGE : wordsForStatus(status);
	return build(failed, textOf(words, detail), String(status));
}

/**
 * The error for a 2xx answer that can't be read: not JSON, cut, or without the wanted data. It shows the
 * beginning of the answer.
 *
 * @param wanted e.g. "a list of webhooks"
 */
export function unreadableError(failed: FailedRequest, wanted: string, text: string): NodeApiError {
	const shown = beginning(hideAllSecrets(text, failed.secrets));
	const came = text.trim() ? `begins with: ${shown}` : 'is empty';
	const advice = isRepeatable(failed.method)
		? 'Check the Base URL of the credential, or try again later.'
		: IN_DOUBT;
	const message = isHtml(text)
		? `The address does not answer like the API: a web page came instead of data. Check the Base URL of the credential. The answer ${came}`
		: `The answer of the service cannot be read: ${wanted} was expected. ${advice} The answer ${came}`;
	return build(failed, message);
}

/** Hides secrets as `hideAllSecrets` does, in all texts of an error and of its causes, and returns the error. */
export function hideInError(error: Error, known: string[]): Error {
	for (let one: unknown = error; one instanceof Error; one = one.cause) {
		const texts = one as unknown as Record<string, unknown>;
		for (const name of ['message', 'description', 'stack']) {
			if (typeof texts[name] === 'string') texts[name] = hideAllSecrets(texts[name], known);
		}
	}
	return error;
}

/** @returns the HTTP status that an error was built from, or undefined */
export function statusOf(error: unknown): number | undefined {
	return error instanceof NodeApiError && error.httpCode ? Number(error.httpCode) : undefined;
}

/** @returns true for the status of a record that does not exist, or no longer */
export function isGone(status: number | undefined): boolean {
	return status === 404 || status === 410;
}

/** @returns the text for an HTTP status: what happened, then what to do */
export function explainStatus(status: number): string {
	return wordsForStatus(status).join('. ');
}

function wordsForStatus(status: number): Words {
	if (status >= 500) return FAULT;
	if (status >= 300 && status < 400) return REDIRECT;
	return BY_STATUS[isGone(status) ? 404 : status] ?? REFUSED;
}

/** The error for a failure that is not of one request. n8n would replace a message that quotes `ETIMEDOUT` by its own. */
export function operationError(node: INode, message: string, description?: string) {
	const error = new NodeOperationError(node, message, { description });
	error.message = message;
	return error;
}

function build(failed: FailedRequest, message: string, httpCode?: string): NodeApiError {
	const description = hideAllSecrets(`${failed.method} ${failed.path}`, failed.secrets);
	const error = new NodeApiError(failed.node, { message }, { description, httpCode });
	// n8n replaces some messages by its own, and shows nothing but the message if a publish fails.
	error.message = message;
	return error;
}
