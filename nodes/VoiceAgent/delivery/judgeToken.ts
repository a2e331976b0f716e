import type { IWebhookFunctions } from 'n8n-workflow';

import { bindingOf, hashOf, isEqual, isTokenOf } from '../auth/token';
import { readCredential } from '../service/credential';
import { memoryOf } from '../state/triggerMemory';
import { presentEndpoint, stateOf } from '../state/triggerState';

/**
 * Whether a token authenticates its delivery: its hash is `stored`, or it is `proved` by the API key; or it is
 * `invalid`; `undecided` while nothing is stored, since the API key may have been rotated: a poll then replaces the
 * webhook.
 */
export type TokenVerdict = 'stored' | 'proved' | 'invalid' | 'undecided';

/**
 * Judges a token: by the stored hashes, which needs no credential; else by the API key.
 *
 * @throws NodeOperationError if the credential can't be read
 */
export async function judgeToken(context: IWebhookFunctions, token: string): Promise<TokenVerdict> {
	const hash = hashOf(token);
	const { tokenHashes = [] } = stateOf(context);
	if (tokenHashes.some((stored) => isEqual(stored, hash))) return 'stored';
	const { apiKey } = await readCredential(context);
	if (isTokenOf(apiKey, bindingOfDelivery(context), token)) return 'proved';
	return tokenHashes.length > 0 || context.getMode() === 'manual' ? 'invalid' : 'undecided';
}

function bindingOfDelivery(context: IWebhookFunctions): string {
	const mode = context.getMode() === 'manual' ? 'test' : 'production';
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	return bindingOf(mode, `${context.getWorkflow().id}`, webhookUrl);
}

/**
 * Stores the hash of a token whose delivery was accepted, so that it stays valid if the API key is rotated. The
 * hash of the token before stays, whose deliveries may still be resent.
 */
export function storeToken(context: IWebhookFunctions, token: string, verdict: TokenVerdict): void {
	const state = stateOf(context);
	if (verdict !== 'proved' || context.getMode() === 'manual') return;
	// n8n may be about to store the state of `create`, whose token proves itself.
	if (!presentEndpoint(state)) return;
	state.tokenHashes = [hashOf(token), ...(state.tokenHashes ?? [])].slice(0, 2);
	memoryOf(context).state.tokenHashes = state.tokenHashes;
}
