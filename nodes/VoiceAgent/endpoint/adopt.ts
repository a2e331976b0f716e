import type { IHookFunctions } from 'n8n-workflow';

import { tokenOf } from '../api/callbackUrl';
import type { Endpoint } from '../answers/records';
import { assertEventTypes } from '../answers/eventTypes';
import { ownershipOf } from './ownership';
import { stateOf, type EndpointState } from './endpointState';
import { adoptNothing, remember } from './newestState';
import { isSubscribed } from './subscription';
import { hashOf, isTokenOf } from './token';
import { listEndpoints, openTrigger, type EndpointSettings, type Trigger } from './trigger';

/**
 * Adopts the trigger's endpoint if the service lists exactly one own endpoint, and that one fits. It changes
 * nothing at the service. When n8n starts, or another main process takes over, a stored endpoint is kept if
 * the check fails: after a throw, n8n removes the endpoint, and at last no longer registers the trigger.
 *
 * @returns false if n8n has to call `create`
 * @throws NodeApiError if the list can't be read and no endpoint is kept; n8n then calls `delete`
 */
export async function adopt(context: IHookFunctions, settings: EndpointSettings): Promise<boolean> {
	// A test listener creates its own endpoint: an adopted one would soon count as stale.
	if (context.getMode() === 'manual') return false;
	const trigger = await openTrigger(context);
	if (stateOf(context).mustCreate) return false;
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	const mayKeep = isStart && !!trigger.known.endpoints?.length;
	const isAdopted = await adoptListed(trigger, settings).catch((error: Error) => {
		if (mayKeep) {
			context.logger.warn(`Voice Agent Trigger keeps its webhook unchecked: ${error.message}`);
			return undefined;
		}
		// The `delete` of n8n 1.x writes to other static data, and a list may be late.
		adoptNothing(context);
		throw error;
	});
	return isAdopted ?? mayKeep;
}

/** @returns undefined if only the catalog decides, and can't be read */
async function adoptListed(trigger: Trigger, settings: EndpointSettings) {
	const { context, known } = trigger;
	const { endpoints } = await listEndpoints(trigger);
	const endpoint = onlyOwn(trigger, endpoints);
	if (!endpoint) return false;
	const stored = known.endpoints?.at(-1)?.id === endpoint.id ? known : undefined;
	const tokenHash = validTokenHash(trigger, endpoint, stored);
	if (!tokenHash || !canVerify(trigger, settings, stored)) return false;
	if (endpoint.isDisabled) {
		context.logger.warn(
			`The service has disabled the webhook ${endpoint.id} of this trigger, so n8n creates a new one. Its deliveries show why.`,
		);
		return false;
	}
	const listed = endpoint.events ?? stored?.events;
	const isFitting = !!listed && (await isSubscribed(trigger, listed, settings.events));
	if (isFitting) await storeAdopted(trigger, endpoint, settings, tokenHash, stored);
	return isFitting;
}

async function storeAdopted(
	trigger: Trigger,
	{ id }: Endpoint,
	{ events }: EndpointSettings,
	tokenHash: string,
	stored: EndpointState = {},
): Promise<void> {
	const { context, webhookUrl, deadline } = trigger;
	const { endpoints = [], signingSecret } = stored;
	const catalog = stored.catalog ?? (await assertEventTypes(context, events, deadline));
	// A list may not show a former endpoint whose removal has no proof.
	const kept = [...endpoints.slice(0, -1), { id, url: webhookUrl }];
	remember(trigger, { endpoints: kept, events, catalog, signingSecret }, tokenHash);
}

/** @returns the own endpoint, if the list shows exactly one, and that one is at the present URL */
function onlyOwn(trigger: Trigger, endpoints: Endpoint[]): Endpoint | undefined {
	const own = endpoints
		.map((endpoint) => ({ endpoint, ownership: ownershipOf(trigger, endpoint) }))
		.filter(({ ownership }) => ownership === 'present' || ownership === 'former');
	return own.length === 1 && own[0]?.ownership === 'present' ? own[0].endpoint : undefined;
}

/**
 * @param stored the state, if it is about this endpoint
 * @returns the hash of the endpoint's token; undefined for an invalid one
 */
function validTokenHash(trigger: Trigger, { url }: Endpoint, stored?: EndpointState) {
	const token = tokenOf(url);
	// If the list hides the token, only the hash stored for this endpoint confirms it.
	if (!token) return stored?.tokenHashes?.[0];
	return isTokenOf(trigger.credential.apiKey, trigger.binding, token) ? hashOf(token) : undefined;
}

/** Whether signatures can be verified, if they have to: only the answer to the POST shows an endpoint's secret. */
function canVerify({ credential }: Trigger, settings: EndpointSettings, stored?: EndpointState) {
	if (!settings.verifySignature) return true;
	return stored !== undefined && !!(stored.signingSecret ?? credential.webhookSigningSecret);
}
