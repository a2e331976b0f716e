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
import { readCreatedEndpoint, readSigningSecret, type Endpoint } from '../transport/read';
import { request } from '../transport/request';
import { lifecyclePatience } from '../transport/retry';
import { isSameSelection, isWildcard } from './eventType';
import {
	isHidden,
	isOurs,
	listEndpoints,
	openTrigger,
	removeEndpoint,
	removeOurs,
	type Trigger,
} from './ours';
import { readSettings } from './settings';
import { stateOf, type EndpointState } from './state';
import { hashOf, isNewer, isTokenOf, madeAt, makeToken } from './token';

/** Long enough for n8n to store the test listener, which it does after `create` has returned. */
const SAMPLE_DELAY_MS = 500;

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 60_000;

/**
 * Tells whether the service holds exactly the endpoint that this trigger needs, and if so adopts it.
 * It changes nothing at the service. n8n answers a throw with `delete`.
 */
export async function adopt(context: IHookFunctions): Promise<boolean> {
	// A listener's endpoint is its own: an older one would be taken for a dead listener's.
	if (context.getMode() === 'manual') return false;
	const trigger = await openLifecycle(context);
	const state = stateOf(context.getWorkflowStaticData('node'));
	if (state.mustCreate) return false;
	let isAnswered = false;
	try {
		const isAdopted = await adoptOurs(trigger);
		isAnswered = true;
		return isAdopted;
	} finally {
		// The `delete` of n8n 1.x writes to other static data, and a list may lag behind it.
		if (!isAnswered) state.mustCreate = true;
	}
}

async function adoptOurs(trigger: Trigger): Promise<boolean> {
	const { context, credential, known } = trigger;
	const settings = readSettings(context);
	const ours = (await listEndpoints(trigger, false)).filter((one) => isOurs(trigger, one));
	const [endpoint, ...others] = ours;
	if (!endpoint || others.length > 0) return false;

	const remembered = known.endpointIds?.at(-1) === endpoint.id ? known : undefined;
	const token = tokenOf(endpoint.url);
	// Where the list hides the token, only what was stored for this very endpoint tells it.
	const tokenHash = token ? hashOf(token) : remembered?.tokenHashes?.[0];
	if (!tokenHash || !isHere(trigger, endpoint)) return false;
	if (token && !isTokenOf(credential.apiKey, trigger.binding, token)) return false;
	const listed = endpoint.events ?? remembered?.events;
	if (!listed || !(await isSubscribed(trigger, listed, settings.events))) return false;
	// An endpoint's own secret is only told once: one that was not remembered is registered anew.
	if (settings.verification.scheme !== 'none') {
		if (!remembered || !(known.signingSecret ?? credential.webhookSigningSecret)) return false;
	}
	if (endpoint.isDisabled) {
		context.logger.warn(
			`The service has disabled the webhook endpoint ${endpoint.id} of this trigger, which is registered anew. See its deliveries for why.`,
		);
		return false;
	}
	const catalog = remembered?.catalog ?? (await readCatalog(trigger, settings.events));
	remember(trigger, tokenHash, {
		endpointIds: [endpoint.id],
		events: settings.events,
		catalog,
		signingSecret: remembered?.signingSecret,
	});
	return true;
}

/**
 * Registers the trigger's endpoint, then removes every other one of ours: new first, old after, so
 * that no event finds none. An endpoint whose creation was never answered is found by the next list.
 *
 * @throws NodeOperationError where the webhook URL is not HTTPS, an event type is not in the catalog,
 *   the service registers something else, or signatures are to be verified and there is no secret
 */
export async function register(context: IHookFunctions): Promise<void> {
	const trigger = await openLifecycle(context);
	const { credential, known, webhookUrl } = trigger;
	const settings = readSettings(context);
	assertHttps(context, webhookUrl);

	const before = known.endpointIds ?? [];
	const { id, token, answer } = await createEndpoint(trigger, settings.events, before);
	const isVerified = settings.verification.scheme !== 'none';
	const signingSecret = isVerified ? readSigningSecret(answer) : undefined;
	if (isVerified && !signingSecret && !credential.webhookSigningSecret) {
		throw new NodeOperationError(
			context.getNode(),
			'Signatures are to be verified, but the service returned no signing secret for the endpoint. Put its signing secret into the credential (Webhook Signing Secret), or set the option Verify Signature to None.',
		);
	}
	const { later, doubtful } = await removeOurs(trigger, {
		id,
		findLater: async (listed) => await findLater(trigger, listed, token, settings.events),
	});
	if (later) {
		// Another call came after this one, and remembers the endpoint that stays.
		remember(trigger, undefined, { endpointIds: doubtful.length > 0 ? doubtful : undefined });
		return;
	}
	const catalog = await readCatalog(trigger, settings.events);
	remember(trigger, hashOf(token), {
		endpointIds: [...doubtful, id],
		events: settings.events,
		catalog,
		signingSecret,
	});
	if (context.getActivationMode() === 'manual' && settings.requestSample) {
		void requestSampleFor(context, id);
	}
}

/**
 * Removes all endpoints of ours.
 *
 * @throws NodeApiError so that n8n tries again; what stays after its last try, the next publish removes
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	const trigger = await openLifecycle(context);
	const { doubtful } = await removeOurs(trigger);
	if (doubtful.length > 0) {
		throw new NodeOperationError(
			context.getNode(),
			`The service failed to remove webhook endpoints of this trigger, and does not list them: ${doubtful.join(', ')}. Try again later, or remove them with the Voice Agent node.`,
		);
	}
	remember(trigger, undefined, { endpointIds: [], mustCreate: true });
}

/**
 * Looks up the tokens of this trigger's endpoints at the service, for when one can't be told by what
 * is stored or by the API key. It asks once: the delivery waits for it, and can come again.
 *
 * @param onRequest called before each request: a list has one for each of its pages
 * @returns the tokens that the list shows, the newest first, and whether it hides any
 */
export async function lookUpTokens(
	context: IWebhookFunctions,
	onRequest: () => void,
): Promise<{ tokens: string[]; areHidden: boolean }> {
	const patience = { until: Date.now() + 4_000, timeout: 3_500, once: true };
	const trigger = await openTrigger(context, () => {
		onRequest();
		return patience;
	});
	const ours = (await listEndpoints(trigger, false)).filter((one) => isOurs(trigger, one));
	const tokens = ours.map(({ url }) => tokenOf(url)).filter((token) => token !== undefined);
	return {
		tokens: tokens.sort((one, other) => (isNewer(one, other) ? -1 : 1)),
		areHidden: tokens.length < ours.length,
	};
}

async function openLifecycle(context: IHookFunctions): Promise<Trigger> {
	const patience = lifecyclePatience();
	return await openTrigger(context, () => patience);
}

/**
 * Has the service create an endpoint, and makes sure that it is the one which was asked for.
 *
 * @param before the endpoints that are remembered from before
 * @returns its ID and token, and the answer, which may hold its signing secret
 */
async function createEndpoint(
	trigger: Trigger,
	events: string[],
	before: string[],
): Promise<{ id: string; token: string; answer: unknown }> {
	const { context, webhookUrl } = trigger;
	for (let tries = 1; ; tries++) {
		const { token, answer } = await post(trigger, events);
		const created = readCreatedEndpoint(answer.body, withToken(webhookUrl, token));
		const shown =
			created?.url === undefined ? await findCreated(trigger, token, created?.id) : created;
		if (!shown?.id) throw answer.unreadable('the created webhook endpoint');
		// At once: n8n answers a throw from here on with a `delete`, which has to know of it.
		remember(trigger, hashOf(token), { endpointIds: [...before, shown.id], events });

		const shownToken = tokenOf(shown.url ?? '');
		const isOld = before.includes(shown.id) || (shownToken !== undefined && shownToken !== token);
		const isAsked = !shown.events || (await isSubscribed(trigger, shown.events, events));
		if (isAsked !== false && !isOld) return { id: shown.id, token, answer: answer.body };

		// A service that takes an address only once may give back the record that it has.
		if (tries > 1) {
			throw new NodeOperationError(
				context.getNode(),
				`The service registered another webhook endpoint than the one asked for: ${shown.id}, for ${shown.events?.join(', ') || 'every event'}. Remove it with the Voice Agent node, and try again.`,
			);
		}
		await removeEndpoint(trigger, shown.id, trigger.patience());
	}
}

/**
 * Sends the POST. Refused, it may be for an event type that the catalog lacks, or for an endpoint of
 * ours: some services take an address only once, whatever its query, or only so many endpoints.
 */
async function post(trigger: Trigger, events: string[]) {
	const { context, credential, webhookUrl, binding, patience } = trigger;
	const send = async () => {
		// Another one each time, so that the newest endpoint has the newest token.
		const token = makeToken(credential.apiKey, binding);
		const body = { url: withToken(webhookUrl, token), ...(events.length > 0 && { events }) };
		const asked = { method: 'POST', path: '/webhooks', body } as const;
		return { token, answer: await request(context, asked, patience()) };
	};
	try {
		return await send();
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await readCatalog(trigger, events);
		const listed = isRefused ? await listEndpoints(trigger, true) : [];
		if (!listed.some((endpoint) => isOurs(trigger, endpoint))) {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		await removeOurs(trigger);
		return await send();
	}
}

/** Waits until the list shows the endpoint that was created: by its token, or where it hides that, by its ID. */
async function findCreated(
	trigger: Trigger,
	token: string,
	id: string | undefined,
): Promise<Endpoint | undefined> {
	const { until } = trigger.patience();
	for (let delay = 250; ; delay *= 2) {
		const listed = await listEndpoints(trigger, true);
		const found =
			listed.find(({ url }) => tokenOf(url) === token) ??
			listed.find((endpoint) => endpoint.id === id && isHere(trigger, endpoint));
		if (found || Date.now() + delay >= until) return found;
		await sleep(delay);
	}
}

/** Whether an endpoint may be at our address, as far as the list shows it. */
function isHere({ webhookUrl }: Trigger, { url }: Endpoint): boolean {
	return isHidden(url) || isSameAddress(url, webhookUrl);
}

/** Finds the newest endpoint that another call has registered after ours, and that serves. */
async function findLater(
	trigger: Trigger,
	listed: Endpoint[],
	own: string,
	chosen: string[],
): Promise<Endpoint | undefined> {
	const { credential, webhookUrl, binding } = trigger;
	let later: Endpoint | undefined;
	let token = own;
	for (const endpoint of listed) {
		const { url, events, isDisabled } = endpoint;
		const other = tokenOf(url);
		const isNew =
			other !== undefined &&
			isNewer(other, token) &&
			// From a clock that was wrong once, it would stay the newest for ever.
			madeAt(other) < Date.now() + CLOCKS_APART_MS &&
			isSameAddress(url, webhookUrl) &&
			isTokenOf(credential.apiKey, binding, other) &&
			!isDisabled;
		if (isNew && (!events || (await isSubscribed(trigger, events, chosen)) !== false)) {
			[later, token] = [endpoint, other];
		}
	}
	return later;
}

/**
 * Tells whether an endpoint gets exactly the chosen event types, however the service shows that.
 *
 * @returns undefined where only the catalog could tell, and it can't be read
 */
async function isSubscribed(
	{ context, patience }: Trigger,
	shown: string[],
	chosen: string[],
): Promise<boolean | undefined> {
	if (isSameSelection(shown, chosen)) return true;
	// Only what stands for several event types has to be written out.
	if (chosen.length > 0 && ![...shown, ...chosen].some(isWildcard)) return false;
	try {
		const { eventTypes } = await listEventTypes(context, patience());
		const names = eventTypes.map(({ name }) => name);
		return names.length > 0 ? isSameSelection(shown, chosen, names) : undefined;
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger cannot compare events: ${(error as Error).message}`);
		return undefined;
	}
}

/**
 * Reads the names of the catalog: no delivery is ignored, and no batch taken apart, without them.
 *
 * @throws NodeOperationError where the catalog lacks a chosen one
 */
async function readCatalog(
	{ context, patience }: Trigger,
	events: string[],
): Promise<string[] | undefined> {
	return await assertEventTypes(context, events, patience());
}

/** Writes down what holds from now on. Without a token, only the hashes of old ones stay. */
function remember(
	{ context, credential, webhookUrl, known }: Trigger,
	tokenHash: string | undefined,
	{ endpointIds, mustCreate, events, catalog, signingSecret }: EndpointState,
): void {
	const credentialId = context.getNode().credentials?.voiceAgentApi?.id ?? undefined;
	const before = known.credentialId === credentialId ? (known.tokenHashes ?? []) : [];
	const tokenHashes = [...new Set([tokenHash, ...before])].filter((hash) => hash !== undefined);
	const state: Required<{ [Key in keyof EndpointState]: unknown }> = {
		baseUrl: credential.baseUrl,
		webhookUrl,
		instanceId: context.getInstanceId(),
		credentialId,
		endpointIds,
		mustCreate,
		events,
		catalog,
		tokenHashes: tokenHashes.slice(0, 2),
		signingSecret,
	};
	Object.assign(stateOf(context.getWorkflowStaticData('node')), state);
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

function assertHttps(context: IHookFunctions, webhookUrl: string): void {
	if (webhookUrl.startsWith('https://')) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service delivers only to HTTPS addresses, but this n8n gives out ${webhookUrl}. Set the environment variable WEBHOOK_URL of n8n to its public address, which begins with https://`,
	);
}
