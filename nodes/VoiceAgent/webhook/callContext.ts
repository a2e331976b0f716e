import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readCredential, type VoiceAgentCredential } from '../service/credential';
import { requestEndpoints } from '../lists/requestList';
import { lifecycleDeadline, type CallDeadline } from '../service/retry';
import { stateOf, type EndpointState } from '../state/endpointState';
import { bindingOf } from '../auth/token';
import { noteListed, noteState } from '../state/triggerMemory';

/** The context of one call of n8n that may send requests: all that identifies the endpoints of its trigger. */
export interface CallContext {
	/** n8n's own. */
	context: IHookFunctions | IWebhookFunctions | IPollFunctions;
	credential: VoiceAgentCredential;
	/** This node's present production or test URL, without a token. */
	webhookUrl: string;
	/** The bindings of its callback tokens, see {@link bindingOf}: at this URL, and at its test URL. */
	binding: string;
	testBinding: string;
	/** The service, n8n and node of the trigger. */
	owner: string;
	/** The state where changes are written: n8n's static data, or in a poll this process's memory. */
	state: EndpointState;
	/** Notes a change of that state for the polls of this process; a poll has nothing to note. */
	noteChange?: () => void;
	/** The state stored before this call for the same owner; else empty. */
	known: EndpointState;
	/** Whether n8n removes the trigger, so that no endpoint is to stay. */
	isUnpublish?: boolean;
	/** The ID of the endpoint that this call has created. */
	createdId?: string;
	/** The deadline of all requests of the call. */
	deadline: CallDeadline;
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
export async function readContext(
	context: IHookFunctions | IWebhookFunctions,
	deadline = lifecycleDeadline(),
): Promise<CallContext> {
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const state = stateOf(context);
	const noteChange = () => noteState(context, webhookUrl, state);
	return await withCredential({ context, webhookUrl, state, noteChange, deadline });
}

type Opened = Pick<CallContext, 'context' | 'webhookUrl' | 'state' | 'noteChange' | 'deadline'>;

/** Completes the context of a call, as {@link readContext}. A poll has the state from this process's memory. */
export async function withCredential(opened: Opened): Promise<CallContext> {
	const { context, webhookUrl, state } = opened;
	const credential = await readCredential(context);
	const { id = '' } = context.getWorkflow();
	const testBinding = bindingOf('test', id, webhookUrl);
	const isTest = context.getMode() === 'manual';
	const binding = isTest ? testBinding : bindingOf('production', id, webhookUrl);
	const owner = [credential.baseUrl, context.getInstanceId(), binding].join(' ');
	const known = state.owner === owner ? { ...state } : {};
	return { ...opened, credential, binding, testBinding, owner, known };
}

/**
 * Lists the endpoints of the workspace, without removed ones.
 *
 * @returns the endpoints, and whether the list is complete, as far as the service shows
 */
export async function listEndpoints({ context, deadline }: CallContext) {
	const { value, complete } = await requestEndpoints(context, deadline);
	if (!complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhooks: the service has more, but gives no link to them. An old webhook of this trigger may stay.',
		);
	}
	const endpoints = value.filter(({ isRemoved }) => !isRemoved);
	noteListed(context, endpoints);
	return { value: endpoints, complete };
}

/**
 * Writes the new state. Without a new token's hash, only the hashes of older tokens stay.
 */
export function remember(
	{ owner, state, noteChange, known }: CallContext,
	{ endpoints, removal, events, catalog, signingSecret }: EndpointState,
	tokenHash?: string,
): void {
	const hashes = new Set([tokenHash, ...(known.tokenHashes ?? [])]);
	Object.assign(state, {
		owner,
		endpoints,
		removal,
		events,
		catalog,
		tokenHashes: [...hashes].filter((hash) => hash !== undefined).slice(0, 2),
		signingSecret,
	});
	noteChange?.();
}

/** Stores that the endpoint is about to be removed: no later call adopts it, and no poll reads its log. */
export function markRemoval({ state, noteChange }: CallContext): void {
	state.removal = 'begun';
	noteChange?.();
}
