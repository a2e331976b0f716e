import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../matcher/fields';
import type { Deadline } from '../../api/retry';
import { locatorField, requestById, WEBHOOK } from '../locator';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['test'] } };

/** Has the service deliver a sample event to an endpoint. */
export const test: Operation = {
	option: {
		name: 'Send Test Event',
		value: 'test',
		description:
			'Have the service deliver a sample event to a webhook. The workflow of a published trigger runs.',
		action: 'Send a test event to a webhook',
	},
	fields: [
		locatorField(
			WEBHOOK,
			"The webhook that gets the sample event. If it is a published trigger's, its workflow runs.",
			displayOptions,
		),
	],

	// Behind a trigger, an agent could start its own workflow, without end.
	notAsTool: 'An AI agent may not send test events: the published workflow would run.',

	async execute(context, itemIndex, deadline) {
		const { body } = await requestSample(context, itemIndex, deadline);
		return isObject(body) ? { success: true, ...body } : { success: true };
	},
};

/**
 * Asks for a sample event, to the endpoint that an item names.
 *
 * @returns the answer, which may report that the delivery failed
 */
export async function requestSample(
	context: IExecuteFunctions,
	itemIndex: number,
	deadline: () => Deadline,
) {
	return await requestById(
		context,
		itemIndex,
		WEBHOOK,
		(id) => ({ method: 'POST', path: `/webhooks/${id}/test`, mayReportFailure: true }),
		deadline,
	);
}
