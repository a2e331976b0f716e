import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { listEventTypes } from '../answers/eventTypes';
import { readRecord, type Resource } from '../answers/lists';
import { readEndpoint } from '../answers/records';
import { requestList } from '../answers/requestList';
import { actionDeadline } from '../api/retry';
import { hideSecrets } from '../api/secrets';
import { isEveryType } from '../eventTypes/selection';

const EVERY_EVENT: INodePropertyOptions = {
	name: 'Every Event',
	value: '*',
	description: 'All events of the service, also those that it adds later',
};

/** Lists the events of the service's catalog, after the choice of every event. */
export async function getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { eventTypes } = await listEventTypes(this, actionDeadline());
	const options = eventTypes
		.filter(({ name }) => !isEveryType([name]))
		.map(({ name, description }) => ({ name, value: name, description }));
	return [EVERY_EVENT, ...options];
}

/** Lists the webhooks with their URLs, without callback tokens, and their events. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'webhooks', filter, (entry) => {
		const endpoint = readEndpoint(entry);
		if (!endpoint) return undefined;
		const { id, url, events } = endpoint;
		const selected = events && (isEveryType(events) ? 'every event' : events.join(', '));
		return { name: (hideSecrets(url, []) || id) + (selected ? ` (${selected})` : ''), value: id };
	});
}

/** Lists the API keys with their names and prefixes. */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'apiKeys', filter, (entry) => {
		const key = readRecord(entry, 'apiKeys');
		if (!key) return undefined;
		const { id, name, prefix } = key;
		return { name: `${String(name || id)}${prefix ? ` (${String(prefix)}…)` : ''}`, value: id };
	});
}

/** @returns the items whose name or ID contains the filter */
async function search(
	context: ILoadOptionsFunctions,
	resource: Resource,
	filter: string | undefined,
	toItem: (entry: unknown) => INodeListSearchItems | undefined,
): Promise<INodeListSearchResult> {
	const { entries } = await requestList(context, resource, actionDeadline);
	const wanted = filter?.toLowerCase() ?? '';
	return {
		results: entries
			.flatMap((entry) => toItem(entry) ?? [])
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}
