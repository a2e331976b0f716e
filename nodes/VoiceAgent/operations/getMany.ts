import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { LIST_NAMES, readRecord, type Resource } from '../answers/lists';
import { requestList } from '../answers/requestList';
import type { Deadline } from '../api/retry';
import { isObject } from '../matcher/json';

/** The fields of every operation that gets many records. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/**
 * Reads the highest number of results for an item.
 *
 * @returns Infinity with Return All
 * @throws UserError for a limit below 1 or one that is no number
 */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	const limit = context.getNodeParameter('returnAll', itemIndex)
		? Infinity
		: Number(context.getNodeParameter('limit', itemIndex));
	if (limit >= 1) return limit;
	throw new UserError('Limit must be 1 or more. Enter a number, or turn on Return All.');
}

/**
 * Requests a list of records. For an incomplete list, a hint is shown beside the output.
 *
 * @param limit the highest number of records, or Infinity
 * @throws NodeApiError if the list can't be read
 */
export async function requestRecords(
	context: IExecuteFunctions,
	path: string,
	resource: Exclude<Resource, 'eventTypes'>,
	limit: number,
	deadline: () => Deadline,
): Promise<IDataObject[]> {
	const { entries, complete } = await requestList(context, path, resource, deadline, limit);
	if (!complete) hintAtIncompleteList(context, resource, entries.length);
	return entries.map((entry) => {
		if (!isObject(entry)) return { value: entry as string };
		return resource === 'deliveries' ? entry : (readRecord(entry, resource) ?? entry);
	});
}

/** Shows beside the output that a list is incomplete. */
export function hintAtIncompleteList(
	context: IExecuteFunctions,
	resource: Resource,
	count: number,
): void {
	context.addExecutionHints({
		message: `The service has more ${LIST_NAMES[resource]} than these ${count}, but the rest could not be read.`,
		location: 'outputPane',
	});
}
