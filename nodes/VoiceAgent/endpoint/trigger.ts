import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readCredential, type VoiceAgentCredential } from '../api/credential';
import { requestEndpoints } from '../answers/requestList';
import { lifecycleDeadline, type Deadline } from '../api/retry';
import { stateOf, type EndpointState } from './endpointState';
import { bindingOf } from './token';

/** A trigger at its service, with all that identifies its endpoints. */
export interface Trigger {
	context: IHookFunctions | IWebhookFunctions;
	credential: VoiceAgentCredential;
	/** This node's present production or test URL, without a token. */
	webhookUrl: string;
	/** The binding of its callback tokens, see {@link bindingOf}. */
	binding: string;
	/** The service, n8n and node of the trigger. */
	owner: string;
	/** The state stored before this call for the same owner; else empty. */
	known: EndpointState;
	/** The ID of the endpoint that this call has created. */
	createdId?: string;
	/** The deadline of all requests of the call. */
	deadline: Deadline;
}

/** The trigger's parameters that decide about its endpoint. */
export interface EndpointSettings {
	/** The selected event types; empty for every event type. */
	events: string[];
	verifySignature: boolean;
	/** Whether a test listener asks the service for a test event. */
	requestSample: boolean;
}

/**
 * Collects the credential, the webhook URL and the stored state for a call to the service.
 *
 * @param deadline by default that of a lifecycle call, which ends within ten seconds
 * @throws NodeOperationError if the credential is invalid
 */
export async function openTrigger(
	context: IHookFunctions | IWebhookFunctions,
	deadline = lifecycleDeadline(),
): Promise<Trigger> {
	const credential = await readCredential(context);
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const binding = bindingOf(context);
	const owner = [credential.baseUrl, context.getInstanceId(), binding].join(' ');
	const state = stateOf(context);
	const known = state.owner === owner ? { ...state } : {};
	return { context, credential, webhookUrl, binding, owner, known, deadline };
}

/**
 * Lists the endpoints of the workspace, without removed ones.
 *
 * @returns the endpoints, and whether the list is complete, as far as the service shows
 */
export async function listEndpoints({ context, deadline }: Trigger) {
	const { value, complete } = await requestEndpoints(context, () => deadline);
	if (!complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhooks: the service has more, but gives no link to them. An old webhook of this trigger may stay.',
		);
	}
	return { endpoints: value.filter(({ isRemoved }) => !isRemoved), complete };
}
