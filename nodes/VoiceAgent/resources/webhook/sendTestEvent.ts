import { isObject } from '../../transport/fields';
import { locatorField, requestById, WEBHOOK } from '../locator';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['test'] } };

/** Has the service deliver a sample event to an endpoint. */
export const test: Operation = {
	option: {
		name: 'Send Test Event',
		value: 'test',
		description: 'Have the service deliver a sample event to a webhook',
		action: 'Send a test event to a webhook',
	},
	fields: [locatorField(WEBHOOK, 'The webhook that gets the sample event', displayOptions)],

	async execute(context, itemIndex, patience) {
		const path = (id: string) => `/webhooks/${id}/test`;
		const { body } = await requestById(context, itemIndex, WEBHOOK, 'POST', path, patience);
		return isObject(body) ? { success: true, ...body } : { success: true };
	},
};
