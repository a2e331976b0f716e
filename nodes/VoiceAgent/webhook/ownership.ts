import { isSameAddress, mayBeAt, tokenOf, workflowIdOf } from '../auth/callbackUrl';
import type { Endpoint } from '../lists/records';
import { isNewer, isTokenOf, madeAt } from '../auth/token';
import type { CallContext } from './callContext';

/** A test listener of n8n is open for at most 10 minutes. An older endpoint belongs to no listener. */
const LISTENER_MS = 12 * 60_000;

/** How far the clocks of two processes, or of n8n and the service, may differ. */
export const CLOCKS_APART_MS = 60_000;

/** Why an endpoint is own: it is at the present URL, at a stored former URL, or of a stale test listener. */
export type Ownership = 'present' | 'former' | 'listener';

/**
 * Decides whether an endpoint is own, by the rules in docs/architecture.md. Nothing else is ever removed.
 */
export function ownershipOf(
	call: CallContext,
	{ id, url }: Pick<Endpoint, 'id' | 'url'>,
): Ownership | undefined {
	const { credential, testBinding, webhookUrl, known } = call;
	if (call.isUnpublish && namesAnother(call, url)) return undefined;
	if (isSameAddress(url, webhookUrl)) return 'present';
	const stored = known.endpoints?.find((one) => one.id === id);
	if (stored && mayBeAt(url, stored.url)) {
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

/** Finds the enabled own endpoints that concurrent calls have created after a token, the newest first. */
export function ownNewerThan(call: CallContext, listed: Endpoint[], token: string): Endpoint[] {
	const { credential, binding, known } = call;
	// A clock that was wrong once must not make an endpoint the newest for ever.
	const latest = Date.now() + CLOCKS_APART_MS;
	return listed
		.map((endpoint) => ({ endpoint, other: tokenOf(endpoint.url) ?? '' }))
		.filter(
			({ endpoint, other }) =>
				isNewer(other, token) &&
				madeAt(other) < latest &&
				isTokenOf(credential.apiKey, binding, other) &&
				!endpoint.isDisabled &&
				ownershipOf(call, endpoint) === 'present' &&
				// An endpoint from before this call is not newer, even if the clock was set back.
				!known.endpoints?.some(({ id }) => id === endpoint.id),
		)
		.sort((a, b) => (isNewer(a.other, b.other) ? -1 : 1))
		.map(({ endpoint }) => endpoint);
}
