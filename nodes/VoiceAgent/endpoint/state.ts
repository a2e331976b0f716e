import type { IDataObject } from 'n8n-workflow';

/** An endpoint that was registered, by its ID and the URL that it got, without the query. */
export interface StoredEndpoint {
	id: string;
	url: string;
}

/**
 * What a trigger stores of its endpoint, in the node's static data. n8n may lose it, hold an older
 * version, or copy it along with the workflow. The service's list decides, and the token, which
 * proves itself.
 */
export interface EndpointState {
	/** The service, n8n, and node that the rest was stored for, see {@link bindingOf}. */
	baseUrl?: string;
	instanceId?: string;
	binding?: string;
	/** The endpoints of this trigger that may be at the service, the present one last. */
	endpoints?: StoredEndpoint[];
	/**
	 * Whether `checkExists` has nothing to adopt, so that it asks nothing: a removal began, or n8n is
	 * about to call one. `create` removes this mark.
	 */
	mustCreate?: boolean;
	/** The selected event types, since a list may hide them. Empty stands for every event type. */
	events?: string[];
	/**
	 * The event types that the catalog named at publish. While it is undefined, every delivery runs and
	 * no batch is taken apart.
	 */
	catalog?: string[];
	/** Hashes of the present token, and of the one before it, whose retries may be under way. */
	tokenHashes?: string[];
	/** The signing secret that creating the endpoint returned, while signatures are verified. */
	signingSecret?: string;
}

/** @returns the node's static data as it is stored, so that writing to it stores it */
export function stateOf(staticData: IDataObject): EndpointState {
	return staticData as EndpointState;
}
