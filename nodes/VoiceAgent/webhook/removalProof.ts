import { NodeApiError, type JsonObject } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { isGone, statusOf } from '../service/errors';
import { request } from '../service/request';
import type { Deadline } from '../service/retry';
import type { CallContext } from './callContext';

/**
 * The answer to a DELETE. `removed`: success; `missing`: 404 or 410; `unclear`: no answer, a fault, or a
 * refusal that is no proof, such as 403 or 409; `refused`: any other refusal.
 */
export type RemovalAnswer = 'removed' | 'missing' | 'refused' | 'unclear';

/** The state of an endpoint in the list. */
export type Showing = 'enabled' | 'disabled' | 'absent';

/** How many answers in a row prove that a listed endpoint is removed. Fewer may come from a proxy. */
export const PROOFS_IN_A_ROW = 3;

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

/** @returns the state of an endpoint in a list */
export function showingIn(endpoints: Endpoint[], id: string): Showing {
	const endpoint = endpoints.find((one) => one.id === id);
	if (!endpoint) return 'absent';
	return endpoint.isDisabled ? 'disabled' : 'enabled';
}

/** Sends a DELETE, and classifies its answer. */
export async function removeEndpoint(
	{ context }: CallContext,
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
export function isInconclusive(error: unknown): boolean {
	const status = statusOf(error) ?? 0;
	return status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);
}
