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

/**
 * Lists the events of the service's catalog.
 *
 * @throws NodeOperationError for an empty catalog
 */
export async function getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { eventTypes } = await listEventTypes(this, actionDeadline());
	if (eventTypes.length === 0) {
		throw new NodeOperationError(
			this.getNode(),
			"The service's catalog has no events that can be read. Enter their names with an expression, e.g. {{ ['call.completed'] }}",
		);
	}
	return eventTypes.map(({ name, description }) => ({ name, value: name, description }));
}

/** Lists the webhooks with their URLs, without callback tokens, and their events. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/webhooks', 'webhooks', filter, (entry) => {
		const endpoint = readEndpoint(entry);
		if (!endpoint) return undefined;
		const { id, url, events } = endpoint;
		const selected = events ? ` (${events.join(', ') || 'every event'})` : '';
		return { name: (hideSecrets(url, []) || id) + selected, value: id };
	});
}

/** Lists the API keys with their names and prefixes. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, '/workspace/api-keys', 'apiKeys', filter, (entry) => {
		const key = readRecord(entry, 'apiKeys');
		if (!key) return undefined;
		const { id, name, prefix } = key;
		return { name: `${String(name || id)}${prefix ? ` (${String(prefix)}…)` : ''}`, value: id };
	});
}

/** @returns the items whose name or ID contains the filter */
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
			.flatMap((entry) => toItem(entry) ?? [])
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}
