import { listFields, readLimit, requestRecords } from '../getMany';
import type { Operation } from '../operation';

/** Lists the API keys of the workspace, without their values. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get the names, prefixes and scopes of many API keys',
	action: 'Get many API keys',
	fields: listFields,

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		return await requestRecords(context, '/workspace/api-keys', 'apiKeys', limit, deadline);
	},
};
