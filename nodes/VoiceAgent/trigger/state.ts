import type { IDataObject } from 'n8n-workflow';

/**
 * What a trigger remembers of its endpoint, in the node's static data. n8n may lose it, or hold an
 * older one: it speeds things up and tells endpoints apart, but the service's list decides.
 */
export interface EndpointState {
	/** The endpoint that this node registered or adopted; undefined once it is removed. */
	endpointId?: string;
	/** The base URL of the service that knows the endpoint. */
	baseUrl?: string;
	/** What was asked for, since a list need not show it. Empty means every event type. */
	events?: string[];
	/**
	 * The callback token. It outlives the endpoint, so that after an edit the deliveries which come
	 * before n8n has stored what `create` wrote are known all the same.
	 */
	token?: string;
	/** The signing secret that creating the endpoint returned. */
	signingSecret?: string;
}

/** @returns the node's static data, as it is stored: writing to it is remembering it */
export function stateOf(staticData: IDataObject): EndpointState {
	return staticData as EndpointState;
}
