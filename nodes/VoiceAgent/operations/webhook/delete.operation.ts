import { locatorField, requestById, WEBHOOK } from '../recordId';
import type { Operation } from '../operation';

/** Removes an endpoint. */
export const remove: Operation = {
	name: 'Delete',
	description: 'Delete a webhook, so that it receives no more events',
	action: 'Delete a webhook',
	fields: [
		{
			displayName:
				"Deleting can't be undone, but for a trigger's webhook you can unpublish and publish its workflow to create a new one",
			name: 'deleteNotice',
			type: 'notice',
			default: '',
		},
		locatorField(WEBHOOK, 'The webhook to delete'),
	],

	async execute(item) {
		await requestById(item, WEBHOOK, 'DELETE');
		return { deleted: true };
	},
};
