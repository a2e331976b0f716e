import type { Operation } from '../operation';
import { API_KEY, locatorField, requestById } from '../recordId';

/** Revokes an API key. The service rejects it from then on (docs/the-service.md). */
export const revoke: Operation = {
	name: 'Revoke',
	description: "Make an API key stop working immediately, which can't be undone",
	action: 'Revoke API key',
	fields: [locatorField(API_KEY, 'The API key to revoke')],

	async execute(item) {
		await requestById(item, API_KEY, { method: 'DELETE' });
		return { deleted: true };
	},
};
