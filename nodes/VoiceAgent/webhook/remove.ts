import { NodeOperationError, sleep, type IHookFunctions, type NodeApiError } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { ownershipOf, ownNewerThan } from './ownership';
import {
	countsAsRemoved,
	isInconclusive,
	PROOFS_IN_A_ROW,
	removeEndpoint,
	showingIn,
	type RemovalAnswer,
} from './removalProof';
import { isSubscribed } from './examine';
import { markRemoval, listEndpoints, readContext, remember, type CallContext } from './callContext';

/** The time before a list is read again that still shows a removed endpoint; it doubles each time. */
const LIST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 2_000;

/** The endpoint that this call has created. */
interface CreatedEndpoint {
	id: string;
	token: string;
	/** The selected event types. */
	events: string[];
}

/**
 * Reads the log of a trigger's endpoint before the endpoint is removed, and remembers what was missed. It
 * never throws, and takes two seconds at most.
 */
export type RescueMissed = (call: CallContext) => Promise<void>;

/**
 * Removes all own endpoints. After the last of n8n's attempts, the next publish removes the rest.
 *
 * @param rescue see {@link RescueMissed}
 * @throws NodeApiError or NodeOperationError, so that n8n tries again
 */
export async function remove(context: IHookFunctions, rescue: RescueMissed): Promise<void> {
	const call = { ...(await readContext(context)), isUnpublish: true };
	const rescued = rescue(call);
	// Set before any throw: a removed endpoint may stay listed for a while, and must not be adopted.
	markRemoval(call);
	const { unconfirmed } = await removeOwn(call, rescued);
	remember(call, { endpoints: unconfirmed, removal: 'listed' });
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
 * @param rescued is awaited before the first removal
 * @returns the newer endpoint that replaces the created one, if any; the listed record of the endpoint
 *   that stays; and the unlisted endpoints without a proof of their removal
 * @throws NodeApiError if a listed endpoint can't be removed, NodeOperationError if a removed endpoint
 *   stays listed, or if a concurrent call has removed the endpoint to keep
 */
export async function removeOwn(
	call: CallContext,
	rescued: Promise<void>,
	created?: CreatedEndpoint,
) {
	const { known, webhookUrl } = call;
	// The URLs of the own endpoints by ID. A late or incomplete list does not show them all.
	const { endpoints: stored = [] } = known;
	const own = new Map(stored.map(({ id, url }) => [id, url]));
	const answers = new Map<string, RemovalAnswer[]>();
	const answersTo = (id: string) => answers.get(id) ?? [];
	let wasKeptListed = false;
	const rounds = new Rounds(call);
	for (;;) {
		const { value: endpoints } = await listEndpoints(call);
		const newer = created && (await findNewer(call, endpoints, created));
		if (created && newer) own.set(created.id, webhookUrl);
		addListed(own, call, endpoints);
		const toKeep = newer ?? created;
		if (toKeep) own.delete(toKeep.id);
		const kept = endpoints.find(({ id }) => id === toKeep?.id);
		if (wasKeptListed && !kept) throw removedByAnother(call);
		wasKeptListed = kept !== undefined;

		const left = [...own]
			.map(([id, url]) => ({ id, url, showing: showingIn(endpoints, id) }))
			.filter(({ id, showing }) => !countsAsRemoved(answersTo(id), showing));
		// An unlisted endpoint gets one attempt; the next call tries again.
		const pending = left.filter(({ id, showing }) => showing !== 'absent' || !answers.has(id));
		if (pending.length === 0) {
			return { newer, kept, unconfirmed: left.map(({ id, url }) => ({ id, url })) };
		}
		await rescued;
		await rounds.next(pending);
		for (const { id, showing } of pending) {
			const answer = await removeOne(call, id, showing !== 'absent', rounds);
			answers.set(id, [...answersTo(id), answer]);
		}
	}
}

function removedByAnother({ context }: CallContext): NodeOperationError {
	const message = 'Another publish or unpublish removed this webhook. Publish again.';
	return new NodeOperationError(context.getNode(), message);
}

/** Adds the listed own endpoints to the known ones, and drops those that the list shows elsewhere. */
function addListed(own: Map<string, string>, call: CallContext, endpoints: Endpoint[]): void {
	for (const endpoint of endpoints) {
		if (!ownershipOf(call, endpoint)) own.delete(endpoint.id);
		else if (!own.has(endpoint.id)) own.set(endpoint.id, call.webhookUrl);
	}
}

/** The rounds of one removal: the delays between them, and their end at the deadline. */
class Rounds {
	/** The newest refusal of the service. */
	refusal?: NodeApiError;
	private round = 0;
	private lateRounds = 0;

	constructor(private readonly call: CallContext) {}

	/** @throws the newest refusal, or an error that names the listed endpoints, after the deadline */
	async next(pending: Array<{ id: string }>): Promise<void> {
		const round = this.round++;
		if (round === 0) return;
		const { context, deadline } = this.call;
		const delay = Math.min(LIST_DELAY_MS * 2 ** (round - 1), LONGEST_DELAY_MS);
		// Without time for a delay, the last rounds follow each other at once.
		if (Date.now() + delay < deadline.endsAt) return await sleep(delay);
		if (this.lateRounds++ < PROOFS_IN_A_ROW) return;
		const ids = pending.map(({ id }) => id).join(', ');
		const said = `The service still lists removed webhooks of this trigger: ${ids}. Try again later, or delete them with the Voice Agent node.`;
		throw this.refusal ?? new NodeOperationError(context.getNode(), said);
	}
}

/** @throws NodeApiError if the removal of a listed endpoint failed without a proof */
async function removeOne(call: CallContext, id: string, isListed: boolean, rounds: Rounds) {
	const deadline = { ...call.deadline, once: !isListed };
	const { answer, error } = await removeEndpoint(call, id, deadline);
	if (isListed && error && isInconclusive(error)) throw error;
	rounds.refusal = error ?? rounds.refusal;
	// The API key may be of another workspace now. Deliveries of the former workspace start nothing.
	if (answer === 'missing' && !isListed) call.known.tokenHashes = undefined;
	return answer;
}

/** Finds the newest endpoint with the selected event types that a concurrent call has created later. */
async function findNewer(call: CallContext, listed: Endpoint[], created: CreatedEndpoint) {
	for (const endpoint of ownNewerThan(call, listed, created.token)) {
		const isFitting = await isSubscribed(call, endpoint.events, created.events);
		if (isFitting !== false) return endpoint;
	}
	return undefined;
}
