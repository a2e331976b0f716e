import { getMany, listFields } from '../list';
import { explainNotFound, locatorField, readId, WEBHOOK } from '../locator';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['getDeliveries'] } };

/** Reads the log of recent delivery attempts, and what the receiver answered. */
export const getDeliveries: Operation = {
	option: {
		name: 'Get Deliveries',
		value: 'getDeliveries',
		description: 'Get the recent delivery attempts of a webhook and the responses received',
		action: 'Get deliveries of a webhook',
	},
	fields: [
		locatorField(WEBHOOK, 'The webhook whose deliveries to get', displayOptions),
		...listFields(displayOptions),
	],

	async execute(context, itemIndex) {
		const id = readId(context, itemIndex, WEBHOOK);
		const path = `/webhooks/${encodeURIComponent(id)}/deliveries`;
		try {
			return await getMany(context, itemIndex, path, 'deliveries');
		} catch (error) {
			throw explainNotFound(context, itemIndex, WEBHOOK, id, error as Error);
		}
	},
};
