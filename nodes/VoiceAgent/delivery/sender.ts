import type {
	FunctionsBase,
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import {
	asToken,
	TOKEN_PARAMETER,
	bindingOf,
	hashOf,
	isEqual,
	isTokenOf,
	bindingOfResults,
	RESULTS_HEADER,
} from '../auth/token';
import type { Delivery } from './decide';
import { readCredential } from '../service/credential';
import { memoryOf } from '../state/triggerMemory';
import {
	addTokenHash,
	presentEndpoint,
	stateOf,
	addSettled,
	type PollResults,
} from '../state/triggerState';
import { readText } from '../text/json';
import { isPasted } from '../trigger/webhookProperties';

const CREDENTIAL = 'voiceAgentWebhookApi';

/**
 * Reads the secret that deliveries to a pasted webhook must carry.
 *
 * @returns undefined without a credential: then the URL is the secret
 * @throws NodeOperationError if the credential can't be read
 */
export async function readPastedSecret(context: FunctionsBase): Promise<string | undefined> {
	if (!context.getNode().credentials?.[CREDENTIAL]) return undefined;
	return readText((await context.getCredentials(CREDENTIAL)).secret);
}

/**
 * Identifies the sender of a request by the callback token in its URL: its hash is stored, which needs no credential,
 * or the API key proves it. A pasted webhook has no token: its URL is the secret, or each delivery carries one, which
 * `decide` verifies.
 *
 * @returns the token, undefined for a pasted webhook; a status for a request without a valid token: 401; 503 while no
 *   hash is stored, since the API key may have been rotated: a poll then replaces the webhook
 * @throws NodeOperationError if the credential can't be read
 */
export async function identifySender(context: IWebhookFunctions) {
	if (isPasted(context)) return undefined;
	const token = asToken((context.getQueryData() as IDataObject)[TOKEN_PARAMETER]);
	if (token === undefined) return 401;
	const hash = hashOf(token);
	const { tokenHashes = [] } = stateOf(context);
	if (tokenHashes.some((stored) => isEqual(stored, hash))) return token;
	const { apiKey } = await readCredential(context);
	if (isTokenOf(apiKey, bindingOfDelivery(context), token)) return token;
	if (tokenHashes.length > 0 || context.getMode() === 'manual') return 401;
	// n8n has lost what was stored. This process may know it.
	const known = memoryOf(context).state.tokenHashes ?? [];
	return known.some((one) => isEqual(one, hash)) ? token : 503;
}

function bindingOfDelivery(context: IWebhookFunctions): string {
	const mode = context.getMode() === 'manual' ? 'test' : 'production';
	return bindingOf(mode, context.getWorkflow().id, context.getNodeWebhookUrl('default'));
}

/**
 * Stores the hash of a token whose delivery was accepted, unless it is stored, so that it stays valid if the API key is
 * rotated. The hash of the token before stays, whose deliveries may still be resent.
 */
export function storeToken(context: IWebhookFunctions, token: string): void {
	const state = stateOf(context);
	const hash = hashOf(token);
	// n8n may be about to store the state of `create`, whose token proves itself.
	if (!presentEndpoint(state) || state.tokenHashes?.includes(hash)) return;
	addTokenHash(state, hash);
	memoryOf(context).state.tokenHashes = state.tokenHashes;
}

/**
 * Stores what a poll has sent to its own webhook: see `poll/sendResults.ts`. It starts nothing.
 *
 * @returns the answer; undefined for a delivery of the service
 */
export async function storeResults(
	context: IWebhookFunctions,
	{ headers, rawBody, body }: Delivery,
): Promise<IWebhookResponseData | undefined> {
	const proof = asToken(headers[RESULTS_HEADER]);
	if (proof === undefined || context.getMode() === 'manual') return undefined;
	const { apiKey } = await readCredential(context);
	if (!isTokenOf(apiKey, bindingOfResults(rawBody.toString()), proof)) return undefined;
	const { settled, replaced, tokenHash } = body as PollResults;
	const state = stateOf(context);
	const present = presentEndpoint(state);
	// An unpublish has removed what the poll had. A state that n8n has lost is none.
	if (!state.removal) addSettled(state, settled);
	if (!state.removal && !state.tokenHashes) addTokenHash(state, tokenHash);
	if (present && replaced?.formerIds.includes(present.id)) {
		state.endpoints = [...state.endpoints!.slice(0, -1), replaced.endpoint];
		state.owner = replaced.owner;
		addTokenHash(state, tokenHash);
	}
	return { webhookResponse: { stored: settled.length } };
}
