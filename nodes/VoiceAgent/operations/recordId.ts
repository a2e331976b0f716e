import { UserError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { isGone, statusOf } from '../api/errors';
import { request } from '../api/request';
import type { Deadline } from '../api/retry';
import { readText } from '../parameters';

/** A kind of record that an item selects by its ID. */
type Selectable = typeof API_KEY | typeof WEBHOOK;

export const API_KEY = {
	parameter: 'apiKeyId',
	displayName: 'API Key',
	/** The name in errors. */
	noun: 'API key',
	searchListMethod: 'searchApiKeys',
	path: '/workspace/api-keys',
};

export const WEBHOOK = {
	parameter: 'webhookId',
	displayName: 'Webhook',
	noun: 'webhook',
	searchListMethod: 'searchWebhooks',
	path: '/webhooks',
};

/** @returns a field for an ID: chosen from a searchable list, or typed */
export function locatorField(
	kind: Selectable,
	description: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return {
		displayName: kind.displayName,
		name: kind.parameter,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		displayOptions,
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
 * @throws UserError for an empty ID, and for dots, which would lead to another path
 */
export function readChosenId(
	context: IExecuteFunctions,
	itemIndex: number,
	kind: Selectable,
): string {
	const id = readText(
		context.getNodeParameter(kind.parameter, itemIndex, '', { extractValue: true }),
	);
	if (!/^\.*$/.test(id)) return id;
	throw new UserError(`${kind.displayName} has no ID. Choose one from the list, or enter its ID.`);
}

/**
 * Sends a request about the record that an item selects.
 *
 * @param subpath of the record's path: `/test`
 * @throws UserError that names the ID if the service has no such record
 */
export async function requestById(
	context: IExecuteFunctions,
	itemIndex: number,
	kind: Selectable,
	deadline: () => Deadline,
	method: 'POST' | 'DELETE',
	subpath = '',
) {
	const id = readChosenId(context, itemIndex, kind);
	const path = `${kind.path}/${encodeURIComponent(id)}${subpath}`;
	try {
		// The answer to a test event may report that the delivery failed.
		return await request(
			context,
			{ method, path, mayReportFailure: method === 'POST' },
			deadline(),
		);
	} catch (error) {
		throw explainNotFound(kind, id, error as Error);
	}
}

/** @returns an error that names the ID if the service has no such record, else the error itself */
export function explainNotFound({ noun }: Selectable, id: string, error: Error): Error {
	if (!isGone(statusOf(error))) return error;
	return new UserError(
		`There is no ${noun} with the ID ${id}. It may have been deleted already. Choose another from the list.`,
	);
}
