import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { requestEndpoints, requestList, listEventTypes } from '../lists/requestList';
import { readRecord } from '../lists/lists';
import { lifecycleDeadline } from '../service/retry';
import { hideAllSecrets } from '../service/secrets';
import { isEveryType } from '../events/names';

const EVERY_EVENT = {
	name: 'Every Event',
	value: '*',
	description: 'All events of the service, also those that it adds later',
};

/** Lists the events of the service's catalog, after the choice of every event. */
export async function getEventTypes(this: ILoadOptionsFunctions) {
	const { value } = await listEventTypes(this, lifecycleDeadline());
	const options = value
		.filter(({ name }) => !isEveryType([name]))
		.map(({ name, description }) => ({
			name,
			value: name,
			description: hideAllSecrets(description, []),
		}));
	return [EVERY_EVENT, ...options];
}

/** Lists the webhooks with their URLs, without callback tokens, and their events. */
export async function searchWebhooks(this: ILoadOptionsFunctions, filter?: string) {
	const { value } = await requestEndpoints(this, lifecycleDeadline());
	const items = value.map(({ id, url, events }) => {
		const selected = events && (isEveryType(events) ? 'every event' : events.join(', '));
		return {
			name: (hideAllSecrets(url, []) || id) + (selected ? ` (${selected})` : ''),
			value: id,
		};
	});
	return select(items, filter);
}

/** Lists the API keys with their names and prefixes. */
export async function searchApiKeys(this: ILoadOptionsFunctions, filter?: string) {
	const { value } = await requestList(this, 'apiKeys', lifecycleDeadline());
	const keys = value.flatMap((entry) => readRecord(entry, 'apiKeys') ?? []);
	const items = keys.map(({ id, name, prefix }) => ({
		name: `${hideAllSecrets(String(name || id), [])}${prefix ? ` (${String(prefix)}…)` : ''}`,
		value: id,
	}));
	return select(items, filter);
}

/** @returns the items whose name or ID contains the filter */
function select(items: INodeListSearchItems[], filter = '') {
	const wanted = filter.trim().toLowerCase();
	const results = items.filter(({ name, value }) =>
		`${name} ${value}`.toLowerCase().includes(wanted),
	);
	return { results };
}
