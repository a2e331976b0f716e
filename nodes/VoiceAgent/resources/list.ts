import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { isObject, LIST_NAMES, readRecord, type Resource } from '../transport/read';
import { requestList } from '../transport/request';
import { actionPatience } from '../transport/retry';

/** The parameters of every operation that gets many records. */
export function listFields(displayOptions: INodeProperties['displayOptions']): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions,
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { ...displayOptions?.show, returnAll: [false] } },
		},
	];
}

/**
 * Reads a list as far as the item's Return All and Limit ask, and tells the user where the service
 * holds more and gave no way to it.
 *
 * @throws NodeOperationError where Limit is no number from 1 on
 */
export async function getMany(
	context: IExecuteFunctions,
	itemIndex: number,
	path: string,
	resource: Exclude<Resource, 'eventTypes'>,
): Promise<IDataObject[]> {
	const limit = context.getNodeParameter('returnAll', itemIndex)
		? Infinity
		: Number(context.getNodeParameter('limit', itemIndex));
	if (!(limit >= 1)) {
		throw new NodeOperationError(
			context.getNode(),
			'Limit must be a number from 1 on. Enter one, or turn on Return All.',
			{ itemIndex },
		);
	}
	const { entries, complete } = await requestList(context, path, resource, actionPatience, {
		limit,
	});
	if (!complete) hintAtMore(context, resource, entries.length);
	return entries.map((entry) => {
		const record = resource === 'deliveries' ? undefined : readRecord(entry, resource);
		return record ?? (isObject(entry) ? entry : { value: entry as string });
	});
}

/** Shows beside the output that a list is not whole. */
export function hintAtMore(context: IExecuteFunctions, resource: Resource, count: number): void {
	context.addExecutionHints({
		message: `The service has more ${LIST_NAMES[resource]} than these ${count}, which could not be read.`,
		location: 'outputPane',
	});
}
