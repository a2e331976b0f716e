import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { VoiceAgentCredential } from '../api/credential';
import { readEndpoint, type Endpoint } from '../answers/records';
import { requestList } from '../answers/requestList';
import { readCredential } from '../api/request';
import { lifecycleDeadline, type Deadline } from '../api/retry';
import { stateOf, type EndpointState } from './state';
import { bindingOf } from './token';

/** A trigger at its service, with everything that identifies its endpoints. */
export interface Trigger<Context = IHookFunctions> {
	context: Context;
	credential: VoiceAgentCredential;
	/** This node's present production or test URL, without a token. */
	webhookUrl: string;
	/** What its tokens are bound to. */
	binding: string;
	/** What was stored before this call for the same service, n8n and node; else empty. */
	known: EndpointState;
	/** One for all requests of the call. */
	deadline: Deadline;
}

/** The trigger's parameters that decide about its endpoint. */
export interface EndpointSettings {
	/** The selected event types; empty for every event type. */
	events: string[];
	verification: { scheme: string };
	/** Whether the service is asked for a test event while the user builds the workflow. */
	requestSample: boolean;
}

/**
 * Opens a trigger for a call to its service.
 *
 * @param deadline by default that of a lifecycle call, which ends within ten seconds
 * @throws NodeOperationError where the credential can't be right
 */
export async function openTrigger<Context extends IHookFunctions | IWebhookFunctions>(
	context: Context,
	deadline = lifecycleDeadline(),
): Promise<Trigger<Context>> {
	const credential = await readCredential(context);
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const binding = bindingOf(context);
	const state = stateOf(context.getWorkflowStaticData('node'));
	// Static data travels with exported and copied workflows.
	const isOwn =
		state.baseUrl === credential.baseUrl &&
		state.instanceId === context.getInstanceId() &&
		state.binding === binding;
	return { context, credential, webhookUrl, binding, known: isOwn ? { ...state } : {}, deadline };
}

/**
 * Lists the endpoints of the workspace that are not removed.
 *
 * @returns also whether that is all of them, as far as the service shows
 */
export async function listEndpoints({
	context,
	deadline,
}: Trigger<IHookFunctions | IWebhookFunctions>): Promise<{
	endpoints: Endpoint[];
	complete: boolean;
}> {
	const list = await requestList(context, '/webhooks', 'webhooks', () => deadline);
	if (!list.complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhooks: the service says that there are more, but not how to get them. An old webhook of this trigger among them would stay.',
		);
	}
	const endpoints = list.entries
		.map(readEndpoint)
		.filter((endpoint) => endpoint !== undefined && !endpoint.isRemoved);
	return { endpoints: endpoints as Endpoint[], complete: list.complete };
}

/** Stores what holds from now on. Without a token's hash, only those of older tokens stay. */
export function remember(
	{ context, credential, binding, known }: Trigger,
	{ endpoints, mustCreate, events, catalog, signingSecret }: EndpointState,
	tokenHash?: string,
): void {
	const hashes = new Set([tokenHash, ...(known.tokenHashes ?? [])]);
	const state: Required<{ [Key in keyof EndpointState]: unknown }> = {
		baseUrl: credential.baseUrl,
		instanceId: context.getInstanceId(),
		binding,
		endpoints,
		mustCreate,
		events,
		catalog,
		tokenHashes: [...hashes].filter((hash) => hash !== undefined).slice(0, 2),
		signingSecret,
	};
	Object.assign(stateOf(context.getWorkflowStaticData('node')), state);
}
