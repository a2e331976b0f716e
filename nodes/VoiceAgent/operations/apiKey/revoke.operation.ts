import { UserError } from 'n8n-workflow';

import { requestList } from '../../lists/requestList';
import { readRecord } from '../../lists/lists';
import { readCredential } from '../../service/credential';
import { API_KEY, locatorField, readChosenId, requestById } from '../recordId';
import { isTool, type Item, type Operation } from '../operation';

/** Revokes an API key. The service rejects it from then on (docs/the-service.md). */
export const revoke: Operation = {
	name: 'Revoke',
	description: "Make an API key stop working immediately, which can't be undone",
	action: 'Revoke API key',
	fields: [locatorField(API_KEY, 'The API key to revoke')],

	async execute(item) {
		if (isTool(item) && !(await isOfOthers(item))) {
			throw new UserError(
				"An AI agent may revoke only a listed key, and not that of this node's credential, without which n8n is cut off from the service. Revoke the key in a workflow without an agent.",
			);
		}
		await requestById(item, API_KEY, { method: 'DELETE' });
		return { deleted: true };
	},
};

/** Whether the chosen key is listed with another prefix than that of the credential's key. */
async function isOfOthers(item: Item): Promise<boolean> {
	const id = readChosenId(item, API_KEY);
	const { apiKey } = await readCredential(item.context);
	const { value } = await requestList(item.context, 'apiKeys', item.deadline);
	const records = value.map((entry) => readRecord(entry, 'apiKeys'));
	const prefix = records.find((record) => record?.id === id)?.prefix;
	// A prefix may be followed by a mask.
	return typeof prefix === 'string' && !apiKey.startsWith(/^[\w-]*/.exec(prefix)![0]);
}
