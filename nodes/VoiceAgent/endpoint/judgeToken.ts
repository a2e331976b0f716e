import type { IWebhookFunctions } from 'n8n-workflow';

import { tokenOf } from '../api/callbackUrl';
import { readCredential } from '../api/request';
import { mayBeAt } from './ownership';
import { stateOf } from './state';
import { isEqual } from '../api/isEqual';
import { bindingOf, hashOf, isNewer, isTokenOf } from './token';
import { listEndpoints, openTrigger } from './trigger';

/** When each trigger may next look up its tokens at the service (ms since the epoch). */
const nextLookUp = new Map<string, number>();

/** How far apart the look-ups of a trigger are, so that strangers can't cause many. */
const LOOK_UP_INTERVAL_MS = 1_000;

/** How long a delivery waits for a look-up: it can come again. */
const LOOK_UP_MS = 4_000;

/** Whether a token is the service's; undecided while neither is certain. */
export type TokenVerdict = 'valid' | 'invalid' | 'undecided';

/**
 * Judges a token: by the stored hashes, without reading the credential; else by the API key; else, for
 * when the key was rotated, by the service's own list.
 *
 * @param secrets gets the API key, where it was read
 * @throws NodeApiError where the list can't be read
 */
export async function judgeToken(
	context: IWebhookFunctions,
	token: string,
	secrets: string[],
): Promise<TokenVerdict> {
	const state = stateOf(context.getWorkflowStaticData('node'));
	if (state.tokenHashes?.some((hash) => isEqual(hash, hashOf(token)))) return 'valid';

	const { apiKey } = await readCredential(context);
	secrets.push(apiKey);
	if (isTokenOf(apiKey, bindingOf(context), token)) return 'valid';
	// A listener is open for minutes, and here n8n 1.x gives the production URL alone.
	if (context.getMode() === 'manual') return 'invalid';

	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const now = Date.now();
	if (now < (nextLookUp.get(webhookUrl) ?? 0)) return 'undecided';
	// None beside this one, however long it takes.
	nextLookUp.set(webhookUrl, Infinity);
	const { tokens, areAll } = await lookUpTokens(context).finally(() =>
		nextLookUp.set(webhookUrl, now + LOOK_UP_INTERVAL_MS),
	);
	const isListed = tokens.includes(token);
	// Also at a stranger's request, so that strangers who keep coming can't use up all look-ups.
	const learnt = isListed || state.tokenHashes?.length ? token : tokens[0];
	if (learnt !== undefined && tokens.includes(learnt)) {
		state.tokenHashes = [hashOf(learnt)];
		// The list shows no signing secret, and the stored one was another endpoint's.
		delete state.signingSecret;
	}
	if (isListed || areAll) return isListed ? 'valid' : 'invalid';
	context.logger.warn(
		'Voice Agent Trigger cannot tell whether a delivery is from the service: its API key has changed, and the list of webhooks does not show all of their tokens. Unpublish the workflow and publish it again.',
	);
	return 'undecided';
}

/**
 * Looks up the tokens of the webhook URL at the service, with one try.
 *
 * @returns the tokens that the list shows, the newest first, and whether that is all of them
 */
async function lookUpTokens(
	context: IWebhookFunctions,
): Promise<{ tokens: string[]; areAll: boolean }> {
	const deadline = { until: Date.now() + LOOK_UP_MS, timeout: LOOK_UP_MS - 500, once: true };
	const trigger = await openTrigger(context, deadline);
	const { endpoints, complete } = await listEndpoints(trigger);
	const here = endpoints.filter(({ url }) => mayBeAt(url, trigger.webhookUrl));
	const tokens = here.map(({ url }) => tokenOf(url)).filter((token) => token !== undefined);
	return {
		tokens: tokens.sort((one, other) => (isNewer(one, other) ? -1 : 1)),
		areAll: complete && tokens.length === here.length,
	};
}
