import { randomBytes } from 'crypto';
import {
	NodeApiError,
	NodeOperationError,
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type JsonObject,
} from 'n8n-workflow';

import { isSameAddress, tokenOf, withToken } from '../transport/callbackUrl';
import { assertEventTypes, listEventTypes } from '../transport/eventTypes';
import { statusOf } from '../transport/errors';
import {
	readCreatedEndpoint,
	readEndpoint,
	readSigningSecret,
	type Endpoint,
} from '../transport/read';
import { readCredential, request, requestList } from '../transport/request';
import { lifecyclePatience, type Patience } from '../transport/retry';
import { readSettings } from './settings';
import { stateOf, type EndpointState } from './state';

/** Rounds of removing and looking again, before a lying service is given up. */
const REMOVAL_ROUNDS = 3;

/** Long enough for n8n to store the test listener, which it does after `create` has returned. */
const SAMPLE_DELAY_MS = 500;

/**
 * Tells whether the service holds exactly the endpoint that this trigger needs, and if so adopts it.
 * It changes nothing at the service. n8n answers a throw with `delete`.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const patience = lifecyclePatience();
	const state = stateOf(context.getWorkflowStaticData('node'));
	const { baseUrl } = await readCredential(context);
	const { events, verification } = readSettings(context);

	const [endpoint, ...others] = await findOurs(context, state, () => patience);
	if (!endpoint || others.length > 0) return false;

	const remembered = isRemembered(endpoint, state, baseUrl) ? state : undefined;
	// Where the list masks the URL, only what was remembered for this very endpoint can be its token.
	const token = tokenOf(endpoint.url) ?? remembered?.token;
	if (!token || !isSameAddress(endpoint.url, webhookUrlOf(context))) return false;
	if (!(await isSubscribed(context, endpoint, events, remembered?.events, patience))) return false;
	// An endpoint's own secret is only told once: one that was not remembered is registered anew.
	if (verification.scheme !== 'none' && !remembered) return false;
	if (await lacksSecret(context, remembered?.signingSecret)) return false;

	Object.assign(state, { endpointId: endpoint.id, baseUrl, token, events });
	if (!remembered) delete state.signingSecret;
	return true;
}

/**
 * Registers the trigger's endpoint, then removes every other one of ours: new first, old after, so
 * that no event finds none. An endpoint whose creation was never answered is found by the next list.
 *
 * @throws NodeOperationError where the webhook URL is not HTTPS, an event type is not in the catalog,
 *   or signatures are to be verified and there is no secret
 */
export async function register(context: IHookFunctions): Promise<void> {
	const patience = lifecyclePatience();
	const state = stateOf(context.getWorkflowStaticData('node'));
	const { baseUrl } = await readCredential(context);
	const { events, requestSample } = readSettings(context);
	const webhookUrl = webhookUrlOf(context);
	assertHttps(context, webhookUrl);
	if (events.length > 0) await assertEventTypes(context, events, patience);

	// The old token is only used again where its endpoint is gone: a service may refuse a URL twice.
	const token =
		(state.endpointId ? undefined : state.token) ?? randomBytes(32).toString('base64url');
	const url = withToken(webhookUrl, token);
	const answer = await request(
		context,
		{ method: 'POST', path: '/webhooks', body: { url, ...(events.length > 0 && { events }) } },
		patience,
	);
	const record = readCreatedEndpoint(answer.body, url);
	if (!record) throw answer.unreadable('a record with an "id"');
	const signingSecret = readSigningSecret(answer.body);
	if (await lacksSecret(context, signingSecret)) {
		throw new NodeOperationError(
			context.getNode(),
			'Signatures are to be verified, but the service returned no signing secret for the endpoint. Put its signing secret into the credential (Webhook Signing Secret), or set the option Verify Signature to None.',
		);
	}
	await removeOurs(context, state, patience, record.id);

	Object.assign(state, { endpointId: record.id, baseUrl, token, events });
	if (signingSecret) state.signingSecret = signingSecret;
	else delete state.signingSecret;

	if (context.getActivationMode() === 'manual' && requestSample) {
		void requestSampleFor(context, record.id);
	}
}

/**
 * Removes all endpoints of ours.
 *
 * @throws NodeApiError so that n8n tries again; what stays after its last try, the next publish removes
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const state = stateOf(context.getWorkflowStaticData('node'));
	await removeOurs(context, state, lifecyclePatience());
	delete state.endpointId;
	delete state.baseUrl;
	delete state.events;
	delete state.signingSecret;
}

/**
 * Looks up this trigger's endpoint at the service, for when n8n has lost, or has not stored yet, what
 * `create` wrote. It asks once: the delivery waits for it, and can come again.
 *
 * @param token of the delivery in hand; an endpoint with another one is found too, so that strangers
 *   who keep coming with wrong tokens can't keep the right one from being learnt
 * @param onRequest called before each request: a list has one for each of its pages
 * @returns what to remember of the endpoint; 'masked' where the list hides its token; undefined where
 *   there is none
 */
export async function lookUp(
	context: IWebhookFunctions,
	token: string,
	onRequest: () => void,
): Promise<(EndpointState & { token: string }) | 'masked' | undefined> {
	const patience = { until: Date.now() + 4_000, timeout: 3_500, once: true };
	const { baseUrl } = await readCredential(context);
	const ours = await findOurs(context, {}, () => {
		onRequest();
		return patience;
	});
	const known = ours.flatMap(({ id, url }) => {
		const listed = tokenOf(url);
		return listed ? [{ endpointId: id, baseUrl, token: listed }] : [];
	});
	if (known.length < ours.length) return known.find((state) => state.token === token) ?? 'masked';
	return known.find((state) => state.token === token) ?? known[0];
}

/** Waits for no one: the listener is open when `create` returns, and a sample can be asked for again. */
async function requestSampleFor(context: IHookFunctions, endpointId: string): Promise<void> {
	try {
		await sleep(SAMPLE_DELAY_MS);
		const path = `/webhooks/${encodeURIComponent(endpointId)}/test`;
		await request(context, { method: 'POST', path, mayReportFailure: true }, lifecyclePatience());
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger got no sample event: ${(error as Error).message}`);
	}
}

/**
 * Lists the endpoints that are ours: their URL without the query is this node's webhook URL, or they
 * have the id that was remembered for this base URL, whatever their URL was then.
 */
async function findOurs(
	context: IHookFunctions | IWebhookFunctions,
	state: EndpointState,
	patience: () => Patience,
): Promise<Endpoint[]> {
	const webhookUrl = webhookUrlOf(context);
	const { baseUrl } = await readCredential(context);
	const list = await requestList(context, '/webhooks', 'webhooks', patience);
	const ours = list.entries
		.map(readEndpoint)
		.filter((endpoint) => endpoint !== undefined)
		.filter(
			(endpoint) =>
				isSameAddress(endpoint.url, webhookUrl) || isRemembered(endpoint, state, baseUrl),
		);
	if (!list.complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhook endpoints: the service says that there are more, but not how to get them. An old endpoint of this trigger among them would stay.',
		);
	}
	return ours;
}

/** Removes our endpoints and looks again, until the list shows none but the one to keep. */
async function removeOurs(
	context: IHookFunctions,
	state: EndpointState,
	patience: Patience,
	keep?: string,
): Promise<void> {
	await removeRemembered(context, state, patience, keep);
	let isListLate = false;
	for (let round = 1; ; round++) {
		const left = (await findOurs(context, state, () => patience)).filter(({ id }) => id !== keep);
		if (left.length === 0 || (isListLate && round > REMOVAL_ROUNDS)) return;
		if (round > REMOVAL_ROUNDS) {
			throw new NodeOperationError(
				context.getNode(),
				`The service still lists webhook endpoints of this trigger that it said were removed: ${left.map(({ id }) => id).join(', ')}. Try again later, or remove them with the Voice Agent node.`,
			);
		}
		// What is listed and yet not found may be gone, where the list lags behind, or be there, where
		// a proxy had a bad moment: only an answer that stays the same is believed.
		isListLate = true;
		for (const { id } of left) {
			if (!(await wasAbsent(context, id, patience))) isListLate = false;
		}
	}
}

/**
 * Removes the endpoint that was remembered, whether the list shows it or not: a list may lag behind,
 * or have pages that it does not tell of. Where it does show it, that is tried again.
 */
async function removeRemembered(
	context: IHookFunctions,
	{ endpointId, baseUrl }: EndpointState,
	patience: Patience,
	keep?: string,
): Promise<void> {
	if (!endpointId || endpointId === keep) return;
	if (baseUrl !== (await readCredential(context)).baseUrl) return;
	try {
		await wasAbsent(context, endpointId, { ...patience, once: true });
	} catch (error) {
		context.logger.debug(`Voice Agent Trigger removes by its list: ${(error as Error).message}`);
	}
}

/** Removes an endpoint, and tells whether it was gone before. */
async function wasAbsent(
	context: IHookFunctions,
	id: string,
	patience: Patience,
): Promise<boolean> {
	try {
		const path = `/webhooks/${encodeURIComponent(id)}`;
		await request(context, { method: 'DELETE', path }, patience);
		return false;
	} catch (error) {
		if ([404, 410].includes(statusOf(error) ?? 0)) return true;
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
}

/** Tells whether an endpoint gets exactly the chosen event types, however its list shows that. */
async function isSubscribed(
	context: IHookFunctions,
	endpoint: Endpoint,
	chosen: string[],
	asked: string[] | undefined,
	patience: Patience,
): Promise<boolean> {
	const listed = endpoint.events;
	if (listed === undefined) return isSameSet(asked ?? [], chosen);
	if (listed.length === 0 || listed.includes('*')) return chosen.length === 0;
	if (chosen.length > 0) return isSameSet(listed, chosen);
	const { eventTypes } = await listEventTypes(context, patience);
	return eventTypes.length > 0 && eventTypes.every(({ name }) => listed.includes(name));
}

function isSameSet(one: string[], other: string[]): boolean {
	return one.length === other.length && one.every((entry) => other.includes(entry));
}

function isRemembered({ id }: Endpoint, state: EndpointState, baseUrl: string): boolean {
	return id === state.endpointId && baseUrl === state.baseUrl;
}

async function lacksSecret(
	context: IHookFunctions,
	returned: string | undefined,
): Promise<boolean> {
	if (readSettings(context).verification.scheme === 'none' || returned) return false;
	return !(await readCredential(context)).webhookSigningSecret;
}

function webhookUrlOf(context: IHookFunctions | IWebhookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

function assertHttps(context: IHookFunctions, webhookUrl: string): void {
	if (webhookUrl.startsWith('https://')) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service delivers only to HTTPS addresses, but this n8n gives out ${webhookUrl}. Set the environment variable WEBHOOK_URL of n8n to its public address, which begins with https://`,
	);
}
