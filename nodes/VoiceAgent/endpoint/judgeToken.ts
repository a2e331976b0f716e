import type { IWebhookFunctions } from 'n8n-workflow';

import { tokenOf } from '../api/callbackUrl';
import { readCredential } from '../api/credential';
import { mayBeAt } from './shownUrl';
import { stateOf } from './endpointState';
import { bindingOf, hashOf, isEqual, isNewer, isTokenOf } from './token';
import { listEndpoints, openTrigger } from './trigger';

/** When each trigger may next look up tokens at the service, by webhook URL (ms since the epoch). */
const nextLookUp = new Map<string, number>();

/** The least time between two look-ups of a trigger, because a wrong token causes one. */
const LOOK_UP_INTERVAL_MS = 1_000;

/** How long a delivery waits for a look-up. The service resends a delivery without an answer. */
const LOOK_UP_MS = 4_000;

/** Whether a token authenticates its delivery; `undecided` if no proof is available. */
type TokenVerdict = 'valid' | 'invalid' | 'undecided';

/**
 * Judges a token: by the stored hashes, which needs no credential; else by the API key; else by the
 * service's own list, because the API key may have been rotated.
 *
 * @param secrets gets the API key, if it was read
 * @throws NodeApiError if the list can't be read
 */
export async function judgeToken(context: IWebhookFunctions, token: string, secrets: string[]) {
	const state = stateOf(context);
	if (state.tokenHashes?.some((hash) => isEqual(hash, hashOf(token)))) return 'valid';

	const { apiKey } = await readCredential(context);
	secrets.push(apiKey);
	if (isTokenOf(apiKey, bindingOf(context), token)) return 'valid';
	// No look-up for a test listener: it is open for minutes, and n8n 1.x gives only the production URL here.
	if (context.getMode() === 'manual') return 'invalid';

	return await lookUp(context, token);
}

/** Judges a token by the service's own list, at most once a second for each trigger. */
async function lookUp(context: IWebhookFunctions, token: string): Promise<TokenVerdict> {
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const now = Date.now();
	if (now < (nextLookUp.get(webhookUrl) ?? 0)) return 'undecided';
	// No second look-up while this one runs.
	nextLookUp.set(webhookUrl, Infinity);
	const deadline = { endsAt: now + LOOK_UP_MS, timeout: LOOK_UP_MS - 500, once: true };
	const { endpoints, complete } = await openTrigger(context, deadline)
		.then(listEndpoints)
		.finally(() => nextLookUp.set(webhookUrl, now + LOOK_UP_INTERVAL_MS));
	const here = endpoints.filter(({ url }) => mayBeAt(url, webhookUrl));
	const tokens = here.map(({ url }) => tokenOf(url)).filter((listed) => listed !== undefined);
	storeListed(context, token, tokens);
	if (tokens.includes(token)) return 'valid';
	if (complete && tokens.length === here.length) return 'invalid';
	context.logger.warn(
		'Voice Agent Trigger cannot verify that a delivery is from the service: its API key has changed, and the list of webhooks hides tokens. Unpublish the workflow and publish it again.',
	);
	return 'undecided';
}

/**
 * Stores the hash of a listed token. If no hash is stored, the look-up of a wrong token stores that of the newest
 * listed one. Else wrong tokens could use up all look-ups.
 */
function storeListed(context: IWebhookFunctions, token: string, listed: string[]): void {
	const state = stateOf(context);
	const [newest] = listed.toSorted((one, other) => (isNewer(one, other) ? -1 : 1));
	const confirmed = listed.includes(token) || state.tokenHashes?.length ? token : newest;
	if (confirmed === undefined || !listed.includes(confirmed)) return;
	state.tokenHashes = [hashOf(confirmed)];
	// The stored signing secret is another endpoint's, and the list shows none.
	delete state.signingSecret;
}
