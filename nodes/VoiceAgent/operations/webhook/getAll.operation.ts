import { listFields, requestRecords } from '../getMany';
import { fieldsForAgent, isTool, WEBHOOK_FOR_AGENT, type Operation } from '../operation';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(item) {
		const webhooks = await requestRecords(item, 'webhooks');
		if (!isTool(item)) return webhooks;
		return webhooks.map((webhook) => fieldsForAgent(webhook, WEBHOOK_FOR_AGENT));
	},
};
