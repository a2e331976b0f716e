import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { isGone, statusOf } from '../service/errors';
import { request } from '../service/request';
import type { Deadline } from '../service/retry';
import type { CallContext } from './callContext';

/**
 * The answer to a DELETE. `removed`: success; `missing`: 404 or 410; `refused`: a refusal of another kind, as some
 * services answer for an unknown ID; `unclear`: no answer, a fault, or a refusal that is no proof, such as 403 or 409.
 */
export type RemovalAnswer = 'removed' | 'missing' | 'refused' | 'unclear';

/** Refusals that show nothing about the endpoint, or that it exists: not allowed, in conflict, locked, too early, … */
const NO_PROOF = [401, 403, 405, 408, 409, 412, 423, 425, 429];

/** Sends a DELETE, and classifies its answer. */
export async function deleteEndpoint(
	{ context }: Pick<CallContext, 'context'>,
	id: string,
	deadline: Deadline,
): Promise<{ answer: RemovalAnswer; error?: NodeApiError }> {
	try {
		const path = `/webhooks/${encodeURIComponent(id)}`;
		await request(context, { method: 'DELETE', path }, deadline);
		return { answer: 'removed' };
	} catch (cause) {
		const status = statusOf(cause) ?? 0;
		if (isGone(status)) return { answer: 'missing' };
		const error = new NodeApiError(context.getNode(), cause as JsonObject);
		context.logger.debug(`Voice Agent Trigger could not remove ${id} yet: ${error.message}`);
		const isUnclear = status === 0 || status >= 500 || NO_PROOF.includes(status);
		return { answer: isUnclear ? 'unclear' : 'refused', error };
	}
}
