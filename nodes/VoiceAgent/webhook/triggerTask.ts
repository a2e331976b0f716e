import {
	type IHookFunctions,
	type IPollFunctions,
	NodeApiError,
	type JsonObject,
} from 'n8n-workflow';

import { bindingOf } from '../auth/token';
import type { Endpoint } from '../lists/records';
import { requestEndpoints } from '../lists/requestList';
import { readCredential, type VoiceAgentCredential } from '../service/credential';
import { isGone, statusOf } from '../service/errors';
import { request } from '../service/request';
import { lifecycleDeadline, type TaskDeadline, type Deadline } from '../service/retry';
import { memoryOf, noteState } from '../state/triggerMemory';
import { addTokenHash, stateOf, type TriggerState } from '../state/triggerState';

/** What n8n calls the trigger for, with all that identifies the endpoints of the trigger. */
export interface TriggerTask {
	/** To `publish` or `unpublish` it, to open or close the listener of a `test` execution, or to `poll`. */
	kind: 'publish' | 'unpublish' | 'test' | 'poll';
	/** n8n's own. */
	context: IHookFunctions | IPollFunctions;
	credential: VoiceAgentCredential;
	/** This node's present production or test URL, without a token. */
	webhookUrl: string;
	/** The bindings of its callback tokens, see {@link bindingOf}: at this URL, and at its test URL. */
	binding: string;
	testBinding: string;
	/** The service, n8n and node of the trigger. */
	owner: string;
	/** The state where changes are written: n8n's static data, or in a poll this process's memory. */
	state: TriggerState;
	/** The state stored before this task for the same owner; else empty. */
	ownState: TriggerState;
	/** The state in this process's memory when the task began, see {@link isOvertaken}. */
	stateAtStart: TriggerState;
	/** When a removal began whose end the task finds (ms since the epoch): never, or 0 if this process does not know it. */
	removedAt: number;
	/** The deadline of all requests of the task. */
	deadline: TaskDeadline;
}

/** The trigger's parameters that decide about its endpoint. */
export interface EndpointSettings {
	/** The selected event types; empty for every event type. */
	events: string[];
	verifySignature: boolean;
	/** Whether a test listener asks the service for a test event. */
	requestTest: boolean;
}

/**
 * Begins the task of a lifecycle call, with the credential, the webhook URL and the stored state.
 *
 * @throws NodeOperationError if the credential is invalid
 */
export async function beginTask(
	context: IHookFunctions,
	kind: 'publish' | 'unpublish',
): Promise<TriggerTask> {
	const webhookUrl = context.getNodeWebhookUrl('default') ?? '';
	const begun = { context, webhookUrl, state: stateOf(context), deadline: lifecycleDeadline() };
	const test = await completeTask({ ...begun, kind: 'test' });
	// n8n closes a test listener in the mode of an unpublish; only its static data tell that it is one.
	const isClosing = kind === 'unpublish' && begun.state.owner === test.owner;
	if (context.getMode() === 'manual' || isClosing) return test;
	const memory = memoryOf(context);
	// A poll that runs is overtaken.
	memory.state = { ...memory.state };
	return await completeTask({ ...begun, kind });
}

/** Whether a publish or an unpublish began after a poll, whose list may show the new endpoint as one to remove. */
export function isOvertaken({ kind, context, stateAtStart }: TriggerTask): boolean {
	return kind === 'poll' && memoryOf(context).state !== stateAtStart;
}

/** Completes a task. A poll has the state from this process's memory. */
export async function completeTask(
	begun: Pick<TriggerTask, 'kind' | 'context' | 'webhookUrl' | 'state' | 'deadline'>,
): Promise<TriggerTask> {
	const { context, webhookUrl, state, kind } = begun;
	const { state: stateAtStart, removedAt = state.removal ? 0 : Infinity } = memoryOf(context);
	const credential = await readCredential(context);
	const { id } = context.getWorkflow();
	const testBinding = bindingOf('test', id, webhookUrl);
	const binding = kind === 'test' ? testBinding : bindingOf('production', id, webhookUrl);
	const owner = [credential.baseUrl, context.getInstanceId(), binding].join(' ');
	const ownState = state.owner === owner ? { ...state } : {};
	return { ...begun, credential, binding, testBinding, owner, ownState, stateAtStart, removedAt };
}

/**
 * Lists the endpoints of the workspace that show a URL, without removed ones. The list may be late or incomplete.
 *
 * @throws NodeApiError if it can't be read
 */
export async function listEndpoints({ context, deadline }: TriggerTask): Promise<Endpoint[]> {
	const { value } = await requestEndpoints(context, deadline);
	return value.filter(({ isRemoved, url }) => !isRemoved && url !== '');
}

/** Writes the new state. Without a new token's hash, only the hashes of older tokens stay. */
export function writeState(
	task: TriggerTask,
	{ endpoints, removal, events, catalog, signingSecret }: TriggerState,
	tokenHash?: string,
): void {
	const { owner, state, ownState } = task;
	const { tokenHashes } = ownState;
	Object.assign(state, { owner, endpoints, removal, events, catalog, tokenHashes, signingSecret });
	addTokenHash(state, tokenHash);
	noteChange(task);
}

/** Stores that the endpoint is about to be removed: no later task adopts it, and no poll reads its log. */
export function markRemoval(task: TriggerTask): void {
	task.state.removal = 'begun';
	noteChange(task);
}

/**
 * Lets the polls of this process know the change of a published trigger, which has another URL than its test listener.
 */
function noteChange({ kind, context, webhookUrl, state }: TriggerTask): void {
	const isPublished = memoryOf(context).webhookUrl === webhookUrl;
	if (kind === 'publish' || (kind === 'unpublish' && isPublished)) {
		noteState(context, webhookUrl, state);
	}
}

/**
 * The answer to a DELETE. `done`: success, or a refusal as some services answer for an unknown ID; `missing`: 404 or 410;
 * `open`: no answer, a fault, no permission, or a refusal that shows that the endpoint exists, such as 409.
 */
export type RemovalAnswer = 'done' | 'missing' | 'open';

/** Refusals for the state of an endpoint: not allowed, in conflict, locked, too early, … */
const FOR_STATE = [405, 409, 412, 423, 425];
/** Refusals that show nothing about it. */
const NO_PROOF = [401, 403, 408, 429];

/** Sends a DELETE, and classifies its answer. @returns the error, too, of an answer that shows nothing */
export async function deleteEndpoint(
	{ context }: TriggerTask,
	id: string,
	deadline: Deadline,
): Promise<{ answer: RemovalAnswer; error?: NodeApiError }> {
	try {
		const path = `/webhooks/${encodeURIComponent(id)}`;
		await request(context, { method: 'DELETE', path }, deadline);
		return { answer: 'done' };
	} catch (cause) {
		const status = statusOf(cause) ?? 0;
		if (isGone(status)) return { answer: 'missing' };
		const error = new NodeApiError(context.getNode(), cause as JsonObject);
		context.logger.debug(`Voice Agent Trigger could not remove ${id} yet: ${error.message}`);
		const isUnclear = status === 0 || status >= 500 || NO_PROOF.includes(status);
		if (isUnclear) return { answer: 'open', error };
		return { answer: FOR_STATE.includes(status) ? 'open' : 'done' };
	}
}
