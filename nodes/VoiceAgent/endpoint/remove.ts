import { NodeOperationError, sleep, type IHookFunctions, type NodeApiError } from 'n8n-workflow';

import type { Endpoint } from '../answers/records';
import type { StoredEndpoint } from './endpointState';
import { ownershipOf, ownNewerThan } from './ownership';
import { countsAsRemoved, removeEndpoint, type RemovalAnswer } from './removal';
import { isSubscribed } from './subscription';
import { adoptNothing, listEndpoints, openTrigger, remember, type Trigger } from './trigger';

/** The time before a list is read again that still shows a removed endpoint. */
const LIST_DELAY_MS = 1_000;

/** The endpoint that this call has created. */
interface CreatedEndpoint {
	id: string;
	token: string;
	/** The selected event types. */
	events: string[];
}

/**
 * Removes all own endpoints. After the last of n8n's attempts, the next publish removes the rest.
 *
 * @throws NodeApiError or NodeOperationError, so that n8n tries again
 */
export async function remove(context: IHookFunctions): Promise<void> {
	const trigger = await openTrigger(context);
	// Set before any throw: a removed endpoint may stay listed for a while, and must not be adopted.
	adoptNothing(context);
	const { unconfirmed } = await removeOwn(trigger);
	remember(trigger, { endpoints: unconfirmed, mustCreate: 'listed' });
	if (unconfirmed.length === 0) return;
	const ids = unconfirmed.map(({ id }) => id).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`The service failed to remove webhooks of this trigger, and does not list them: ${ids}. Try again later, or delete them with the Voice Agent node.`,
	);
}

/**
 * Removes the own endpoints until the list shows none. Of the created endpoint and newer ones, the
 * newest stays.
 *
 * @returns the newer endpoint that replaces the created one, if any; the listed record of the endpoint
 *   that stays; and the unlisted endpoints without a proof of their removal
 * @throws NodeApiError if a listed endpoint can't be removed, NodeOperationError if a removed endpoint
 *   stays listed, or if a concurrent call has removed the endpoint to keep
 */
export async function removeOwn(
	trigger: Trigger,
	created?: CreatedEndpoint,
): Promise<{ newer?: Endpoint; kept?: Endpoint; unconfirmed: StoredEndpoint[] }> {
	const own = ownBefore(trigger, created);
	const answers = new Map<string, RemovalAnswer[]>();
	let keptBefore: Endpoint | undefined;
	let newest: NodeApiError | undefined;
	for (let round = 0; ; round++) {
		const { endpoints } = await listEndpoints(trigger);
		addListed(own, trigger, endpoints);
		const listed = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
		const newer = created && (await findNewer(trigger, endpoints, created));
		const toKeep = newer ?? created;
		const kept = toKeep && listed.get(toKeep.id);
		if (keptBefore && !kept) throw removedByAnother(trigger);
		keptBefore = kept;

		const isLeft = ({ id }: StoredEndpoint) =>
			id !== toKeep?.id && !countsAsRemoved(answers.get(id) ?? [], listed.get(id));
		const unconfirmed = [...own.values()].filter(isLeft);
		// An unlisted endpoint gets one attempt; the next call tries again.
		const pending = unconfirmed.filter(({ id }) => listed.has(id) || !answers.has(id));
		if (pending.length === 0) return { newer, kept, unconfirmed };
		await waitForList(trigger, round, newest, pending);
		for (const { id } of pending) {
			const { answer, error } = await removeOne(trigger, id, listed.has(id));
			answers.set(id, [...(answers.get(id) ?? []), answer]);
			if (error) newest = error;
		}
	}
}

/** @returns the own endpoints by ID, of which a late or incomplete list does not show all */
function ownBefore({ known, webhookUrl }: Trigger, created?: CreatedEndpoint) {
	const own = new Map((known.endpoints ?? []).map((endpoint) => [endpoint.id, endpoint]));
	if (created) own.set(created.id, { id: created.id, url: webhookUrl });
	return own;
}

function removedByAnother({ context }: Trigger): NodeOperationError {
	const message = 'Another publish or unpublish removed this webhook. Publish again.';
	return new NodeOperationError(context.getNode(), message);
}

/** Adds the listed own endpoints to the known ones, and drops those that the list shows elsewhere. */
function addListed(own: Map<string, StoredEndpoint>, trigger: Trigger, listed: Endpoint[]): void {
	const { webhookUrl: url } = trigger;
	for (const endpoint of listed) {
		const { id } = endpoint;
		if (!ownershipOf(trigger, endpoint)) own.delete(id);
		else if (!own.has(id)) own.set(id, { id, url });
	}
}

/** @throws the newest error, or one that names the listed endpoints, if the deadline leaves no time for a wait */
async function waitForList(
	{ context, deadline }: Trigger,
	round: number,
	newest: NodeApiError | undefined,
	pending: StoredEndpoint[],
): Promise<void> {
	if (round === 0) return;
	if (Date.now() + LIST_DELAY_MS < deadline.endsAt) return await sleep(LIST_DELAY_MS);
	const ids = pending.map(({ id }) => id).join(', ');
	const message = `The service still lists removed webhooks of this trigger: ${ids}. Try again later, or delete them with the Voice Agent node.`;
	throw newest ?? new NodeOperationError(context.getNode(), message);
}

async function removeOne(trigger: Trigger, id: string, isListed: boolean) {
	const removal = await removeEndpoint(trigger, id, { ...trigger.deadline, once: !isListed });
	// The API key may be of another workspace now. Deliveries of the former workspace start nothing.
	if (removal.answer === 'missing' && !isListed) trigger.known.tokenHashes = undefined;
	return removal;
}

/** Finds the newest endpoint with the selected event types that a concurrent call has created later. */
async function findNewer(
	trigger: Trigger,
	listed: Endpoint[],
	{ token, events: selected }: CreatedEndpoint,
): Promise<Endpoint | undefined> {
	for (const endpoint of ownNewerThan(trigger, listed, token)) {
		if ((await isSubscribed(trigger, endpoint.events, selected)) !== false) return endpoint;
	}
	return undefined;
}
