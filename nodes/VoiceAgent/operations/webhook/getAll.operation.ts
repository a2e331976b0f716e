import { freeName } from '../../text/json';
import { listFields, requestRecords } from '../getMany';
import {
	fieldsForAgent,
	isTool,
	WEBHOOK_FOR_AGENT,
	workflowUrlOf,
	type Operation,
} from '../operation';

/** Lists the endpoints of the workspace. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many webhooks with their URLs and events',
	action: 'Get many webhooks',
	fields: listFields,

	async execute(item) {
		const records = await requestRecords(item, 'webhooks');
		const rows = records.map((one) =>
			isTool(item) ? fieldsForAgent(one, WEBHOOK_FOR_AGENT) : one,
		);
		const field = freeName('workflowUrl', rows);
		return rows.map((row, at) => ({ ...row, [field]: workflowUrlOf(item, records[at]!.url) }));
	},
};
