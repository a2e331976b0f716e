import { listFields, requestRecords } from '../getMany';
import type { Operation } from '../operation';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(item) {
		return await requestRecords(item, 'webhooks');
	},
};
