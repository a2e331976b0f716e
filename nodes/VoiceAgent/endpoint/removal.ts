import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { isGone, statusOf } from '../api/errors';
import type { Endpoint } from '../answers/records';
import { request } from '../api/request';
import type { Deadline } from '../api/retry';
import { ownershipOf } from './ownership';
import type { StoredEndpoint } from './state';
import { listEndpoints, type Trigger } from './trigger';

/** How long a list that still shows a removed endpoint has to catch up; then twice as long. */
const LIST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 2_000;

/**
 * What a DELETE was answered: success; 404 or 410; another refusal; or nothing about the endpoint: a
 * refusal for the state that it is in, or no answer at all.
 */
export type RemovalAnswer = 'removed' | 'missing' | 'refused' | 'unclear';

/** How the list shows an endpoint. */
export type Showing = 'enabled' | 'disabled' | 'absent';

/** The endpoint that `create` has registered, and how it finds one that another call registered later. */
export interface Registered {
	id: string;
	findNewer: (listed: Endpoint[]) => Promise<Endpoint | undefined>;
}

/** How often in a row a service must answer that a listed endpoint is gone: fewer may be chance. */
const GONE_IN_A_ROW = 3;

/**
 * The answers that prove a removal. A late list still shows what is gone. Some services keep it in
 * their list as disabled, and some refuse in many ways to remove it.
 */
const PROOF: Record<Showing, RemovalAnswer[]> = {
	enabled: ['missing'],
	disabled: ['missing', 'removed'],
	absent: ['missing', 'removed', 'refused'],
};

/**
 * Decides whether an endpoint counts as removed. A listed one may be gone, or be there where a proxy
 * answers in the service's place: `missing`, `missing`, `missing` → true; `removed`, `missing` → false.
 *
 * @param answers to the DELETEs of one call, the newest last
 */
export function countsAsRemoved(answers: RemovalAnswer[], showing: Showing): boolean {
	const needed = showing === 'absent' ? 1 : GONE_IN_A_ROW;
	const newest = answers.slice(-needed);
	return newest.length === needed && newest.every((answer) => PROOF[showing].includes(answer));
}

/**
 * Removes the own endpoints until the list shows none; with one that was just registered, none but the
 * newest.
 *
 * @returns the newer endpoint, if any, which has taken the place of the registered one; the record of
 *   the kept one; and the endpoints that are not listed, and whose removal was not confirmed
 * @throws NodeApiError where a listed one can't be removed, NodeOperationError where it was removed and
 *   stays listed, or where another call has removed the one to keep
 */
export async function removeOwn(
	trigger: Trigger,
	registered?: Registered,
): Promise<{ newer?: Endpoint; kept?: Endpoint; unconfirmed: StoredEndpoint[] }> {
	const { context, known, webhookUrl, deadline } = trigger;
	// The URLs of the own endpoints, by ID. A late list, or one of many pages, need not show them all.
	const own = new Map((known.endpoints ?? []).map(({ id, url }) => [id, url]));
	const answers = new Map<string, RemovalAnswer[]>();
	let refusal: NodeApiError | undefined;
	let wasKeptListed = false;
	let lateRounds = 0;
	for (let round = 0; ; round++) {
		const { endpoints } = await listEndpoints(trigger);
		const newer = await registered?.findNewer(endpoints);
		if (registered && newer) own.set(registered.id, webhookUrl);
		for (const endpoint of endpoints) {
			if (!ownershipOf(trigger, endpoint)) own.delete(endpoint.id);
			else if (!own.has(endpoint.id)) own.set(endpoint.id, webhookUrl);
		}
		const keptId = newer?.id ?? registered?.id ?? '';
		own.delete(keptId);
		const kept = endpoints.find(({ id }) => id === keptId);
		if (wasKeptListed && !kept) {
			throw new NodeOperationError(
				context.getNode(),
				'Another publish or unpublish removed this webhook. Publish again.',
			);
		}
		wasKeptListed = kept !== undefined;

		const showingOf = (id: string): Showing => {
			const endpoint = endpoints.find((one) => one.id === id);
			return !endpoint ? 'absent' : endpoint.isDisabled ? 'disabled' : 'enabled';
		};
		const left = [...own].filter(([id]) => !countsAsRemoved(answers.get(id) ?? [], showingOf(id)));
		const pending = left
			.map(([id]) => id)
			// An unlisted one is tried once: the next call tries it again.
			.filter((id) => showingOf(id) !== 'absent' || !answers.has(id));
		if (pending.length === 0) {
			return { newer, kept, unconfirmed: left.map(([id, url]) => ({ id, url })) };
		}
		if (round > 0) {
			const delay = Math.min(LIST_DELAY_MS * 2 ** (round - 1), LONGEST_DELAY_MS);
			const isLate = Date.now() + delay >= deadline.until;
			// With no time to wait for the list, its proof is asked for at once.
			if (!isLate) await sleep(delay);
			else if (lateRounds++ === GONE_IN_A_ROW) {
				const said = `The service still lists removed webhooks of this trigger: ${pending.join(', ')}. Try again later, or delete them with the Voice Agent node.`;
				throw refusal ?? new NodeOperationError(context.getNode(), said);
			}
		}
		for (const id of pending) {
			const isListed = showingOf(id) !== 'absent';
			const once = !isListed;
			const { answer, error } = await removeEndpoint(trigger, id, { ...deadline, once });
			if (isListed && error && saysNothing(error)) throw error;
			refusal = error ?? refusal;
			// What the service never had may be another workspace's: its token is good no longer.
			if (answer === 'missing' && !isListed) known.tokenHashes = undefined;
			answers.set(id, [...(answers.get(id) ?? []), answer]);
		}
	}
}

/** Sends a DELETE, and reads what its answer shows. */
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
		// Only what is there is refused for its state: not allowed, in conflict, locked, too early.
		const isForState = [405, 409, 412, 423, 425].includes(status ?? 0);
		return { answer: isForState || saysNothing(error) ? 'unclear' : 'refused', error };
	}
}

/** Whether a failed removal shows nothing of its endpoint: no answer, no permission, a fault. */
function saysNothing(error: unknown): boolean {
	const status = statusOf(error) ?? 0;
	return status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);
}
