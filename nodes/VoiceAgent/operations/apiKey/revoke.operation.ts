import { API_KEY, locatorField, requestById } from '../locator';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['apiKey'], operation: ['revoke'] } };

/** Revokes an API key, which stops working at once (contract, section 3). */
export const revoke: Operation = {
	option: {
		name: 'Revoke',
		value: 'revoke',
		description: 'Make an API key stop working at once',
		action: 'Revoke an API key',
	},
	fields: [
		{
			displayName: 'A revoked key stops working at once and cannot be brought back',
			name: 'revokeNotice',
			type: 'notice',
			default: '',
			displayOptions,
		},
		locatorField(API_KEY, 'The API key to revoke', displayOptions),
	],

	async execute(context, itemIndex, deadline) {
		await requestById(
			context,
			itemIndex,
			API_KEY,
			(id) => ({ method: 'DELETE', path: `/workspace/api-keys/${id}` }),
			deadline,
		);
		return { deleted: true };
	},
};
