import type { IDataObject } from 'n8n-workflow';

/**
 * What a trigger remembers of its endpoint, in the node's static data. n8n may lose it, hold an older
 * one, or copy it along with the workflow: it speeds things up and tells endpoints apart, but what
 * decides is the service's list, and the token that proves itself.
 */
export interface EndpointState {
	/** The base URL of the service that the rest was written for. */
	baseUrl?: string;
	/** The webhook URL that the rest was written for, without a token. */
	webhookUrl?: string;
	/** The n8n that wrote it. */
	instanceId?: string;
	/** The credential that wrote it, as n8n names it. */
	credentialId?: string;
	/** The endpoints of this trigger that may be at the service, the present one last. */
	endpointIds?: string[];
	/**
	 * Whether there is nothing to adopt, so that `checkExists` need not ask: a removal was confirmed, or
	 * n8n is about to call one. `create`, which always looks once more, takes it away.
	 */
	mustCreate?: boolean;
	/** What was asked for, since a list need not show it. Empty means every event type. */
	events?: string[];
	/**
	 * The event types that the catalog named at publish; undefined while they are not known, so that no
	 * delivery is ignored and no batch taken apart.
	 */
	catalog?: string[];
	/** Hashes of the present token, and of the one before it, whose retries may be under way. */
	tokenHashes?: string[];
	/** The signing secret that creating the endpoint returned, while signatures are verified. */
	signingSecret?: string;
}

/** @returns the node's static data, as it is stored: writing to it is remembering it */
export function stateOf(staticData: IDataObject): EndpointState {
	return staticData as EndpointState;
}
