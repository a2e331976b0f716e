import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

/** A created endpoint, by its ID and its URL without the query. */
export interface StoredEndpoint {
	id: string;
	url: string;
}

/**
 * The state that a trigger stores of its endpoint, in the node's static data. n8n may lose it, restore an
 * older version, or copy it with the workflow. So the service's list and the callback token decide.
 */
export interface EndpointState {
	/** The service, n8n and node of this state. Exported and copied workflows contain the original's. */
	owner?: string;
	/** The own endpoints that the service may still have, the present one last. */
	endpoints?: StoredEndpoint[];
	/**
	 * Whether `checkExists` adopts nothing and sends no request: a removal has begun, or n8n is about to
	 * call `delete`. `create` removes this mark.
	 */
	mustCreate?: boolean;
	/** The selected event types, because a list may hide them. Empty means every event type. */
	events?: string[];
	/**
	 * The catalog at the time of publishing. Without it, every delivery starts the workflow, and no batch
	 * is split.
	 */
	catalog?: string[];
	/** The hashes of the present token and of its predecessor, whose deliveries may still be resent. */
	tokenHashes?: string[];
	/** The signing secret that the service returned for the endpoint, if signatures are verified. */
	signingSecret?: string;
}

/** @returns the node's static data; n8n stores changes to it */
export function stateOf(context: IHookFunctions | IWebhookFunctions): EndpointState {
	return context.getWorkflowStaticData('node');
}

/** The static data that a trigger last wrote to in this process, by workflow. */
const lastWritten = new Map<string, IDataObject>();

/** Records that a trigger of a published workflow wrote its state. */
export function recordWrite(context: IHookFunctions | IWebhookFunctions): void {
	if (context.getMode() === 'manual') return;
	lastWritten.set(context.getWorkflow().id ?? '', context.getWorkflowStaticData('global'));
}

/**
 * Detects that a poll holds older static data than a trigger of its workflow has written. A poll keeps its
 * copy when only the trigger is published again. When n8n saves the copy, it replaces the newer state.
 */
export function holdsOlderState(context: IPollFunctions): boolean {
	const written = lastWritten.get(context.getWorkflow().id ?? '');
	return written !== undefined && written !== context.getWorkflowStaticData('global');
}
