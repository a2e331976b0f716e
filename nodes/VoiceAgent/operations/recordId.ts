import { UserError, type INodeProperties } from 'n8n-workflow';

import { LISTS } from '../lists/lists';
import { isGone, statusOf } from '../service/errors';
import { request, type ServiceRequest } from '../service/request';
import { SECRET_PREFIXES } from '../service/secrets';
import { isId, readText } from '../text/json';
import type { Item } from './operation';

/** A kind of record that an item selects by its ID. */
type Selectable = typeof API_KEY | typeof WEBHOOK;

/** A request about a record; `subpath` is below the record's path: `/test` */
type RecordRequest = Omit<ServiceRequest, 'path'> & { subpath?: string };

export const API_KEY = {
	list: LISTS.apiKeys,
	parameter: 'apiKeyId',
	displayName: 'API Key',
	searchListMethod: 'searchApiKeys',
};

export const WEBHOOK = {
	list: LISTS.webhooks,
	parameter: 'webhookId',
	displayName: 'Webhook',
	searchListMethod: 'searchWebhooks',
};

/** The field that selects all webhooks in place of one; each operation adds its description. */
export const ALL_WEBHOOKS = {
	displayName: 'All Webhooks',
	name: 'allWebhooks',
	type: 'boolean',
	default: true,
} as const;

/** @returns a field for an ID: chosen from a searchable list, or typed */
export function locatorField(kind: Selectable, description: string): INodeProperties {
	return {
		displayName: kind.displayName,
		name: kind.parameter,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: kind.searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
			},
		],
	};
}

/**
 * Reads the ID that an item selects.
 *
 * @throws UserError for an empty ID, for dots, which would lead to another path, and for an API key or a
 *   signing secret, which would be in the logs of the service
 */
export function readChosenId({ context, index }: Item, kind: Selectable): string {
	const id = readText(context.getNodeParameter(kind.parameter, index, '', { extractValue: true }));
	if (SECRET_PREFIXES.some((prefix) => id.startsWith(prefix))) {
		throw new UserError(
			`'${kind.displayName}' holds a secret in place of an ID, so nothing was sent. Choose one from the list, or enter its ID, such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301.`,
		);
	}
	if (isId(id)) return id;
	throw new UserError(
		`'${kind.displayName}' has no ID. Choose one from the list, or enter its ID.`,
	);
}

/**
 * Sends a request about the record that an item selects.
 *
 * @throws UserError that names the ID if the service has no such record
 */
export async function requestById(item: Item, kind: Selectable, asked: RecordRequest) {
	const id = readChosenId(item, kind);
	const path = `${kind.list.path}/${encodeURIComponent(id)}${asked.subpath ?? ''}`;
	return await request(item.context, { ...asked, path }, item.deadline).catch((error: Error) => {
		throw explainNotFound(kind, id, error);
	});
}

/** Requests a test event for the chosen webhook. The answer may report that the delivery failed. */
export async function testWebhook(item: Item) {
	const asked = { method: 'POST', subpath: '/test', mayReportFailure: true } as const;
	return await requestById(item, WEBHOOK, asked);
}

/** @returns an error that names the ID if the service has no such record, else the error itself */
export function explainNotFound({ list }: Selectable, id: string, error: Error): Error {
	if (!isGone(statusOf(error))) return error;
	return new UserError(
		`There is no ${list.noun.slice(0, -1)} with the ID ${id} at the Base URL of the credential. ${error.message}`,
	);
}
