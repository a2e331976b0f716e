import {
	NodeOperationError,
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { tokenOf } from '../transport/callbackUrl';
import { assertEventTypes } from '../transport/eventTypes';
import { readSigningSecret } from '../transport/records';
import { request } from '../transport/request';
import { lifecyclePatience } from '../transport/retry';
import { createEndpoint, findLater } from './creation';
import { isHere, isOurs, listEndpoints } from './ours';
import { removeOurs } from './removal';
import { readValidSettings } from './settings';
import { stateOf } from './state';
import { isSubscribed } from './subscription';
import { hashOf, isNewer, isTokenOf } from './token';
import { openTrigger, remember, type Trigger } from './trigger';

/** Long enough for n8n to store the test listener, which it does after `create` has returned. */
const SAMPLE_DELAY_MS = 500;

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
	const { context, credential, known, patience } = trigger;
	const settings = readValidSettings(context);
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
	const catalog =
		remembered?.catalog ?? (await assertEventTypes(context, settings.events, patience()));
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
 * @throws NodeOperationError where the mapping or the country code is wrong, the webhook URL is not
 *   HTTPS, an event type is not in the catalog, the service registers something else, or signatures are
 *   to be verified and there is no secret
 */
export async function register(context: IHookFunctions): Promise<void> {
	const trigger = await openLifecycle(context);
	const { credential, known, webhookUrl, patience } = trigger;
	const settings = readValidSettings(context);
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
		// What was remembered did not come later, be it that the clock was set back.
		findLater: async (listed) =>
			await findLater(
				trigger,
				listed.filter((one) => !before.includes(one.id)),
				token,
				settings.events,
			),
	});
	if (later) {
		// Another call came after this one, and remembers the endpoint that stays.
		remember(trigger, undefined, { endpointIds: doubtful.length > 0 ? doubtful : undefined });
		return;
	}
	const catalog = await assertEventTypes(context, settings.events, patience());
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
	// Also where it fails halfway: what was removed may be listed for a while, and is not to be adopted.
	stateOf(context.getWorkflowStaticData('node')).mustCreate = true;
	const { doubtful } = await removeOurs(trigger);
	if (doubtful.length > 0) {
		remember(trigger, undefined, { endpointIds: doubtful, mustCreate: true });
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
