import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { judge, type Delivery, type NodeState, type Verdict } from './judge';
import { shownHeaders, type ReceivedEvent } from './item';
import type { Headers } from './signatures';
import { judgeToken } from '../endpoint/judgeToken';
import { stateOf } from '../endpoint/endpointState';
import { hashOf } from '../endpoint/token';
import { asToken, TOKEN_PARAMETER } from '../api/callbackUrl';
import { isNonEmpty, parseJson } from '../matcher/json';
import { readCredential } from '../api/request';
import { hideSecrets, mayHoldSecret } from '../api/secrets';
import { isEqual } from '../api/isEqual';
import { typeReader } from '../eventTypes/reader';
import { readEvents } from './batch';
import { judgeRepetition } from './duplicates';
import { readOutputs, toItems } from './outputs';
import { hintsFor } from './hints';
import { keepEvents } from './recentEvents';
import { readSettings, type Settings } from './triggerSettings';

/** Answers to requests that are neither ignored nor start the workflow, by status. */
const REFUSALS: Record<number, string> = {
	401: 'Not a delivery of the service.',
	405: 'Deliveries come as POST requests.',
	503: 'The trigger cannot take this delivery in yet. Send it again later.',
};

/** The usual content types of JSON in UTF-8. Other bodies only take longer. */
const JSON_TYPES = ['application/json', 'application/json;charset=utf-8'];

/**
 * Answers every request to the webhook URL with none of the workflow's data, because the service logs the
 * answer: 200 for an ignored delivery, 401 for a wrong callback token or signature, 405 for a GET without a
 * challenge, 4xx for a body that can't be read, and 503 for a delivery that can't be judged yet. n8n answers
 * an accepted delivery.
 *
 * It never throws, because n8n answers a throw with a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const token = asToken((context.getQueryData() as IDataObject)[TOKEN_PARAMETER]);
		if (token === undefined) return refuse(context, 401);
		const secrets = [token];
		const judged = await judgeToken(context, token, secrets);
		if (judged !== 'valid') return refuse(context, judged === 'invalid' ? 401 : 503);

		const unreadable = await readBody(context);
		if (unreadable !== undefined) return refuse(context, unreadable);

		return await judgeDelivery(context, token, secrets);
	} catch (error) {
		context.logger.error(`Voice Agent Trigger could not judge a delivery: ${String(error)}`);
		return refuse(context, 503);
	}
}

/** Answers a delivery with a valid token. @param secrets hidden in the events, which may echo them */
async function judgeDelivery(
	context: IWebhookFunctions,
	token: string,
	secrets: string[],
): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const delivery = readDelivery(context);
	const state = readState(context);
	const first = judge(delivery, state, settings);
	const isGet = context.getRequestObject().method === 'GET';
	if (isGet && first.kind !== 'challenge') return refuse(context, 405);
	const verdict =
		first.kind === 'unverified'
			? await judgeByCredential(context, delivery, state, settings)
			: first;
	if (verdict.kind === 'unverified') {
		return refuse(context, isVerifiable(context, state, token) ? 401 : 503);
	}
	const known = [...secrets, ...state.secrets];
	if (verdict.kind === 'accepted' && state.manual) {
		await prepareEditor(context, delivery, verdict.events, state, known);
	} else if (verdict.kind === 'accepted') {
		const repetition = await judgeRepetition(context, delivery, state.endpointIds);
		if (repetition === 'undecided') return refuse(context, 503);
		if (repetition === 'duplicate') {
			context.logger.debug('Voice Agent Trigger ignored an event that it has received before');
			return { webhookResponse: { ignored: 'duplicate' } };
		}
	}
	return respond(context, verdict, delivery, known);
}

/** Judges a delivery once more, with the signing secret of the credential. */
async function judgeByCredential(
	context: IWebhookFunctions,
	delivery: Delivery,
	state: NodeState,
	settings: Settings,
): Promise<Verdict> {
	// Only now, because n8n takes longer to read a credential than for all other steps.
	const { webhookSigningSecret } = await readCredential(context);
	if (webhookSigningSecret) state.secrets.push(webhookSigningSecret);
	return judge(delivery, state, settings);
}

/** @returns false if the stored secret may be the previous endpoint's, as during a publish */
function isVerifiable(context: IWebhookFunctions, { secrets }: NodeState, token: string): boolean {
	const [present = ''] = stateOf(context).tokenHashes ?? [];
	return secrets.length > 0 && isEqual(present, hashOf(token));
}

/** Keeps the events of _Execute step_ for the list of the mapping, and adds the hints. */
async function prepareEditor(
	context: IWebhookFunctions,
	{ body, headers }: Delivery,
	accepted: ReceivedEvent[],
	{ catalog = [] }: NodeState,
	secrets: string[],
): Promise<void> {
	const settings = readSettings(context);
	const types = typeReader(settings.events, catalog);
	const events = readEvents(body, headers, types).map(({ json }) => json);
	await keepEvents(context, hideSecrets(events, secrets));
	// In manual mode, each event of the delivery is accepted.
	accepted.forEach((one, at) => {
		one.hints = hintsFor(events[at] ?? {}, one.unmet, settings).join('\n');
	});
}

/** @param secrets hidden in the events, which may echo them */
function respond(
	context: IWebhookFunctions,
	verdict: Exclude<Verdict, { kind: 'unverified' }>,
	delivery: Delivery,
	secrets: string[],
): IWebhookResponseData {
	if (verdict.kind === 'ignored') {
		const { type = 'none', unmet } = verdict;
		const why = unmet ?? 'it is not selected, or a probe';
		const text = `Voice Agent Trigger ignored an event of type ${type}: ${why}`;
		context.logger.debug(hideSecrets(text, secrets));
		return { webhookResponse: { ignored: unmet ? 'filter' : true } };
	}
	if (verdict.kind === 'accepted') {
		const events = hideEchoes(verdict.events, delivery, secrets);
		return { workflowData: toItems(events, readOutputs(context.getNode().parameters)) };
	}
	const { challenge, isPlainText } = verdict;
	if (!isPlainText) return { webhookResponse: { challenge } };
	const response = context.getResponseObject();
	response.status(200).setHeader('content-type', 'text/plain; charset=utf-8').end(challenge);
	return { noWebhookResponse: true };
}

/** Hides secrets in events. The raw JSON is searched first, because few deliveries echo secrets. */
function hideEchoes(events: ReceivedEvent[], delivery: Delivery, secrets: string[]) {
	const { headers, rawBody } = delivery;
	const shown = shownHeaders(headers);
	const type = String(headers['content-type']).replaceAll(' ', '').toLowerCase();
	const isClean =
		JSON_TYPES.includes(type) &&
		rawBody.length > 0 &&
		!mayHoldSecret(rawBody, secrets) &&
		hideSecrets(shown, secrets) === shown;
	return isClean ? events : hideSecrets(events, secrets);
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const message = REFUSALS[status] ?? 'The body of the delivery could not be read.';
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** The fields that n8n adds to Express's requests. */
interface WebhookRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * Reads the raw body if n8n has not: n8n leaves media types that it does not parse, such as
 * `application/cloudevents+json`, to the node.
 *
 * @returns the status for a body that can't be read: 4xx if the fault is the sender's, else 503
 */
async function readBody(context: IWebhookFunctions): Promise<number | undefined> {
	// Of a form with files, which n8n parses, no raw body is left.
	if (isNonEmpty(context.getBodyData())) return undefined;
	try {
		// `readRawBody` does nothing if n8n has read the body.
		await (context.getRequestObject() as WebhookRequest).readRawBody?.();
		return undefined;
	} catch (error) {
		// n8n sets `httpStatusCode`; its body parser sets `status`.
		const { status = 503, httpStatusCode = status } = error as Record<string, number | undefined>;
		if (httpStatusCode < 500) return httpStatusCode;
		context.logger.error(`Voice Agent Trigger could not read a body: ${error}`);
		return 503;
	}
}

function readDelivery(context: IWebhookFunctions): Delivery {
	const { rawBody = Buffer.alloc(0) } = context.getRequestObject() as WebhookRequest;
	const body: unknown = context.getBodyData();
	return {
		headers: context.getHeaderData() as Headers,
		query: context.getQueryData() as IDataObject,
		rawBody,
		body: isNonEmpty(body) ? body : readUnparsed(rawBody, body),
	};
}

/**
 * Reads a body that n8n left unparsed: JSON of any media type, else its text. Bytes that are not UTF-8 are
 * `\ufffd`.
 *
 * @param body the text as n8n decoded it, only of `text/plain`
 * @returns undefined for an empty body
 */
function readUnparsed(rawBody: Buffer, body: unknown): unknown {
	// The decoder removes a byte-order mark.
	const text = new TextDecoder().decode(rawBody);
	const parsed = parseJson(text);
	if (parsed !== undefined || text === '') return parsed;
	return typeof body === 'string' ? body : text;
}

/** Reads the node's state, without the credential and its signing secret. */
function readState(context: IWebhookFunctions): NodeState {
	const { catalog, signingSecret, endpoints = [] } = stateOf(context);
	return {
		catalog,
		secrets: signingSecret ? [signingSecret] : [],
		endpointIds: endpoints.map(({ id }) => id),
		manual: context.getMode() === 'manual',
		now: Date.now(),
	};
}
