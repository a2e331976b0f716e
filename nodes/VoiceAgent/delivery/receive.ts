import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { identifySender, storeToken, storeResults, readPastedSecret } from './sender';
import { readCredential } from '../service/credential';
import { excerptOf } from '../text/words';
import { hideSecrets } from '../service/secrets';
import { stateOf } from '../state/triggerState';
import { hashOf, isEqual } from '../auth/token';
import { isPasted } from '../trigger/webhookProperties';
import { readSettings, type Settings } from '../trigger/settings';
import { readDelivery } from './body';
import { claimDelivery } from './duplicates';
import { type ReceivedEvent, toItems } from './item';
import { decide, type Delivery, type TriggerFacts, type Decision } from './decide';

/** Answers to requests that are neither ignored nor start the workflow, by status. */
const REFUSALS: Record<number, string> = {
	401: 'Not a delivery of the service.',
	405: 'Deliveries come as POST requests.',
	503: 'The trigger cannot accept this delivery yet. Send it again later.',
};

/**
 * Prepares all events of a delivery for the person who looks at the test execution.
 *
 * @returns the events of the execution
 */
type PrepareTest = (received: Received, events: ReceivedEvent[]) => Promise<ReceivedEvent[]>;

/** A delivery of a known sender, and all that decides what becomes of it. */
export interface Received {
	context: IWebhookFunctions;
	/** The callback token; a pasted webhook has none. */
	token?: string;
	prepareTest: PrepareTest;
	delivery: Delivery;
	facts: TriggerFacts;
	settings: Settings;
	/** Hidden in the events, which may echo them. */
	secrets: string[];
}

/**
 * Answers every request to the webhook URL with none of the workflow's data, because the service logs the
 * answer: 200 for an ignored delivery, 401 for a wrong callback token or signature, 405 for a GET, 4xx for a body
 * that can't be read, and 503 for a delivery that can't be verified yet. n8n answers an accepted delivery.
 *
 * It never throws, because n8n answers a throw with a failed execution.
 */
export async function receive(
	context: IWebhookFunctions,
	prepareTest: PrepareTest,
): Promise<IWebhookResponseData> {
	try {
		const token = await identifySender(context);
		if (typeof token === 'number') return refuse(context, token);

		const delivery = await readDelivery(context);
		if (typeof delivery === 'number') return refuse(context, delivery);
		const confirmation = token && (await storeResults(context, delivery));
		if (confirmation) return confirmation;

		const facts = await readFacts(context);
		const stored = readSettings(context);
		const isTest = facts.manual && stored.requestTest;
		const settings = { ...stored, detailOptions: { ...stored.detailOptions, isTest } };
		const known = [token, facts.pastedSecret, ...facts.signingSecrets];
		const secrets = known.filter((secret) => secret !== undefined);
		return await answer({ context, prepareTest, delivery, facts, settings, token, secrets });
	} catch (error) {
		context.logger.error(`Voice Agent Trigger could not read a delivery: ${String(error)}`);
		return refuse(context, 503);
	}
}

async function answer(received: Received): Promise<IWebhookResponseData> {
	const { context, secrets } = received;
	if (context.getRequestObject().method === 'GET') return refuse(context, 405);
	const decision = await decideWithSecrets(received);
	if (decision.kind === 'challenge') return { webhookResponse: { challenge: decision.challenge } };
	if (decision.kind === 'unverified')
		return refuse(context, (await isVerifiable(received)) ? 401 : 503);
	if (decision.kind === 'accepted') return await start(received, decision.events);
	const { type = 'none', unmet } = decision;
	// Without the reason of the filter, which holds a value of the call.
	const why = unmet ? `it does not meet ${unmet.condition}` : 'it is not selected, or a probe';
	const shown = excerptOf(hideSecrets(type, secrets));
	context.logger.debug(`Voice Agent Trigger ignored an event of type ${shown}: ${why}`);
	return { webhookResponse: { ignored: unmet ? 'filter' : true } };
}

/** Decides with the signing secret of the endpoint; if it does not fit, with that of the credential. */
async function decideWithSecrets(received: Received): Promise<Decision> {
	const { context, delivery, facts, settings } = received;
	const decision = decide(delivery, facts, settings);
	if (decision.kind !== 'unverified' || settings.isPasted) return decision;
	// Only now, because n8n takes longer to read a credential than for all other steps.
	const { webhookSigningSecret } = await readCredential(context);
	if (!webhookSigningSecret || facts.signingSecrets.includes(webhookSigningSecret)) return decision;
	return decide(delivery, { ...facts, signingSecrets: [webhookSigningSecret] }, settings);
}

/** @returns false without a secret, and if the stored one may be the previous endpoint's, as during a publish */
async function isVerifiable({ context, facts, token }: Received): Promise<boolean> {
	if (token === undefined) return true;
	const { webhookSigningSecret } = await readCredential(context);
	const [present = ''] = stateOf(context).tokenHashes ?? [];
	return (
		[webhookSigningSecret, ...facts.signingSecrets].some(Boolean) && isEqual(present, hashOf(token))
	);
}

/** Starts the workflow with the events of a delivery, unless it repeats one. */
async function start(received: Received, events: ReceivedEvent[]): Promise<IWebhookResponseData> {
	const { context, delivery, facts, token, secrets } = received;
	if (!facts.manual) {
		const repetition = claimDelivery(context, delivery, events, facts.endpointIds);
		if (repetition === 'running') return refuse(context, 503);
		if (repetition === 'duplicate') return { webhookResponse: { ignored: 'duplicate' } };
	}
	const shown = facts.manual ? await received.prepareTest(received, events) : events;
	if (token && !facts.manual) storeToken(context, token);
	return { workflowData: [hideSecrets(toItems(shown), secrets)] };
}

function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	const message = REFUSALS[status] ?? 'The body of the delivery could not be read.';
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Reads what is stored of the node's endpoint, or the secret of a pasted webhook; not the API credential. */
async function readFacts(context: IWebhookFunctions): Promise<TriggerFacts> {
	const isPastedUrl = isPasted(context);
	// The static data of a pasted webhook may be those of a created one before it.
	const { catalog, signingSecret, endpoints = [] } = isPastedUrl ? {} : stateOf(context);
	return {
		...(isPastedUrl && { pastedSecret: await readPastedSecret(context) }),
		catalog,
		signingSecrets: signingSecret ? [signingSecret] : [],
		endpointIds: endpoints.map(({ id }) => id),
		manual: context.getMode() === 'manual',
		now: Date.now(),
	};
}
