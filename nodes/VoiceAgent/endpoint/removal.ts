import { NodeApiError, type JsonObject } from 'n8n-workflow';

import type { Endpoint } from '../answers/records';
import { statusOf } from '../api/errors';
import { request } from '../api/request';
import type { Deadline } from '../api/retry';
import type { Trigger } from './trigger';

/** The answer to a DELETE: success, "no such endpoint", a refusal as invalid, or one that proves nothing. */
export type RemovalAnswer = 'removed' | 'missing' | 'refused' | 'unclear';

/** The answers of other statuses are `unclear`, such as 403 or 409. A 200 may report an error in its body. */
const REMOVAL_FAILURES: Record<number, RemovalAnswer> = {
	200: 'refused',
	400: 'refused',
	404: 'missing',
	410: 'missing',
	422: 'refused',
};

/** How many answers in a row prove that a listed endpoint is removed. Fewer may come from a proxy. */
const PROOFS_IN_A_ROW = 3;

/**
 * Decides whether an endpoint counts as removed. An endpoint that the list lacks needs one answer: some
 * services refuse a second removal. A listed one needs several: `missing`, `missing`, `missing` → true;
 * `removed`, `missing` → false. Some services keep a removed endpoint in their list as disabled.
 *
 * @param answers the answers to the DELETEs of one call, the newest last
 * @param listed the endpoint in the list; undefined if the list lacks it
 */
export function countsAsRemoved(
	answers: RemovalAnswer[],
	listed: Pick<Endpoint, 'isDisabled'> | undefined,
): boolean {
	if (!listed) return answers.length > 0 && answers.at(-1) !== 'unclear';
	const proofs = listed.isDisabled ? ['missing', 'removed'] : ['missing'];
	const newest = answers.slice(-PROOFS_IN_A_ROW);
	return newest.length === PROOFS_IN_A_ROW && newest.every((answer) => proofs.includes(answer));
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
		const answer = REMOVAL_FAILURES[statusOf(cause) ?? 0] ?? 'unclear';
		if (answer === 'missing') return { answer };
		const error = new NodeApiError(context.getNode(), cause as JsonObject);
		context.logger.debug(`Voice Agent Trigger could not remove ${id} yet: ${error.message}`);
		return { answer, error };
	}
}
