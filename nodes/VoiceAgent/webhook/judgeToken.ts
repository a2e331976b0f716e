import type { IWebhookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { mayBeAt, tokenOf } from '../auth/callbackUrl';
import { presentEndpoint, stateOf } from '../state/endpointState';
import { listShared } from './sharedList';
import { hashOf, isEqual, isTokenOf } from '../auth/token';
import { readContext, type CallContext } from './callContext';
import { memoryOf } from '../state/triggerMemory';

/** How long a delivery waits for a look-up. The service resends a delivery without an answer. */
const LOOK_UP_MS = 4_000;
/** How long its request may take: the rest is for the answer. */
const LOOK_UP_REQUEST_MS = 3_500;

/**
 * Whether a token authenticates its delivery: its hash is `stored`, it is `proved` by the API key, or `listed` by
 * the service; or it is `invalid`; `undecided` if no proof is available.
 */
export type TokenVerdict = 'stored' | 'proved' | 'listed' | 'invalid' | 'undecided';

/**
 * Judges a token: by the stored hashes, which needs no credential; else by the API key; else by the
 * service's own list, because the API key may have been rotated.
 *
 * @throws NodeApiError if the list can't be read
 */
export async function judgeToken(context: IWebhookFunctions, token: string): Promise<TokenVerdict> {
	const hash = hashOf(token);
	const { tokenHashes = [] } = stateOf(context);
	if (tokenHashes.some((stored) => isEqual(stored, hash))) return 'stored';

	const deadline = { endsAt: Date.now() + LOOK_UP_MS, timeout: LOOK_UP_REQUEST_MS, once: true };
	const call = await readContext(context, deadline);
	if (isTokenOf(call.credential.apiKey, call.binding, token)) return 'proved';
	// No look-up for a test listener: it is open for minutes, and n8n 1.x gives only the production URL here.
	if (context.getMode() === 'manual') return 'invalid';

	return await lookUp(call, token);
}

/**
 * Stores the hash of a token whose delivery was accepted, so that it stays valid if the API key is rotated. The
 * hash of the token before stays, whose deliveries may still be resent.
 */
export function storeToken(context: IWebhookFunctions, token: string, verdict: TokenVerdict): void {
	const state = stateOf(context);
	if (verdict === 'stored' || context.getMode() === 'manual') return;
	// n8n may be about to store the state of `create`, whose token proves itself.
	if (verdict === 'proved' && !presentEndpoint(state)) return;
	state.tokenHashes = [hashOf(token), ...(state.tokenHashes ?? [])].slice(0, 2);
	const memory = memoryOf(context);
	if (memory) memory.state.tokenHashes = state.tokenHashes;
}

/**
 * Judges a token by the service's own list: by the endpoint whose ID is stored, or if none of the stored ones is
 * listed, by the only endpoint at this node's URL. Whoever may create endpoints could add others.
 */
async function lookUp(call: CallContext, token: string): Promise<TokenVerdict> {
	const { context, webhookUrl, known } = call;
	const list = await listShared(call);
	const here = list.value.filter(({ url }) => mayBeAt(url, webhookUrl));
	const stored = here.filter(({ id }) => known.endpoints?.some((one) => one.id === id));
	const isToken = ({ url }: Endpoint) => isEqual(tokenOf(url) ?? '', token);
	const trusted = stored.length > 0 || here.length > 1 ? stored : here;
	if (trusted.some(isToken)) return 'listed';
	const isSure = list.complete && here.every(({ url }) => tokenOf(url)) && !here.some(isToken);
	if (list.isCurrent && isSure) return 'invalid';
	if (list.isCurrent) {
		context.logger.warn(
			'Voice Agent Trigger cannot verify that a delivery is from the service: its API key has changed, and the list of webhooks does not confirm the token. Unpublish the workflow and publish it again.',
		);
	}
	return 'undecided';
}
