import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	judgeSender,
	listSecrets,
	type Sender,
	storeToken,
	storeRecord,
	isPasted,
	readPastedSecret,
} from './sender';
import { readCredential } from '../service/credential';
import { beginning } from '../service/errors';
import { hideSecrets, mayHoldSecret } from '../service/secrets';
import { stateOf } from '../state/triggerState';
import { hashOf, isEqual } from '../auth/token';
import { readOutputs } from '../trigger/description';
import { readSettings, type Settings } from '../trigger/settings';
import { JSON_TYPE, readDelivery } from './body';
import { judgeRepetition } from './duplicates';
import { shownHeaders } from '../events/places';
import { typeOfAll, type ReceivedEvent, toItems } from './item';
import { judge, type Delivery, type Grounds, type Verdict } from './judge';

/** Answers to requests that are neither ignored nor start the workflow, by status. */
const REFUSALS: Record<number, string> = {
	401: 'Not a delivery of the service.',
	405: 'Deliveries come as POST requests.',
	503: 'The trigger cannot take this delivery in yet. Send it again later.',
};

/**
 * Prepares the events of a test execution for the person who looks at them.
 *
 * @param received all events of the delivery
 * @param secrets hidden in what it shows
 * @returns the events of the execution
 */
export type PrepareTest = (
	context: IWebhookFunctions,
	received: ReceivedEvent[],
	settings: Settings,
	grounds: Grounds,
	secrets: string[],
) => Promise<ReceivedEvent[]>;

/** A delivery of a known sender, and all that it is judged by. */
interface Received extends Sender {
	context: IWebhookFunctions;
	prepareTest: PrepareTest;
	delivery: Delivery;
	grounds: Grounds;
	settings: Settings;
	/** Hidden in the events, which may echo them. */
	secrets: string[];
}

/**
 * Answers every request to the webhook URL with none of the workflow's data, because the service logs the
 * answer: 200 for an ignored delivery, 401 for a wrong callback token or signature, 405 for a GET without a
 * challenge, 4xx for a body that can't be read, and 503 for a delivery that can't be judged yet. n8n answers
 * an accepted delivery.
 *
 * It never throws, because n8n answers a throw with a failed execution.
 */
export async function receive(
	context: IWebhookFunctions,
	prepareTest: PrepareTest,
): Promise<IWebhookResponseData> {
	try {
		const sender = await judgeSender(context);
		if (typeof sender === 'number') return refuse(context, sender);

		const delivery = await readDelivery(context);
		if (typeof delivery === 'number') return refuse(context, delivery);
		const recorded = sender.token && (await storeRecord(context, delivery));
		if (recorded) return recorded;

		const grounds = await readGrounds(context);
		const stored = readSettings(context);
		const isTest = grounds.manual && stored.requestSample;
		const settings = { ...stored, reading: { ...stored.reading, isTest } };
		const secrets = await listSecrets(context, sender, delivery, grounds);
		return await answer({ context, prepareTest, delivery, grounds, settings, ...sender, secrets });
	} catch (error) {
		context.logger.error(`Voice Agent Trigger could not judge a delivery: ${String(error)}`);
		return refuse(context, 503);
	}
}

async function answer(received: Received): Promise<IWebhookResponseData> {
	const { context } = received;
	const verdict = await judgeWithSecrets(received);
	if (verdict.kind === 'challenge') return answerChallenge(context, verdict);
	if (context.getRequestObject().method === 'GET') return refuse(context, 405);
	if (verdict.kind === 'unverified')
		return refuse(context, (await isVerifiable(received)) ? 401 : 503);
	if (verdict.kind === 'accepted') return await start(received, verdict.events);
	return ignore(received, verdict);
}

/** Answers an ignored delivery, and logs why. */
function ignore(
	{ context, secrets }: Received,
	{ type = 'none', unmet }: Extract<Verdict, { kind: 'ignored' }>,
): IWebhookResponseData {
	// Without the reason, which holds a value of the call.
	const why = unmet ? `it does not meet ${unmet.condition}` : 'it is not selected, or a probe';
	const shown = beginning(hideSecrets(type, secrets));
	context.logger.debug(`Voice Agent Trigger ignored an event of type ${shown}: ${why}`);
	return { webhookResponse: { ignored: unmet ? 'filter' : true } };
}

/** Judges a delivery with the signing secret of the endpoint; if it does not fit, with that of the credential. */
async function judgeWithSecrets(received: Received): Promise<Verdict> {
	const { context, delivery, grounds, settings } = received;
	const verdict = judge(delivery, grounds, settings);
	if (verdict.kind !== 'unverified' || settings.isPasted) return verdict;
	// Only now, because n8n takes longer to read a credential than for all other steps.
	const { webhookSigningSecret } = await readCredential(context);
	if (!webhookSigningSecret || grounds.signingSecrets.includes(webhookSigningSecret))
		return verdict;
	return judge(delivery, { ...grounds, signingSecrets: [webhookSigningSecret] }, settings);
}

/** @returns false without a secret, and if the stored one may be the previous endpoint's, as during a publish */
async function isVerifiable({ context, grounds, token }: Received): Promise<boolean> {
	if (token === undefined) return true;
	const { webhookSigningSecret } = await readCredential(context);
	const [present = ''] = stateOf(context).tokenHashes ?? [];
	return (
		[webhookSigningSecret, ...grounds.signingSecrets].some(Boolean) &&
		isEqual(present, hashOf(token))
	);
}

/** Starts the workflow with the events of a delivery, unless it repeats one. */
async function start(received: Received, events: ReceivedEvent[]): Promise<IWebhookResponseData> {
	const { context, delivery, grounds, settings, token, tokenVerdict, secrets } = received;
	if (!grounds.manual) {
		const type = typeOfAll(events);
		const repetition = judgeRepetition(context, delivery, type, grounds.endpointIds);
		if (repetition === 'running') return refuse(context, 503);
		if (repetition === 'duplicate') return { webhookResponse: { ignored: 'duplicate' } };
	}
	const own = hideEchoes(events, received);
	const shown = grounds.manual
		? await received.prepareTest(context, own, settings, grounds, secrets)
		: own;
	if (token && tokenVerdict) storeToken(context, token, tokenVerdict);
	return { workflowData: [toItems(shown, readOutputs(context.getNode().parameters))] };
}

function answerChallenge(
	context: IWebhookFunctions,
	{ challenge, isPlainText }: Extract<Verdict, { kind: 'challenge' }>,
): IWebhookResponseData {
	if (!isPlainText) return { webhookResponse: { challenge } };
	const response = context.getResponseObject();
	response.status(200).setHeader('content-type', 'text/plain; charset=utf-8').end(challenge);
	return { noWebhookResponse: true };
}

/** Hides secrets in events. The raw JSON is searched first, because few deliveries echo secrets. */
function hideEchoes(
	events: ReceivedEvent[],
	{ delivery, settings, secrets }: Received,
): ReceivedEvent[] {
	const { headers, rawBody } = delivery;
	// Without delivery details, events hold nothing of the headers.
	const shown = settings.deliveryDetails ? JSON.stringify(shownHeaders(headers)) : '';
	const isJson = JSON_TYPE.test(String(headers['content-type'])) && rawBody.length > 0;
	const mayEcho = [rawBody, Buffer.from(shown)].some((json) => mayHoldSecret(json, secrets));
	return isJson && !mayEcho ? events : hideSecrets(events, secrets);
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const message = REFUSALS[status] ?? 'The body of the delivery could not be read.';
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Reads what is stored of the node's endpoint, or the secret of a pasted webhook; not the API credential. */
async function readGrounds(context: IWebhookFunctions): Promise<Grounds> {
	const isOfPerson = isPasted(context);
	// What is stored is of a webhook that n8n created before.
	const { catalog, signingSecret, endpoints = [] } = isOfPerson ? {} : stateOf(context);
	return {
		...(isOfPerson && { pastedSecret: await readPastedSecret(context) }),
		catalog,
		signingSecrets: signingSecret ? [signingSecret] : [],
		endpointIds: endpoints.map(({ id }) => id),
		manual: context.getMode() === 'manual',
		now: Date.now(),
	};
}
