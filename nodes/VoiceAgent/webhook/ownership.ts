import { isSameAddress, tokenOf, workflowIdOf } from '../auth/callbackUrl';
import { isTokenOf, madeAt } from '../auth/token';
import type { Endpoint } from '../lists/records';
import type { CallContext } from './callContext';

/** A test listener of n8n is open for at most 10 minutes. An older endpoint belongs to no listener. */
const LISTENER_MS = 12 * 60_000;

/** Why an endpoint is own: it is at the present URL, at a stored former URL, or of a stale test listener. */
export type Ownership = 'present' | 'former' | 'listener';

/**
 * Decides whether an endpoint is own, by the rules in docs/architecture.md. Nothing else that the list shows is ever
 * removed.
 */
export function ownershipOf(
	call: CallContext,
	{ id, url }: Pick<Endpoint, 'id' | 'url'>,
): Ownership | undefined {
	const { credential, testBinding, webhookUrl, known } = call;
	if (call.kind === 'unpublish' && namesAnother(call, url)) return undefined;
	if (isSameAddress(url, webhookUrl)) return 'present';
	const stored = known.endpoints?.find((one) => one.id === id);
	if (stored && (url === '' || isSameAddress(url, stored.url))) {
		return isSameAddress(stored.url, webhookUrl) ? 'present' : 'former';
	}
	const token = tokenOf(url);
	const isStale = token !== undefined && madeAt(token) + LISTENER_MS < Date.now();
	return isStale && isTokenOf(credential.apiKey, testBinding, token) ? 'listener' : undefined;
}

/** Two workflows can share a path: n8n publishes one of them, and calls `delete` of the other one as well. */
function namesAnother({ context }: CallContext, url: string): boolean {
	const named = workflowIdOf(url);
	return named !== undefined && named !== context.getWorkflow().id;
}
