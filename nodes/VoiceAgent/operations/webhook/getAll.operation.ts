import { listFields, requestRecords } from '../getMany';
import type { Operation } from '../operation';
import { workflowUrlOf } from '../workflowUrl';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(item) {
		const records = await requestRecords(item, 'webhooks');
		return records.map((one) => ({ ...one, workflowUrl: workflowUrlOf(item, one.url) }));
	},
};
