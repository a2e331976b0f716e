import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { listEventTypes } from '../answers/eventTypes';
import { readRecord, type Resource } from '../answers/lists';
import { readEndpoint } from '../answers/records';
import { requestList } from '../answers/requestList';
import { actionDeadline } from '../api/retry';
import { hideSecrets } from '../api/secrets';

/** Offers the event types of the service's catalog. */
export async function getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { eventTypes } = await listEventTypes(this, actionDeadline());
	if (eventTypes.length === 0) {
		throw new NodeOperationError(
			this.getNode(),
			"The service's catalog shows no event types that can be read. Enter their names with an expression, e.g. {{ ['call.completed'] }}",
		);
	}
	return eventTypes.map(({ name, description }) => ({ name, value: name, description }));
}

/** Offers the webhook endpoints by their URLs, without the callback tokens, and by their events. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/webhooks', 'webhooks', filter, (entry) => {
		const endpoint = readEndpoint(entry);
		if (!endpoint) return undefined;
		const { id, url, events } = endpoint;
		const subscribed = events && ` (${events.join(', ') || 'every event'})`;
		return { name: (hideSecrets(url, []) || id) + (subscribed ?? ''), value: id };
	});
}

/** Offers the API keys by their names and prefixes. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/workspace/api-keys', 'apiKeys', filter, (entry) => {
		const key = readRecord(entry, 'apiKeys');
		if (!key) return undefined;
		const { id, name, prefix } = key;
		return {
			name: [name || id, prefix && `(${String(prefix)}…)`].filter(Boolean).join(' '),
			value: id,
		};
	});
}

async function search(
	context: ILoadOptionsFunctions,
	path: string,
	resource: Resource,
	filter: string | undefined,
	toItem: (entry: unknown) => INodeListSearchItems | undefined,
): Promise<INodeListSearchResult> {
	const { entries } = await requestList(context, path, resource, actionDeadline);
	const wanted = filter?.toLowerCase() ?? '';
	return {
		results: entries
			.map(toItem)
			.filter((item) => item !== undefined)
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}
