import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asToken, TOKEN_PARAMETER } from '../transport/callbackUrl';
import { parseJson } from '../transport/read';
import { readCredential } from '../transport/request';
import { judge, type Delivery, type Known, type Verdict } from './delivery';
import { lookUp } from './endpoint';
import { readOutputs, route } from './outputs';
import { readSettings, type Settings } from './settings';
import { isEqual, type Headers } from './signatures';
import { stateOf } from './state';

/** When each trigger may next ask the service for its endpoints (ms since the epoch). */
const nextLookUp = new Map<string, number>();

/** What each request of a look-up puts the next one off by, so that strangers can't make it ask often. */
const LOOK_UP_INTERVAL_MS = 1_000;

/**
 * Answers a request to the webhook URL: always, at once, and with nothing of the workflow's data,
 * which would end up in the service's delivery log.
 *
 * It never throws, for n8n would start a failed execution: 401 for a stranger, 503 while it can't be
 * told who it is, 200 for what is ignored, and the workflow's start for the rest.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const settings = readSettings(context);
		const delivery = readDelivery(context);
		const { token } = stateOf(context.getWorkflowStaticData('node'));
		// n8n stores what `create` wrote to a test's URL too late for a sample that comes at once.
		if (context.getMode() !== 'manual' || token !== undefined) {
			const sent = asToken(delivery.query[TOKEN_PARAMETER]);
			if (sent === undefined) return respond(context, { kind: 'stranger' });
			if (token === undefined || !isEqual(sent, token)) {
				return await adoptToken(context, delivery, settings, sent);
			}
		}
		return respond(context, judge(delivery, await readKnown(context, settings), settings));
	} catch (error) {
		context.logger.error(`Voice Agent Trigger could not judge a delivery: ${String(error)}`);
		return refuse(context, 503, 'The delivery could not be judged. Send it again later.');
	}
}

/**
 * A token that is not the stored one may be right all the same: n8n stores what `create` wrote only
 * after the publish, and may lose it. The service's list decides; what is not yet known is asked to
 * come again, for most services deliver again after a 503.
 */
async function adoptToken(
	context: IWebhookFunctions,
	delivery: Delivery,
	settings: Settings,
	token: string,
): Promise<IWebhookResponseData> {
	const state = stateOf(context.getWorkflowStaticData('node'));
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const undecided = (): IWebhookResponseData =>
		state.token === undefined
			? refuse(context, 503, 'This trigger is being set up. Send it again later.')
			: respond(context, { kind: 'stranger' });

	let next = Date.now();
	if (next < (nextLookUp.get(webhookUrl) ?? 0)) return undecided();
	// None beside this one, however long it takes.
	nextLookUp.set(webhookUrl, Infinity);
	const found = await lookUp(context, token, () => (next += LOOK_UP_INTERVAL_MS)).finally(() =>
		nextLookUp.set(webhookUrl, next),
	);
	if (!found) return respond(context, { kind: 'stranger' });
	if (found === 'masked') return undecided();
	// What is stored only gives way to a token that the service itself has sent.
	if (state.token !== undefined && found.token !== token) return undecided();

	const known = await readKnown(context, settings);
	// Without the secret that n8n is about to store, it can't be verified yet.
	if (settings.verification.scheme !== 'none' && known.secrets.length === 0) return undecided();
	Object.assign(state, found);
	return respond(context, judge(delivery, known, settings));
}

function respond(context: IWebhookFunctions, verdict: Verdict): IWebhookResponseData {
	switch (verdict.kind) {
		case 'accepted':
			return { workflowData: route(verdict.events, readOutputs(context.getNode().parameters)) };
		case 'ignored':
			return { webhookResponse: { ignored: true } };
		case 'challenge':
			return { webhookResponse: { challenge: verdict.challenge } };
		case 'stranger':
			return refuse(context, 401, 'Not a delivery of the service.');
	}
}

function refuse(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

function readDelivery(context: IWebhookFunctions): Delivery {
	const { rawBody = Buffer.alloc(0) } = context.getRequestObject() as { rawBody?: Buffer };
	const body: unknown = context.getBodyData();
	// n8n leaves JSON of another media type as it is, such as application/cloudevents+json.
	const isParsed = typeof body === 'object' && body !== null && Object.keys(body).length > 0;
	return {
		headers: context.getHeaderData() as Headers,
		query: context.getQueryData() as IDataObject,
		rawBody,
		body: isParsed ? body : (parseJson(rawBody.toString()) ?? body),
	};
}

async function readKnown(context: IWebhookFunctions, settings: Settings): Promise<Known> {
	const state = stateOf(context.getWorkflowStaticData('node'));
	const { webhookSigningSecret } =
		settings.verification.scheme === 'none' ? {} : await readCredential(context);
	return {
		secrets: [state.signingSecret, webhookSigningSecret].filter((secret) => !!secret) as string[],
		manual: context.getMode() === 'manual',
		now: Math.floor(Date.now() / 1000),
	};
}
