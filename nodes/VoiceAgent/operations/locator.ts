import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { readText } from '../parameters';
import { isGone, statusOf } from '../api/errors';
import { request, type ServiceRequest } from '../api/request';
import type { Deadline } from '../api/retry';

/** What an ID stands for, in words for the user, and how it is chosen. */
interface Target {
	parameter: 'apiKeyId' | 'webhookId';
	displayName: string;
	noun: string;
	searchListMethod: 'searchApiKeys' | 'searchWebhooks';
}

/** An API key, chosen by its name and prefix. */
export const API_KEY: Target = {
	parameter: 'apiKeyId',
	displayName: 'API Key',
	noun: 'API key',
	searchListMethod: 'searchApiKeys',
};

/** A webhook endpoint, chosen by its URL. */
export const WEBHOOK: Target = {
	parameter: 'webhookId',
	displayName: 'Webhook',
	noun: 'webhook endpoint',
	searchListMethod: 'searchWebhooks',
};

/** A parameter that takes an ID: from a searchable list, or typed. */
export function locatorField(
	target: Target,
	description: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
	return {
		displayName: target.displayName,
		name: target.parameter,
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
				typeOptions: { searchListMethod: target.searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
				validation: [
					{
						type: 'regex',
						properties: { regex: '^\\s*\\S+\\s*$', errorMessage: 'An ID has no blanks in it' },
					},
				],
			},
		],
	};
}

/**
 * Reads the ID that an item names.
 *
 * @throws NodeOperationError where there is none, before anything is sent to the path of the list
 */
export function readId(context: IExecuteFunctions, itemIndex: number, target: Target): string {
	const id = readText(
		context.getNodeParameter(target.parameter, itemIndex, '', { extractValue: true }),
	);
	// Dots alone would lead to another path.
	if (!/^\.*$/.test(id)) return id;
	throw new NodeOperationError(
		context.getNode(),
		`${target.displayName} holds no ID. Choose one from the list, or enter its ID.`,
		{ itemIndex },
	);
}

/**
 * Sends a request about one record.
 *
 * @throws NodeOperationError with the ID where the service does not know it, or no longer
 */
export async function requestById(
	context: IExecuteFunctions,
	itemIndex: number,
	target: Target,
	requestFor: (encodedId: string) => ServiceRequest,
	deadline: () => Deadline,
) {
	const id = readId(context, itemIndex, target);
	try {
		return await request(context, requestFor(encodeURIComponent(id)), deadline());
	} catch (error) {
		throw explainNotFound(context, itemIndex, target, id, error as Error);
	}
}

/** Says which ID was not found, or was refused by a service that says so in another way. */
export function explainNotFound(
	context: IExecuteFunctions,
	itemIndex: number,
	target: Target,
	id: string,
	error: Error,
): Error {
	const status = statusOf(error) ?? 0;
	if (!isGone(status) && ![200, 400, 409, 422].includes(status)) return error;
	const message = isGone(status)
		? `There is no ${target.noun} with the ID ${id}. It may have been removed already; choose another from the list.`
		: `${error.message} The ID was ${id}.`;
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}
