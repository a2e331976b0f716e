import {
	NodeOperationError,
	sleep,
	type IAllExecuteFunctions,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { tokenOf } from './callbackUrl';
import { checkCredential, type VoiceAgentCredential } from './credential';
import { requestError, unreadableError } from './errors';
import { readNextPage } from './paging';
import { isHtml, LIST_NAMES, parseJson, readList, readRecord, type Resource } from './read';
import { isInDoubt, retryDelay, type Outcome, type Patience } from './retry';

/** What n8n gives to a node that calls the service. */
export type Context =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IWebhookFunctions;

/** One request of the contract, section 4. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST' | 'DELETE'>;
	/** Below the base URL, e.g. `/webhooks`. */
	path: string;
	query?: Record<string, string>;
	body?: Record<string, unknown>;
}

interface Answer {
	headers: Record<string, unknown>;
	/** The parsed body; undefined where it is empty or not JSON. */
	body: unknown;
	/** The error for a body that holds nothing of what was wanted, e.g. "a list of webhooks". */
	unreadable: (wanted: string) => Error;
}

/** More pages than any workspace has: ends a list that never ends. */
const MAX_PAGES = 1_000;

/**
 * Reads and checks the credential of a node.
 *
 * @throws NodeOperationError that names the field which can't be right
 */
export async function readCredential(context: Context): Promise<VoiceAgentCredential> {
	const stored = await context.getCredentials<Partial<VoiceAgentCredential>>('voiceAgentApi');
	try {
		return checkCredential(stored);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/**
 * The one door to the service: sends a request, again where that is safe, until the patience ends.
 *
 * @returns the answer of any 2xx, since the contract does not show the success codes
 * @throws NodeApiError in words for a person
 */
export async function request(
	context: Context,
	asked: ServiceRequest,
	patience: Patience,
): Promise<Answer> {
	const credential = await readCredential(context);
	const node = context.getNode();
	const name = `${asked.method} ${asked.path}`;
	const url = credential.baseUrl + asked.path;
	const known = secretsIn(credential, asked);

	let mayBeDone = false;
	for (let tries = 1; ; tries++) {
		let outcome = await send(context, url, asked, patience);
		if (mayBeDone && asked.method === 'DELETE' && 'text' in outcome && outcome.status === 404) {
			// An earlier try removed it, and the answer got lost.
			outcome = { ...outcome, status: 204, text: '' };
		}
		mayBeDone ||= isInDoubt(outcome);
		if ('text' in outcome && outcome.status >= 200 && outcome.status < 300) {
			const { headers, text } = outcome;
			const unreadable = (wanted: string) => unreadableError(node, name, wanted, text, known);
			if (isHtml(text)) throw unreadable('data');
			return { headers, body: parseJson(text), unreadable };
		}
		const delay = patience.once ? undefined : retryDelay(asked.method, outcome, tries);
		if (delay === undefined || Date.now() + delay >= patience.until) {
			throw requestError(node, name, outcome, known);
		}
		await sleep(delay);
	}
}

/**
 * Sends a request whose answer holds one record.
 *
 * @returns the record, which has an id, out of whatever envelope
 * @throws NodeApiError also where the answer has no record with an id
 */
export async function requestRecord(context: Context, asked: ServiceRequest, patience: Patience) {
	const answer = await request(context, asked, patience);
	const record = readRecord(answer.body);
	if (!record) throw answer.unreadable('a record with an "id"');
	return record;
}

/**
 * Reads a list, page after page where it says how to go on.
 *
 * @param limit how many entries are wanted at the most
 * @param patience made anew for each page, or one for all of them
 * @returns the entries, and whether the service holds more that it gave no way to
 * @throws NodeApiError also where no list can be found in an answer
 */
export async function requestList(
	context: Context,
	path: string,
	resource: Resource,
	patience: () => Patience,
	limit = Infinity,
): Promise<{ entries: unknown[]; complete: boolean }> {
	const entries: unknown[] = [];
	const seen = new Set<string>();
	let query: Record<string, string> | undefined;

	for (;;) {
		const answer = await request(context, { method: 'GET', path, query }, patience());
		const found = readList(answer.body, resource);
		if (!found) throw answer.unreadable(`a list of ${LIST_NAMES[resource]}`);

		const next = readNextPage(answer.body, answer.headers, entries.length + found.length);
		const place = JSON.stringify(next);
		// It leads where a page before it led, and may be one that was read: what it repeats is left out.
		const isCircle = seen.has(place);
		const known = new Set(isCircle ? entries.map((entry) => JSON.stringify(entry)) : []);
		for (const entry of found) if (!known.has(JSON.stringify(entry))) entries.push(entry);
		if (next === undefined || entries.length >= limit) {
			return { entries: entries.slice(0, limit), complete: true };
		}
		if (next === 'unknown' || isCircle || found.length === 0 || seen.size >= MAX_PAGES) {
			return { entries, complete: false };
		}
		seen.add(place);
		query = next;
	}
}

/** What a service that repeats a request, or knows its sender, may put into an error. */
function secretsIn(credential: VoiceAgentCredential, { body }: ServiceRequest): string[] {
	const { apiKey, webhookSigningSecret } = credential;
	const token = tokenOf(String(body?.url));
	return [apiKey, webhookSigningSecret, token].filter((secret) => secret !== undefined);
}

async function send(
	context: Context,
	url: string,
	{ method, query, body }: ServiceRequest,
	patience: Patience,
): Promise<Outcome> {
	const timeout = Math.max(Math.min(patience.timeout, patience.until - Date.now()), 1);
	try {
		const response = (await (
			context as IAllExecuteFunctions
		).helpers.httpRequestWithAuthentication.call(context as IAllExecuteFunctions, 'voiceAgentApi', {
			method,
			url,
			qs: query,
			body: body && JSON.stringify(body),
			headers: {
				Accept: 'application/json',
				...(body && { 'Content-Type': 'application/json' }),
			},
			// As text, since n8n would hand over a cut or wrong body as if it were whole.
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			// The time-out above starts again with each byte of a slow answer; this one does not.
			abortSignal: AbortSignal.timeout(timeout + 250),
		})) as IN8nHttpFullResponse;
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
