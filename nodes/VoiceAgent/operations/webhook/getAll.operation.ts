import { listFields, readLimit, requestRecords } from '../getMany';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['getAll'] } };

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many webhooks with their URLs and events',
		action: 'Get many webhooks',
	},
	fields: listFields(displayOptions),

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		return await requestRecords(context, '/webhooks', 'webhooks', limit, deadline);
	},
};
