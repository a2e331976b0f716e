import { UserError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { LISTS, readRecord, type Resource } from '../lists/lists';
import { requestList } from '../lists/requestList';
import { isObject } from '../text/json';
import { fieldsForAgent, isTool, type Item } from './operation';

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
export function readLimit({ read }: Item): number {
	const limit = read('returnAll') ? Infinity : Number(read('limit'));
	if (limit >= 1) return limit;
	throw new UserError("'Limit' must be 1 or more. Enter a number, or turn on Return All.");
}

/**
 * Requests a list of records, of which an AI agent sees some fields only. For an incomplete list, a hint is shown beside
 * the output.
 *
 * @param limit the highest number of records, by default as {@link readLimit}
 * @throws NodeApiError if the list can't be read, UserError for a wrong limit
 */
export async function requestRecords(
	item: Item,
	resource: 'apiKeys' | 'webhooks',
	limit = readLimit(item),
): Promise<IDataObject[]> {
	const { value, complete } = await requestList(item.context, resource, item.deadline, limit);
	if (!complete) hintAtIncompleteList(item, resource, value.length);
	return value.map((entry) => {
		const unread = isObject(entry) ? entry : { value: entry as string };
		const record = readRecord(entry, resource) ?? unread;
		return isTool(item) ? fieldsForAgent(record, resource) : record;
	});
}

/** Shows beside the output that a list is incomplete. */
export function hintAtIncompleteList({ context }: Item, resource: Resource, count: number): void {
	context.addExecutionHints({
		message: `This list of ${count} ${LISTS[resource].noun} is incomplete: the service has more, or entries without an ID.`,
		location: 'outputPane',
	});
}
