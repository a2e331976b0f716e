import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { isGone, statusOf } from '../api/errors';
import { request, type ServiceRequest } from '../api/request';
import type { Deadline } from '../api/retry';
import { readText } from '../parameters';

/** A kind of record that is chosen by its ID. */
interface RecordKind {
	parameter: 'apiKeyId' | 'webhookId';
	displayName: string;
	/** In errors. */
	noun: string;
	searchListMethod: 'searchApiKeys' | 'searchWebhooks';
}

export const API_KEY: RecordKind = {
	parameter: 'apiKeyId',
	displayName: 'API Key',
	noun: 'API key',
	searchListMethod: 'searchApiKeys',
};

export const WEBHOOK: RecordKind = {
	parameter: 'webhookId',
	displayName: 'Webhook',
	noun: 'webhook',
	searchListMethod: 'searchWebhooks',
};

/** @returns a field for an ID: chosen from a searchable list, or typed */
export function locatorField(
	kind: RecordKind,
	description: string,
	displayOptions: INodeProperties['displayOptions'],
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
				validation: [
					{
						type: 'regex',
						properties: { regex: '^\\s*\\S+\\s*$', errorMessage: "IDs can't contain spaces" },
					},
				],
			},
		],
	};
}

/**
 * Reads the ID that an item chooses.
 *
 * @throws NodeOperationError for an empty ID, and for dots, which would lead to another path
 */
export function readChosenId(
	context: IExecuteFunctions,
	itemIndex: number,
	kind: RecordKind,
): string {
	const id = readText(
		context.getNodeParameter(kind.parameter, itemIndex, '', { extractValue: true }),
	);
	if (!/^\.*$/.test(id)) return id;
	throw new NodeOperationError(
		context.getNode(),
		`${kind.displayName} has no ID. Choose one from the list, or enter its ID.`,
		{ itemIndex },
	);
}

/**
 * Sends a request about the record that an item chooses.
 *
 * @param requestFor returns the request for an ID that is encoded for a path
 * @throws NodeOperationError that names the ID if the service has no such record
 */
export async function requestById(
	context: IExecuteFunctions,
	itemIndex: number,
	kind: RecordKind,
	requestFor: (encodedId: string) => ServiceRequest,
	deadline: () => Deadline,
) {
	const id = readChosenId(context, itemIndex, kind);
	try {
		return await request(context, requestFor(encodeURIComponent(id)), deadline());
	} catch (error) {
		throw explainNotFound(context, itemIndex, kind, id, error as Error);
	}
}

/** @returns an error that names the ID, for the statuses of a missing record and of a refused request; else the error itself */
export function explainNotFound(
	context: IExecuteFunctions,
	itemIndex: number,
	kind: RecordKind,
	id: string,
	error: Error,
): Error {
	const status = statusOf(error) ?? 0;
	if (!isGone(status) && ![200, 400, 409, 422].includes(status)) return error;
	const message = isGone(status)
		? `There is no ${kind.noun} with the ID ${id}. It may have been deleted already. Choose another from the list.`
		: `${error.message} The ID was ${id}.`;
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}
