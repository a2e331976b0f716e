import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { pathOf } from '../transport/callbackUrl';
import type { VoiceAgentCredential } from '../transport/credential';
import { readCredential } from '../transport/request';
import type { Patience } from '../transport/retry';
import { stateOf, type EndpointState } from './state';
import { bindingOf } from './token';

/** One trigger at one service, and all that its endpoints are told by. */
export interface Trigger<Context = IHookFunctions> {
	context: Context;
	credential: VoiceAgentCredential;
	/** This node's production or test URL, without a token. */
	webhookUrl: string;
	/** That URL, and the one that it had when the endpoint was last written down. */
	addresses: string[];
	/** What its tokens are bound to. */
	binding: string;
	/** The static data as far as it was written for this service, address and n8n; else empty. */
	known: EndpointState;
	/** For each request, or one for all of them. */
	patience: () => Patience;
}

/** @throws NodeOperationError where the credential can't be right */
export async function openTrigger<Context extends IHookFunctions | IWebhookFunctions>(
	context: Context,
	patience: () => Patience,
): Promise<Trigger<Context>> {
	const credential = await readCredential(context);
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const state = stateOf(context.getWorkflowStaticData('node'));
	// Static data travels with exported and copied workflows: another's endpoint is not ours.
	const isOwn =
		state.baseUrl === credential.baseUrl &&
		state.instanceId === context.getInstanceId() &&
		tailOf(state.webhookUrl ?? '') === tailOf(webhookUrl);
	const known = isOwn ? state : {};
	const addresses = [webhookUrl, known.webhookUrl ?? webhookUrl];
	const binding = bindingOf(context);
	return { context, credential, webhookUrl, addresses, binding, known, patience };
}

/** What n8n makes of a webhook URL's path, whatever host and prefix lead to it: `webhook/ID/webhook`. */
const tailOf = (url: string) => pathOf(url).split('/').slice(-3).join('/');

/** Writes down what holds from now on. Without a token, only the hashes of old ones stay. */
export function remember(
	{ context, credential, webhookUrl, known }: Trigger,
	tokenHash: string | undefined,
	{ endpointIds, mustCreate, events, catalog, signingSecret }: EndpointState,
): void {
	const credentialId = context.getNode().credentials?.voiceAgentApi?.id ?? undefined;
	const before = known.credentialId === credentialId ? (known.tokenHashes ?? []) : [];
	const tokenHashes = [...new Set([tokenHash, ...before])].filter((hash) => hash !== undefined);
	const state: Required<{ [Key in keyof EndpointState]: unknown }> = {
		baseUrl: credential.baseUrl,
		webhookUrl,
		instanceId: context.getInstanceId(),
		credentialId,
		endpointIds,
		mustCreate,
		events,
		catalog,
		tokenHashes: tokenHashes.slice(0, 2),
		signingSecret,
	};
	Object.assign(stateOf(context.getWorkflowStaticData('node')), state);
}
