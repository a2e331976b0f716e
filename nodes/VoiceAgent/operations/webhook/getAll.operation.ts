import { listFields, readLimit, readRecords } from '../list';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['getAll'] } };

/** Lists the webhook endpoints of the workspace. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many webhooks and the events that they are subscribed to',
		action: 'Get many webhooks',
	},
	fields: listFields(displayOptions),

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		return await readRecords(context, '/webhooks', 'webhooks', limit, deadline);
	},
};
