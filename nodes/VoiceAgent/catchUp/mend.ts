import type { Endpoint } from '../answers/records';
import { isSameAddress, tokenOf } from '../api/callbackUrl';
import { isGone, statusOf } from '../api/errors';
import { isUsualLength } from '../api/paging';
import { hasNewestArrived } from '../deliveryLog/arrival';
import { requestLog } from '../deliveryLog/requestLog';
import { presentEndpoint, type StoredEndpoint } from '../endpoint/endpointState';
import { canVerify, examine, type Examined } from '../endpoint/examine';
import { createEndpoint } from '../endpoint/postEndpoint';
import { removeEndpoint } from '../endpoint/removalProof';
import { removeOwn } from '../endpoint/remove';
import { mayBeAt } from '../endpoint/shownUrl';
import {
	listEndpoints,
	openPolled,
	remember,
	type EndpointSettings,
	type Trigger,
} from '../endpoint/trigger';
import type { TriggerMemory } from '../endpoint/triggerMemory';
import type { Poll } from './polls';
import { report } from './report';
import { readWaiting } from './rescue';

/** How long an endpoint has to be missing in the list before it is replaced: a list may be late or cut. */
const CONFIRM_MS = 2 * 60_000;
/** Within this time, a second replacement would help no more than the first. */
const REPLACED_MS = 6 * 60 * 60_000;

/** The endpoints of a trigger at the service. */
interface Findings extends Examined {
	endpoints: Endpoint[];
	complete: boolean;
	/** The own endpoints beside the present one, without those of test listeners. */
	old: Endpoint[];
}

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
	const trigger = await openPolled(context, memory, deadline);
	const list = await listEndpoints(trigger);
	const examined = await examine(trigger, settings, list.endpoints);
	const old = examined.others.filter(({ ownership }) => ownership !== 'listener');
	const found: Findings = { ...examined, ...list, old };
	const { endpoint, fault } = found;
	if (endpoint) polls.missingSince = undefined;
	if (endpoint && (!fault || fault === 'hidden' || fault === 'unclear')) {
		notePresent(trigger, endpoint, found.tokenHash);
		if (old.length > 0) await removeOld(poll, trigger, settings, endpoint, old);
		return;
	}
	if (!endpoint && old.length === 0 && !(await isMissing(poll, trigger, found))) return;
	const obstacle = await obstacleTo(poll, trigger, settings, found);
	if (obstacle) report(context, polls.reportedAt, 'webhook', obstacle);
	else if (isCurrent(memory, trigger)) await replace(poll, trigger, settings, found);
}

/** @returns false if a publish or an unpublish has changed the state meanwhile */
function isCurrent(memory: TriggerMemory, { state }: Trigger): boolean {
	return memory.state === state;
}

/** Lets later steps of this process use the listed endpoint. */
function notePresent(trigger: Trigger, { id }: Endpoint, tokenHash: string | undefined): void {
	const { state, webhookUrl } = trigger;
	if (presentEndpoint(state)?.id === id) return;
	const others = (state.endpoints ?? []).filter((one) => one.id !== id);
	remember(trigger, { ...state, endpoints: [...others, { id, url: webhookUrl }] }, tokenHash);
}

/**
 * Decides whether an endpoint that the list lacks is deleted: two lists, minutes apart, lack it, and if they may
 * be cut, its log is gone, too.
 */
async function isMissing(
	{ context, polls, deadline }: Poll,
	{ state }: Trigger,
	{ endpoints, complete }: Findings,
): Promise<boolean> {
	const now = Date.now();
	polls.missingSince ??= now;
	// The next poll reads another list.
	polls.isUrgent = now - polls.missingSince < CONFIRM_MS;
	if (polls.isUrgent) return false;
	const stored = presentEndpoint(state);
	if (!stored || (complete && !isUsualLength(endpoints.length))) return true;
	const error = await requestLog(context, stored, () => deadline, now).then(() => null, statusOf);
	return error !== null && isGone(error);
}

/** @returns why only a person can mend the webhook, and how; undefined if it can be replaced */
async function obstacleTo(
	{ context, polls, deadline }: Poll,
	trigger: Trigger,
	settings: EndpointSettings,
	{ endpoint, endpoints, fault }: Findings,
): Promise<string | undefined> {
	const publish = 'Unpublish the workflow, and publish it again.';
	if (endpoint && fault === 'disabled') {
		const { attempts } = await requestLog(context, endpoint, () => deadline, Date.now());
		if (hasNewestArrived(attempts.map(({ details }) => details)) !== false) {
			return `The webhook ${endpoint.id} of this workflow is turned off in the service, so no event starts the workflow. Its last deliveries did not fail, so a person may have turned it off. Turn it on in the service. Or: ${publish}`;
		}
	}
	const what = `The webhook of this workflow is ${endpoint ? `of no use (${fault})` : 'missing'} at the service, so no event starts the workflow.`;
	if (fault === 'secret' || !canVerify(trigger, settings)) {
		return `${what} Only a publish can store the signing secret of a new webhook. ${publish}`;
	}
	const { webhookUrl } = trigger;
	if (endpoints.some(({ url }) => mayBeAt(url, webhookUrl) && !isSameAddress(url, webhookUrl))) {
		return `${what} The service hides the URLs of webhooks, so a new one could not be recognized. ${publish}`;
	}
	if (Date.now() - (polls.replacedAt ?? -Infinity) < REPLACED_MS) {
		return `${what} It was replaced at ${new Date(polls.replacedAt ?? 0).toISOString()}, and the new one had the same fate. Find out why with Webhook → Check of the Voice Agent node. Then: ${publish}`;
	}
	return undefined;
}

async function replace(
	poll: Poll,
	trigger: Trigger,
	settings: EndpointSettings,
	{ endpoint, old, fault }: Findings,
): Promise<void> {
	const { context, memory, polls, deadline } = poll;
	const { known, state } = trigger;
	const before = { ...state };
	const { events, catalog, signingSecret } = before;
	// Also after an error: the next poll tries again, or removes the old endpoint.
	polls.isUrgent = true;
	const stored = presentEndpoint(known);
	const former = [...(stored ? [stored] : []), ...(endpoint ? [endpoint] : []), ...old];
	// A service that allows one endpoint for each URL makes `createEndpoint` remove the old one.
	const rescued = Promise.allSettled(
		uniqueById(former).map(async (one) => await readWaiting(trigger, memory, one, deadline.endsAt)),
	).then(() => {});
	const undo = async () => {
		Object.assign(state, before);
		const { createdId } = trigger;
		if (createdId) await removeEndpoint(trigger, createdId, { ...deadline, once: true });
	};
	await createEndpoint(trigger, settings.events, rescued).catch(async (error: Error) => {
		await undo();
		throw error;
	});
	await rescued;
	if (!isCurrent(memory, trigger)) return await undo();
	const [tokenHash] = state.tokenHashes ?? [];
	remember(trigger, { endpoints: state.endpoints, events, catalog, signingSecret }, tokenHash);
	Object.assign(polls, { replacedAt: Date.now(), missingSince: undefined });
	context.logger.warn(
		`Voice Agent Trigger created its webhook anew, as ${presentEndpoint(state)?.id}: the former one was ${endpoint ? `of no use (${fault})` : 'missing or elsewhere'}.`,
	);
}

function uniqueById(endpoints: StoredEndpoint[]): StoredEndpoint[] {
	return [...new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])).values()];
}

/** Removes former endpoints, once all events that they have missed are started. */
async function removeOld(
	{ memory, polls, deadline }: Poll,
	trigger: Trigger,
	{ events }: EndpointSettings,
	{ id, url }: Endpoint,
	old: Endpoint[],
): Promise<void> {
	const { state, webhookUrl } = trigger;
	polls.isUrgent = true;
	for (const one of old) {
		await readWaiting(trigger, memory, one, deadline.endsAt).catch((error: Error) => {
			if (!isGone(statusOf(error))) throw error;
		});
	}
	if (polls.waiting.length > 0 || !isCurrent(memory, trigger)) return;
	const created = { id, token: tokenOf(url) ?? '', events };
	const { unconfirmed } = await removeOwn(trigger, Promise.resolve(), created);
	remember(trigger, { ...state, endpoints: [...unconfirmed, { id, url: webhookUrl }] });
	polls.isUrgent = false;
}
