import { listFields, readLimit, requestRecords } from '../getMany';
import type { Operation } from '../operation';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		return await requestRecords(context, '/webhooks', 'webhooks', limit, deadline);
	},
};
