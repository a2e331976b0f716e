import { listFields, requestRecords } from '../getMany';
import type { Operation } from '../operation';

/** Lists the API keys of the workspace, without their values. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get the names, prefixes and scopes of many API keys',
	action: 'Get many API keys',
	fields: listFields,

	async execute(item) {
		return await requestRecords(item, 'apiKeys');
	},
};
