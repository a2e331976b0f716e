import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { maskTokens } from '../transport/callbackUrl';
import { listEventTypes } from '../transport/eventTypes';
import { isObject, readEndpoint, type Resource } from '../transport/read';
import { requestList } from '../transport/request';
import { actionPatience } from '../transport/retry';

/** Offers the event types of the service's catalog. */
export async function getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { eventTypes } = await listEventTypes(this, actionPatience());
	return eventTypes.map(({ name, description }) => ({ name, value: name, description }));
}

/** Offers the webhook endpoints by their URLs, without the callback tokens. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/webhooks', 'webhooks', filter, (record) => {
		const endpoint = readEndpoint(record);
		return endpoint && { name: maskTokens(endpoint.url) || endpoint.id, value: endpoint.id };
	});
}

/** Offers the API keys by their names and prefixes. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/workspace/api-keys', 'apiKeys', filter, ({ id, name, prefix }) => ({
		name: [name || id, prefix && `(${String(prefix)}…)`].filter(Boolean).join(' '),
		value: String(id),
	}));
}

async function search(
	context: ILoadOptionsFunctions,
	path: string,
	resource: Resource,
	filter: string | undefined,
	toItem: (record: IDataObject) => INodeListSearchItems | undefined,
): Promise<INodeListSearchResult> {
	const { entries } = await requestList(context, path, resource, actionPatience);
	const items = entries.filter(isObject).map(toItem);
	const wanted = filter?.toLowerCase() ?? '';
	return {
		results: items
			.filter((item) => item !== undefined)
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}
