import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { causeOf } from './causes';
import { beginning, isHtml, readErrorMessage, statusShown } from './messages';
import { isInDoubt, isRepeatable, type Outcome } from './retry';
import { hideAllSecrets } from './secrets';

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
			? [outcome.failure, beginning(hide(outcome.failure))]
			: [
					statusShown(outcome.status, outcome.text),
					`status ${outcome.status}`,
					readErrorMessage(hide(outcome.text), isLog(failed)),
				];
	const { happened, advice } = causeOf('n8n', shown!);
	const detail = details.filter(Boolean).join(', ');
	const message = `${happened} (${detail}). ${mayBeDone ? IN_DOUBT : advice}`;
	return build(failed, message, 'status' in outcome ? String(outcome.status) : undefined);
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
			: `begins with: ${beginning(hideAllSecrets(text, failed.secrets))}`;
	const came = text.trim() ? shown : 'is empty';
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
	const { happened, advice } = causeOf('n8n', `status ${status}`);
	return `${happened}. ${advice}`;
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
