import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { isGone, statusOf } from '../service/errors';
import { request } from '../service/request';
import type { Deadline } from '../service/retry';
import type { CallContext } from './callContext';

/**
 * The answer to a DELETE. `removed`: success; `missing`: 404 or 410; `kept`: a refusal that shows that the endpoint
 * exists, such as 409; `refused`: one of another kind, as some services answer for an unknown ID; `unclear`: no answer, a
 * fault, or no permission.
 */
export type RemovalAnswer = 'removed' | 'missing' | 'kept' | 'refused' | 'unclear';

/** Refusals for the state of an endpoint: not allowed, in conflict, locked, too early, … */
const FOR_STATE = [405, 409, 412, 423, 425];
/** Refusals that show nothing about it. */
const NO_PROOF = [401, 403, 408, 429];

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
		if (isUnclear) return { answer: 'unclear', error };
		return { answer: FOR_STATE.includes(status) ? 'kept' : 'refused', error };
	}
}
