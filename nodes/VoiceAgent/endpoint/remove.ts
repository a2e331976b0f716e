import {
	NodeApiError,
	NodeOperationError,
	sleep,
	type IHookFunctions,
	type JsonObject,
} from 'n8n-workflow';

import { isGone, statusOf } from '../api/errors';
import type { Endpoint } from '../answers/records';
import { request } from '../api/request';
import type { Deadline } from '../api/retry';
import { ownershipOf, ownNewerThan } from './ownership';
import type { StoredEndpoint } from './endpointState';
import { adoptNothing, remember } from './newestState';
import { mayBeSubscribed } from './subscription';
import { listEndpoints, openTrigger, type Trigger } from './trigger';

/** The time before a list is read again that still shows a removed endpoint; it doubles each time. */
const LIST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 2_000;

/**
 * The answer to a DELETE. `removed`: success; `missing`: 404 or 410; `unclear`: no answer, a fault, or a
 * refusal that is no proof, such as 403 or 409; `refused`: any other refusal.
 */
export type RemovalAnswer = 'removed' | 'missing' | 'refused' | 'unclear';

/** The state of an endpoint in the list. */
export type Showing = 'enabled' | 'disabled' | 'absent';

/** The endpoint that this call has created. */
interface CreatedEndpoint {
	id: string;
	token: string;
	/** The selected event types. */
	events: string[];
}

/** How many answers in a row prove that a listed endpoint is removed. Fewer may come from a proxy. */
const PROOFS_IN_A_ROW = 3;

/**
 * The answers that prove a removal. A late list still shows a removed endpoint; some services keep it in
 * their list as disabled, and some refuse a second removal with various statuses.
 */
const PROOF: Record<Showing, RemovalAnswer[]> = {
	enabled: ['missing'],
	disabled: ['missing', 'removed'],
	absent: ['missing', 'removed', 'refused'],
};

/**
 * Decides whether an endpoint counts as removed. A listed endpoint needs several proofs, because a proxy
 * may answer for the service: `missing`, `missing`, `missing` → true; `removed`, `missing` → false.
 *
 * @param answers the answers to the DELETEs of one call, the newest last
 */
export function countsAsRemoved(answers: RemovalAnswer[], showing: Showing): boolean {
	const needed = showing === 'absent' ? 1 : PROOFS_IN_A_ROW;
	const newest = answers.slice(-needed);
	return newest.length === needed && newest.every((answer) => PROOF[showing].includes(answer));
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
	const { known, webhookUrl } = trigger;
	// The URLs of the own endpoints by ID. A late or incomplete list does not show them all.
	const { endpoints: stored = [] } = known;
	const own = new Map(stored.map(({ id, url }) => [id, url]));
	const answers = new Map<string, RemovalAnswer[]>();
	const answersTo = (id: string) => answers.get(id) ?? [];
	let wasKeptListed = false;
	const rounds = new Rounds(trigger);
	for (;;) {
		const { endpoints } = await listEndpoints(trigger);
		const newer = created && (await findNewer(trigger, endpoints, created));
		if (created && newer) own.set(created.id, webhookUrl);
		addListed(own, trigger, endpoints);
		const kept = takeOut(own, endpoints, newer ?? created);
		if (wasKeptListed && !kept) throw removedByAnother(trigger);
		wasKeptListed = kept !== undefined;

		const showingOf = (id: string) => showingIn(endpoints, id);
		const left = [...own].filter(([id]) => !countsAsRemoved(answersTo(id), showingOf(id)));
		const pending = left
			.map(([id]) => id)
			// An unlisted endpoint gets one attempt; the next call tries again.
			.filter((id) => showingOf(id) !== 'absent' || !answers.has(id));
		if (pending.length === 0) {
			return { newer, kept, unconfirmed: left.map(([id, url]) => ({ id, url })) };
		}
		await rounds.next(pending);
		for (const id of pending) {
			const answer = await removeOne(trigger, id, showingOf(id) !== 'absent', rounds);
			answers.set(id, [...answersTo(id), answer]);
		}
	}
}

function removedByAnother({ context }: Trigger): NodeOperationError {
	const message = 'Another publish or unpublish removed this webhook. Publish again.';
	return new NodeOperationError(context.getNode(), message);
}

/** Takes the endpoint to keep out of those to remove. @returns its listed record */
function takeOut(
	own: Map<string, string>,
	endpoints: Endpoint[],
	toKeep?: { id: string },
): Endpoint | undefined {
	own.delete(toKeep?.id ?? '');
	return endpoints.find(({ id }) => id === toKeep?.id);
}

function showingIn(endpoints: Endpoint[], id: string): Showing {
	const endpoint = endpoints.find((one) => one.id === id);
	if (!endpoint) return 'absent';
	return endpoint.isDisabled ? 'disabled' : 'enabled';
}

/** Adds the listed own endpoints to the known ones, and drops those that the list shows elsewhere. */
function addListed(own: Map<string, string>, trigger: Trigger, endpoints: Endpoint[]): void {
	for (const endpoint of endpoints) {
		if (!ownershipOf(trigger, endpoint)) own.delete(endpoint.id);
		else if (!own.has(endpoint.id)) own.set(endpoint.id, trigger.webhookUrl);
	}
}

/** The rounds of one removal: the delays between them, and their end at the deadline. */
class Rounds {
	/** The newest refusal of the service. */
	refusal?: NodeApiError;
	private round = 0;
	private lateRounds = 0;

	constructor(private readonly trigger: Trigger) {}

	/** @throws the newest refusal, or an error that names the listed endpoints, after the deadline */
	async next(pending: string[]): Promise<void> {
		const round = this.round++;
		if (round === 0) return;
		const { context, deadline } = this.trigger;
		const delay = Math.min(LIST_DELAY_MS * 2 ** (round - 1), LONGEST_DELAY_MS);
		// Without time for a delay, the last rounds follow each other at once.
		if (Date.now() + delay < deadline.endsAt) return await sleep(delay);
		if (this.lateRounds++ < PROOFS_IN_A_ROW) return;
		const said = `The service still lists removed webhooks of this trigger: ${pending.join(', ')}. Try again later, or delete them with the Voice Agent node.`;
		throw this.refusal ?? new NodeOperationError(context.getNode(), said);
	}
}

/** @throws NodeApiError if the removal of a listed endpoint failed without a proof */
async function removeOne(
	trigger: Trigger,
	id: string,
	isListed: boolean,
	rounds: Rounds,
): Promise<RemovalAnswer> {
	const deadline = { ...trigger.deadline, once: !isListed };
	const { answer, error } = await removeEndpoint(trigger, id, deadline);
	if (isListed && error && isInconclusive(error)) throw error;
	rounds.refusal = error ?? rounds.refusal;
	// The API key may be of another workspace now. Deliveries of the former workspace start nothing.
	if (answer === 'missing' && !isListed) trigger.known.tokenHashes = undefined;
	return answer;
}

/** Finds the newest endpoint with the selected event types that a concurrent call has created later. */
async function findNewer(
	trigger: Trigger,
	listed: Endpoint[],
	{ token, events: selected }: CreatedEndpoint,
): Promise<Endpoint | undefined> {
	for (const endpoint of ownNewerThan(trigger, listed, token)) {
		if (await mayBeSubscribed(trigger, endpoint.events, selected)) return endpoint;
	}
	return undefined;
}

/** Sends a DELETE, and classifies its answer. */
export async function removeEndpoint(
	{ context }: Trigger,
	id: string,
	deadline: Deadline,
): Promise<{ answer: RemovalAnswer; error?: NodeApiError }> {
	try {
		const path = `/webhooks/${encodeURIComponent(id)}`;
		await request(context, { method: 'DELETE', path }, deadline);
		return { answer: 'removed' };
	} catch (cause) {
		const status = statusOf(cause);
		if (isGone(status)) return { answer: 'missing' };
		const error = new NodeApiError(context.getNode(), cause as JsonObject);
		context.logger.debug(`Voice Agent Trigger could not remove ${id} yet: ${error.message}`);
		// A refusal for its state shows that the endpoint exists: not allowed, in conflict, locked, too early.
		const isForState = [405, 409, 412, 423, 425].includes(status ?? 0);
		return { answer: isForState || isInconclusive(error) ? 'unclear' : 'refused', error };
	}
}

/** Tests whether a failed removal proves nothing about its endpoint: no answer, no permission, a fault. */
function isInconclusive(error: unknown): boolean {
	const status = statusOf(error) ?? 0;
	return status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);
}
