import { locatorField, requestById, WEBHOOK } from '../recordId';
import type { Operation } from '../operation';

/** Removes an endpoint. */
export const remove: Operation = {
	name: 'Delete',
	description: 'Delete a webhook, so that it receives no more events',
	action: 'Delete webhook',
	fields: [
		locatorField(
			WEBHOOK,
			"The webhook to delete. To create a trigger's webhook again, unpublish its workflow and publish it.",
		),
	],

	async execute(item) {
		await requestById(item, WEBHOOK, { method: 'DELETE' });
		return { deleted: true };
	},
};
