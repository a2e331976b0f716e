import { locatorField, requestById, WEBHOOK } from '../locator';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['delete'] } };

/** Removes a webhook endpoint. */
export const remove: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a webhook, which then receives no more events',
		action: 'Delete a webhook',
	},
	fields: [
		{
			displayName:
				'A deleted webhook cannot be brought back, but for that of a published Voice Agent Trigger, which comes back when its workflow is unpublished and published again',
			name: 'deleteNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		locatorField(WEBHOOK, 'The webhook to delete', displayOptions),
	],

	async execute(context, itemIndex, deadline) {
		await requestById(
			context,
			itemIndex,
			WEBHOOK,
			(id) => ({ method: 'DELETE', path: `/webhooks/${id}` }),
			deadline,
		);
		return { deleted: true };
	},
};
