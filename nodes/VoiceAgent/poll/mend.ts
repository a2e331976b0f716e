import type { Endpoint } from '../lists/records';
import { isSameAddress, tokenOf } from '../auth/callbackUrl';
import { isGone, statusOf } from '../service/errors';
import { requestNewest } from '../log/requestLog';
import { presentEndpoint, type StoredEndpoint } from '../state/endpointState';
import { describeFault, examine } from '../webhook/examine';
import { createEndpoint } from '../webhook/postEndpoint';
import { removeEndpoint } from '../webhook/removalProof';
import { removeOwn } from '../webhook/remove';
import {
	listEndpoints,
	remember,
	withCredential,
	type EndpointSettings,
	type CallContext,
} from '../webhook/callContext';
import type { TriggerMemory } from '../state/triggerMemory';
import { HIDDEN_URLS, obstacleTo, PUBLISH, type TriggerEndpoints } from './obstacles';
import type { Poll } from './polls';
import { fail, report } from './report';
import { readWaiting } from './rescue';

/** How long an endpoint has to be missing in the list before it is replaced: a list may be late or cut. */
const CONFIRM_MS = 2 * 60_000;

/**
 * Compares the service's list with the trigger's state, and replaces an endpoint that does not serve the trigger:
 * first the POST, then the missed events of the old endpoint are started, and at last it is deleted, by the same
 * steps in later polls. It stores nothing: the new token proves itself, its URL makes the endpoint own, and the
 * list shows its ID.
 *
 * What only a person can decide is reported: see {@link obstacleTo}.
 *
 * @throws NodeApiError or NodeOperationError if a request failed; the next poll tries again
 */
export async function mend(poll: Poll, settings: EndpointSettings): Promise<void> {
	const { context, memory, polls, deadline } = poll;
	const { webhookUrl, state } = memory;
	const call = await withCredential({ context, webhookUrl, state, deadline });
	const list = await listEndpoints(call);
	const found = { ...(await examine(call, settings, list.value)), call, settings, list };
	const { endpoint, fault, others } = found;
	if (endpoint) polls.missingSince = undefined;
	if (endpoint && (!fault || fault === 'hidden')) {
		notePresent(call, endpoint, found.tokenHash);
		if (others.length > 0) await removeOld(poll, endpoint, found);
		return;
	}
	if (!endpoint && others.length === 0 && !(await isMissing(poll, found))) return;
	const obstacle = await obstacleTo(poll, found);
	if (obstacle) report(poll, 'webhook', obstacle);
	else if (isCurrent(memory, call)) await replace(poll, found);
}

/** @returns false if a publish or an unpublish has changed the state meanwhile */
function isCurrent(memory: TriggerMemory, { state }: CallContext): boolean {
	return memory.state === state;
}

/** Lets later steps of this process use the listed endpoint. */
function notePresent(call: CallContext, { id }: Endpoint, tokenHash: string | undefined): void {
	const { state, webhookUrl } = call;
	if (presentEndpoint(state)?.id === id) return;
	const others = (state.endpoints ?? []).filter((one) => one.id !== id);
	remember(call, { ...state, endpoints: [...others, { id, url: webhookUrl }] }, tokenHash);
}

/**
 * Decides whether an endpoint that the list lacks is deleted: two lists, minutes apart, lack it, and if they are
 * incomplete, its log is gone, too.
 */
async function isMissing(poll: Poll, { call, list }: TriggerEndpoints): Promise<boolean> {
	const { context, polls, deadline } = poll;
	const now = Date.now();
	polls.missingSince ??= now;
	// The next poll reads another list.
	polls.isUrgent = now - polls.missingSince < CONFIRM_MS;
	if (polls.isUrgent) return false;
	const present = presentEndpoint(call.state);
	if (!present || list.complete) return true;
	const error = await requestNewest(context, present, deadline).then(() => null, statusOf);
	if (error !== null && isGone(error)) return true;
	const text = `The list of webhooks is incomplete, and lacks the webhook ${present.id} of this workflow, so it may have been deleted. Look for it in the service. If it is gone, unpublish the workflow, and publish it again.`;
	report(poll, 'webhook', text);
	return false;
}

/**
 * Creates the endpoint anew, while the events are read that the former ones have missed. If that fails, or leads
 * nowhere, all is as before.
 */
async function replace(poll: Poll, found: TriggerEndpoints): Promise<void> {
	const { memory, polls, deadline } = poll;
	const { call, settings, endpoint, others } = found;
	const before = { ...call.state };
	const undo = async () => {
		Object.assign(call.state, before);
		const { createdId } = call;
		if (createdId) await removeEndpoint(call, createdId, { ...deadline, once: true });
	};
	// Also after an error: the next poll tries again, or removes the old endpoint.
	polls.isUrgent = true;
	const former = [presentEndpoint(call.known), endpoint, ...others];
	// A service that allows one endpoint for each URL makes `createEndpoint` remove the old one.
	const rescued = rescueAll(poll, call, uniqueById(former.filter((one) => one !== undefined)));
	// It matters only to a removal.
	const rescueEnd = rescued.catch(() => {});
	await createEndpoint(call, settings.events, rescued).catch(async (error: Error) => {
		await undo();
		throw error;
	});
	await rescueEnd;
	if (!isCurrent(memory, call)) return await undo();
	if (await isHidden(call)) {
		report(poll, 'webhook', `${HIDDEN_URLS} ${PUBLISH}`);
		return await undo();
	}
	const { endpoints, tokenHashes: [tokenHash] = [] } = call.state;
	const { events, catalog, signingSecret } = before;
	remember(call, { endpoints, events, catalog, signingSecret }, tokenHash);
	Object.assign(polls, { replacedAt: Date.now(), missingSince: undefined });
	tellOfReplacement(poll, found);
}

/** Reports a replacement if the former endpoint was not sent all events, so that its log lacks some. */
function tellOfReplacement(poll: Poll, { call, endpoint, others, fault }: TriggerEndpoints): void {
	const what = `At the service, the webhook of this workflow ${describeFault(fault)}. It was created anew, as ${presentEndpoint(call.state)?.id}.`;
	const isActive = others.length > 0 && others.every(({ isDisabled }) => !isDisabled);
	const wasSentAll = endpoint ? fault === 'token' : isActive;
	if (wasSentAll) return poll.context.logger.warn(`Voice Agent Trigger: ${what}`);
	const text = `${what} Events of the time before may never have been sent, so no log shows them. Compare the calls since its last delivery in the service with the executions of this workflow.`;
	fail(poll.context, text);
}

/**
 * Lets the events wait that former endpoints have missed.
 *
 * @throws NodeApiError if a log can't be read, except that of an endpoint that the service has removed
 */
async function rescueAll({ memory, deadline }: Poll, call: CallContext, former: StoredEndpoint[]) {
	for (const endpoint of former) {
		await readWaiting(call, memory, endpoint, deadline.endsAt).catch((error: Error) => {
			if (!isGone(statusOf(error))) throw error;
		});
	}
}

/** Whether the list shows the new endpoint at another URL than its own, so that no later process would find it. */
async function isHidden(call: CallContext): Promise<boolean> {
	const { value } = await listEndpoints(call);
	const shown = value.find(({ id }) => id === call.createdId);
	return shown !== undefined && !isSameAddress(shown.url, call.webhookUrl);
}

function uniqueById(endpoints: StoredEndpoint[]): StoredEndpoint[] {
	return [...new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])).values()];
}

/** Removes former endpoints, once all events that they have missed are started. */
async function removeOld(
	poll: Poll,
	{ id, url }: Endpoint,
	found: TriggerEndpoints,
): Promise<void> {
	const { memory, polls } = poll;
	const { call, settings, others } = found;
	const { state, webhookUrl } = call;
	polls.isUrgent = true;
	await rescueAll(poll, call, others);
	if (polls.waiting.length > 0 || !isCurrent(memory, call)) return;
	const created = { id, token: tokenOf(url) ?? '', events: settings.events };
	const { unconfirmed } = await removeOwn(call, Promise.resolve(), created);
	remember(call, { ...state, endpoints: [...unconfirmed, { id, url: webhookUrl }] });
	polls.isUrgent = false;
}
