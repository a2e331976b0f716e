import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { LIST_NAMES } from '../answers/lists';
import { isObject } from '../matcher/fields';
import { readRecord, type Resource } from '../answers/lists';
import { requestList } from '../answers/requestList';
import type { Deadline } from '../api/retry';

/** The lists whose entries are records. */
type RecordList = Exclude<Resource, 'eventTypes'>;

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
 * Reads how many results an item asks for at the most.
 *
 * @returns Infinity with Return All
 * @throws NodeOperationError where Limit is no number from 1 on
 */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	const limit = context.getNodeParameter('returnAll', itemIndex)
		? Infinity
		: Number(context.getNodeParameter('limit', itemIndex));
	if (limit >= 1) return limit;
	throw new NodeOperationError(
		context.getNode(),
		'Limit must be a number from 1 on. Enter one, or turn on Return All.',
		{ itemIndex },
	);
}

/** Reads a list, and tells the user where the service holds more and gave no way to it. */
export async function readRecords(
	context: IExecuteFunctions,
	path: string,
	resource: RecordList,
	limit: number,
	deadline: () => Deadline,
): Promise<IDataObject[]> {
	const { entries, complete } = await requestList(context, path, resource, deadline, limit);
	if (!complete) hintAtMore(context, resource, entries.length);
	return entries.map((entry) => {
		if (!isObject(entry)) return { value: entry as string };
		return resource === 'deliveries' ? entry : (readRecord(entry, resource) ?? entry);
	});
}

/** Shows beside the output that a list is not whole. */
export function hintAtMore(context: IExecuteFunctions, resource: Resource, count: number): void {
	context.addExecutionHints({
		message: `The service has more ${LIST_NAMES[resource]} than these ${count}, which could not be read.`,
		location: 'outputPane',
	});
}
