import type { IHookFunctions } from 'n8n-workflow';

import { bindingOf, madeAt, tokenOf } from '../auth/token';
import { assertEventTypes } from '../lists/requestList';
import { readCredential } from '../service/credential';
import { noteState } from '../state/triggerMemory';
import { presentEndpoint, stateOf } from '../state/triggerState';
import { isPasted } from '../trigger/webhookProperties';
import {
	listEndpoints,
	markRemoval,
	beginTask,
	writeState,
	type TriggerTask,
	type EndpointSettings,
} from './triggerTask';
import { examine } from './examine';

/** By how much the clocks of n8n and the service may differ. */
const CLOCKS_MS = 60 * 60_000;

/**
 * Adopts the trigger's endpoint if the service lists exactly one own endpoint, and that one fits. It changes
 * nothing at the service.
 *
 * @returns false if n8n has to call `create`; true for a pasted endpoint
 * @throws NodeApiError if the list can't be read; n8n then calls `delete`
 */
export async function adopt(context: IHookFunctions, settings: EndpointSettings): Promise<boolean> {
	if (isPasted(context)) return true;
	const task = await beginTask(context, 'publish');
	// A test listener creates its own endpoint: an adopted one would soon count as stale. Of a renamed node, only the
	// memory knows that its endpoint was removed.
	if (task.kind === 'test' || task.state.removal || task.stateAtStart.removal) return false;
	return await adoptListed(task, settings).catch((error: Error) => {
		// The `delete` of n8n 1.x writes to other static data, and a list may be late.
		markRemoval(task);
		throw error;
	});
}

async function adoptListed(task: TriggerTask, settings: EndpointSettings): Promise<boolean> {
	const { context, webhookUrl, deadline, state } = task;
	const examined = await examine(task, settings, await listEndpoints(task));
	const { endpoint, fault, others, stored = {}, tokenHash } = examined;
	if (!endpoint || fault || others.length > 0) return false;
	const { events, verifySignature } = settings;
	const { endpoints = [] } = stored;
	const signingSecret = verifySignature ? stored.signingSecret : undefined;
	const catalog = stored.catalog ?? (await assertEventTypes(context, events, deadline));
	// A list may not show a former endpoint whose removal has no proof.
	const kept = [...endpoints.slice(0, -1), { id: endpoint.id, url: webhookUrl }];
	const token = tokenOf(endpoint.url);
	if (token) state.since ??= madeAt(token) - CLOCKS_MS;
	state.publishedAt ??= state.since;
	writeState(task, { endpoints: kept, events, catalog, signingSecret }, tokenHash);
	return true;
}

/**
 * Keeps the stored or the pasted endpoint when n8n starts, or another main process takes over, without a request:
 * after a throw, n8n would remove the endpoint, and no longer register the trigger. The poll compares the stored
 * endpoint with the service's list, also after the credential has got another base URL.
 *
 * @returns false for any other activation, and without an endpoint that this n8n has stored for this node
 */
export async function keep(context: IHookFunctions): Promise<boolean> {
	const mode = context.getActivationMode();
	if (mode !== 'init' && mode !== 'leadershipChange') return false;
	if (isPasted(context)) return true;
	const state = stateOf(context);
	if (!presentEndpoint(state)) return false;
	const url = context.getNodeWebhookUrl('default') ?? '';
	const binding = bindingOf('production', context.getWorkflow().id, url);
	if (!state.owner?.endsWith(`${context.getInstanceId()} ${binding}`)) return false;
	// Only a publish can store the signing secret of a webhook at another service.
	const { baseUrl } = await readCredential(context).catch(() => ({ baseUrl: '' }));
	const isMoved = baseUrl !== '' && !state.owner.startsWith(`${baseUrl} `);
	if (isMoved && context.getNodeParameter('options.verifySignature', false)) return false;
	noteState(context, url, state);
	return true;
}
