import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CALL_DETAILS } from '../callDetails/callDetails';
import { judge, type Delivery, type Known, type Verdict } from './judge';
import type { ReceivedEvent } from './item';
import type { Headers } from './signatures';
import { judgeToken } from '../endpoint/judgeToken';
import { stateOf } from '../endpoint/state';
import { hashOf } from '../endpoint/token';
import { asToken, TOKEN_PARAMETER } from '../api/callbackUrl';
import { parseJson } from '../matcher/fields';
import { readCredential } from '../api/request';
import { hideSecrets, mayHoldSecret } from '../api/secrets';
import { isEqual } from '../api/isEqual';
import { readOutputs, route } from './outputs';
import { readSettings } from './settings';

const STRANGER: Refusal = { status: 401, message: 'Not a delivery of the service.' };
const NOT_YET: Refusal = {
	status: 503,
	message: 'This trigger is being set up. Send it again later.',
};
const NOT_POSTED: Refusal = { status: 405, message: 'Deliveries come as POST requests.' };

/** JSON in UTF-8: `application/json`, `application/cloudevents+json; charset=utf-8` */
const JSON_TYPE = /^application\/([\w.-]+\+)?json(; ?charset="?utf-?8"?)?$/i;

interface Refusal {
	status: number;
	message: string;
}

/**
 * Answers a request to the webhook URL: always, at once, and with nothing of the workflow's data,
 * which would end up in the service's delivery log.
 *
 * It never throws, for n8n would start a failed execution: 401 for a stranger, 503 while it can't be
 * told who it is, 200 for what is ignored, and the workflow's start for the rest.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const token = asToken((context.getQueryData() as IDataObject)[TOKEN_PARAMETER]);
		const secrets = [token ?? ''];
		const judged = token === undefined ? 'invalid' : await judgeToken(context, token, secrets);
		if (judged !== 'valid') return refuse(context, judged === 'invalid' ? STRANGER : NOT_YET);

		const unreadable = await readBody(context);
		if (unreadable) return refuse(context, unreadable);

		const settings = readSettings(context);
		const delivery = readDelivery(context);
		const known = readKnown(context);
		let verdict = judge(delivery, known, settings);
		const isDelivery = context.getRequestObject().method !== 'GET';
		if (!isDelivery && verdict.kind !== 'challenge') return refuse(context, NOT_POSTED);
		if (verdict.kind === 'stranger') {
			// Last, for n8n takes longer to read a credential than all of this takes.
			const { webhookSigningSecret } = await readCredential(context);
			if (webhookSigningSecret) known.secrets.push(webhookSigningSecret);
			verdict = judge(delivery, known, settings);
		}
		// Without the secret that n8n is about to store, it can't be verified yet: what is stored may be
		// that of an endpoint before it.
		const isUnverifiable =
			settings.verification.scheme !== 'none' &&
			(known.secrets.length === 0 || !isPresentToken(context, token));
		return verdict.kind === 'stranger' && isUnverifiable
			? refuse(context, NOT_YET)
			: respond(context, verdict, delivery, [...secrets, ...known.secrets]);
	} catch (error) {
		context.logger.error(`Voice Agent Trigger could not judge a delivery: ${String(error)}`);
		return refuse(context, {
			status: 503,
			message: 'The delivery could not be judged. Send it again later.',
		});
	}
}

/** Tells whether a token is that of the endpoint which static data was written for. */
function isPresentToken(context: IWebhookFunctions, token: string | undefined): boolean {
	const [hash] = stateOf(context.getWorkflowStaticData('node')).tokenHashes ?? [];
	return token !== undefined && hash !== undefined && isEqual(hash, hashOf(token));
}

/** @param secrets which an event may echo, and which do not belong into execution data */
function respond(
	context: IWebhookFunctions,
	verdict: Verdict,
	delivery: Delivery,
	secrets: string[],
): IWebhookResponseData {
	switch (verdict.kind) {
		case 'accepted': {
			const events = hideEchoes(verdict.events, delivery, secrets);
			const moved = events.find(({ callDetailsField: field }) => field && field !== CALL_DETAILS);
			if (moved) {
				context.logger.warn(
					`The event has a field "${CALL_DETAILS}" of its own, so the call details are under "${moved.callDetailsField}".`,
				);
			}
			return { workflowData: route(events, readOutputs(context.getNode().parameters)) };
		}
		case 'ignored':
			return { webhookResponse: { ignored: true } };
		case 'challenge': {
			const { challenge, isPlainText } = verdict;
			if (!isPlainText) return { webhookResponse: { challenge } };
			const response = context.getResponseObject();
			response.status(200).setHeader('content-type', 'text/plain; charset=utf-8').end(challenge);
			return { noWebhookResponse: true };
		}
		case 'stranger':
			return refuse(context, STRANGER);
	}
}

/** Hides secrets in events. JSON is searched as bytes first: few deliveries echo any. */
function hideEchoes(events: ReceivedEvent[], delivery: Delivery, secrets: string[]) {
	const { headers, rawBody } = delivery;
	const details = events.map(({ json }) => json.delivery);
	const isClean =
		JSON_TYPE.test(String(headers['content-type'])) &&
		rawBody.length > 0 &&
		!mayHoldSecret(rawBody, secrets) &&
		hideSecrets(details, secrets) === details;
	return isClean ? events : hideSecrets(events, secrets);
}

function refuse(context: IWebhookFunctions, { status, message }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** What n8n's requests have beside Express's own. */
interface WebhookRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * Reads the raw body where n8n has not: from type version 1.1 on it leaves alone what it does not
 * parse, such as application/cloudevents+json, or a body of no told type.
 *
 * @returns why it can't be read: with a status of 4xx where the fault is the sender's
 */
async function readBody(context: IWebhookFunctions): Promise<Refusal | undefined> {
	// Of a form with files, which n8n parses, there is no raw body any more.
	if (isParsed(context.getBodyData())) return undefined;
	try {
		// It does nothing where the body was read.
		await (context.getRequestObject() as WebhookRequest).readRawBody?.();
		return undefined;
	} catch (error) {
		// n8n's own errors have the one, those of its parser the other.
		const { status, httpStatusCode = status } = error as Record<string, number | undefined>;
		const isSenders = httpStatusCode !== undefined && Math.floor(httpStatusCode / 100) === 4;
		if (!isSenders) context.logger.error(`Voice Agent Trigger could not read a body: ${error}`);
		return {
			status: isSenders ? httpStatusCode : 503,
			message: 'The body of the delivery could not be read.',
		};
	}
}

function readDelivery(context: IWebhookFunctions): Delivery {
	const { rawBody = Buffer.alloc(0) } = context.getRequestObject() as WebhookRequest;
	const body: unknown = context.getBodyData();
	return {
		headers: context.getHeaderData() as Headers,
		query: context.getQueryData() as IDataObject,
		rawBody,
		// n8n parses JSON of one media type only.
		body: isParsed(body) ? body : (parseJson(rawBody.toString()) ?? body),
	};
}

function isParsed(body: unknown): boolean {
	return typeof body === 'object' && body !== null && Object.keys(body).length > 0;
}

/** What is known without the credential, whose signing secret is one more. */
function readKnown(context: IWebhookFunctions): Known {
	const { catalog, signingSecret } = stateOf(context.getWorkflowStaticData('node'));
	return {
		catalog,
		secrets: signingSecret ? [signingSecret] : [],
		manual: context.getMode() === 'manual',
		now: Math.floor(Date.now() / 1000),
	};
}
