import { freeName } from '../../matcher/json';
import { listFields, readLimit, requestRecords } from '../getMany';
import type { Operation } from '../operation';
import { workflowUrlOf } from '../workflowUrl';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		const records = await requestRecords(context, '/webhooks', 'webhooks', limit, deadline);
		const field = freeName('workflowUrl', records);
		return records.map((one) => ({ ...one, [field]: workflowUrlOf(context, one.url) }));
	},
};
