import {
	sleep,
	UserError,
	type IAllExecuteFunctions,
	type IHttpRequestMethods,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import { readCredential, secretsOf, type VoiceAgentCredential } from './credential';
import {
	isGone,
	requestError,
	unreadableError,
	type FailedRequest,
	isHtml,
	reportsFailure,
} from './errors';
import { parseExactly } from '../text/json';
import { isInDoubt, REQUEST_MS, retryDelay, type Deadline, type Outcome } from './retry';
import { hideKnownSecrets } from './secrets';

/** The context of a node that calls the service. */
export type Context = IAllExecuteFunctions;

/** The query of a request. */
export type Query = Record<string, string>;

/** A request to the service: docs/the-service.md, "What is fixed". */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, e.g. `/webhooks`. */
	path: string;
	query?: Query;
	body?: Record<string, unknown>;
	/** Whether a 2xx answer may report a failure in its body. */
	mayReportFailure?: boolean;
}

type ServiceAnswer = Extract<Outcome, { text: string }>;

/**
 * Sends a request to the service, and repeats it where that is safe, until the deadline.
 *
 * @returns the answer of any 2xx, since the contract does not show the success codes: see {@link readAnswer}
 * @throws NodeApiError with the reason and advice; NodeOperationError for a wrong credential; UserError if the
 *   execution is cancelled while the request waits
 */
export async function request(context: Context, asked: ServiceRequest, deadline: Deadline) {
	const credential = await readCredential(context);
	const known = secretsOf(credential);
	// An error may repeat them, and what stands in the query of a sent URL.
	const secrets = [...known, ...queryValuesOf(asked.body?.url)];
	const failed = { ...asked, node: context.getNode(), secrets };

	let mayBeDone = false;
	const endsAt = deadline.endsAt ?? Date.now() + REQUEST_MS;
	for (let attempts = 1; ; attempts++) {
		const timeout = Math.max(Math.min(deadline.timeout, endsAt - Date.now()), 1);
		const sent = await send(context, credential, asked, timeout);
		const outcome = mayBeDone ? countGoneAsRemoved(asked, sent) : sent;
		mayBeDone ||= isInDoubt(outcome);
		if (isSuccess(outcome)) return readAnswer(asked, outcome, failed, known);
		const delay = retryDelay(asked.method, outcome, attempts);
		const isLast = deadline.once || delay === undefined || Date.now() + delay >= endsAt;
		if (isLast) throw requestError(failed, outcome);
		await sleep(delay);
		if (deadline.cancelled?.aborted) throw new UserError('The execution was cancelled.');
	}
}

/** A 404 after a DELETE without an answer is a success: the earlier attempt has removed the record. */
function countGoneAsRemoved({ method }: ServiceRequest, outcome: Outcome): Outcome {
	const isRemoved = method === 'DELETE' && 'text' in outcome && isGone(outcome.status);
	return isRemoved ? { ...outcome, status: 204, text: '' } : outcome;
}

function isSuccess(outcome: Outcome): outcome is ServiceAnswer {
	return 'text' in outcome && outcome.status >= 200 && outcome.status < 300;
}

function queryValuesOf(url: unknown): string[] {
	return URL.canParse(String(url)) ? [...new URL(String(url)).searchParams.values()] : [];
}

/**
 * Reads an answer of the service: its headers, and what its text states, without the secrets of the credential.
 *
 * @param known secrets that the service may repeat
 * @throws NodeApiError for a web page, and without `mayReportFailure` for a body that reports a failure
 */
function readAnswer(
	asked: ServiceRequest,
	outcome: ServiceAnswer,
	failed: FailedRequest,
	known: string[],
) {
	const { status, text } = outcome;
	const headers = hideKnownSecrets(outcome.headers, known);
	/** Builds the error for a body without the wanted data, e.g. "a list of webhooks". */
	const unreadable = (wanted: string) => unreadableError(failed, wanted, text);
	if (isHtml(text)) throw unreadable('data');
	/** The parsed body; `null` with the status 204, undefined where it is empty or not JSON. */
	const body = status === 204 ? null : hideKnownSecrets(parseExactly(text), known);
	/** The error for a body that reports a failure. */
	// 202: the removal is to come.
	const hasFailed = reportsFailure(body, asked.method === 'DELETE' && status !== 202);
	const failure = hasFailed ? requestError(failed, outcome) : undefined;
	if (failure && !asked.mayReportFailure) throw failure;
	return { headers, body, failure, unreadable };
}

async function send(
	context: Context,
	credential: VoiceAgentCredential,
	{ method, path, query, body }: ServiceRequest,
	timeout: number,
): Promise<Outcome> {
	// Else n8n would read it from its database for each request.
	const credentialsDecrypted = { id: '', name: '', type: 'voiceAgentApi', data: { ...credential } };
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			'voiceAgentApi',
			{
				method,
				url: credential.baseUrl + path,
				qs: query,
				body: body && JSON.stringify(body),
				headers: {
					Accept: 'application/json',
					...(body && { 'Content-Type': 'application/json' }),
				},
				// As text, since n8n returns a cut or wrong JSON body without an error.
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout,
				// The time-out above starts again with each byte of a slow answer; this one does not. In an
				// execution, n8n replaces it with the signal of the execution's cancellation.
				abortSignal: AbortSignal.timeout(timeout + 250),
			},
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;
		const text = typeof response.body === 'string' ? response.body : '';
		return { status: response.statusCode, headers: response.headers, text };
	} catch (error) {
		return { failure: failureOf(error) };
	}
}

/** The code of a connection that failed (`ECONNREFUSED`, …), wherever n8n wrapped it. */
function failureOf(error: unknown): string {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		const { code } = cause as Error & { code?: unknown };
		if (typeof code === 'string' && code) return code;
	}
	return error instanceof Error ? error.message : String(error);
}
