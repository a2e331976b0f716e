import type { IExecuteFunctions } from 'n8n-workflow';

import type { Deadline } from '../../api/retry';
import { isObject } from '../../matcher/fields';
import { locatorField, requestById, WEBHOOK } from '../recordId';
import type { Operation } from '../operation';

const displayOptions = { show: { resource: ['webhook'], operation: ['test'] } };

/** Requests a test event for an endpoint. */
export const test: Operation = {
	option: {
		name: 'Send Test Event',
		value: 'test',
		description:
			"Send a test event to a webhook. If it is a published trigger's, its workflow runs.",
		action: 'Send a test event to a webhook',
	},
	fields: [
		locatorField(
			WEBHOOK,
			"The webhook that receives the test event. If it is a published trigger's, its workflow runs.",
			displayOptions,
		),
	],

	// An agent behind a trigger could start its own workflow in an endless loop.
	notAsTool: 'An AI agent may not send test events: the published workflow would run.',

	async execute(context, itemIndex, deadline) {
		const { body } = await requestTestEvent(context, itemIndex, deadline);
		return isObject(body) ? { success: true, ...body } : { success: true };
	},
};

/**
 * Requests a test event for the endpoint that an item chooses.
 *
 * @returns the answer, which may report that the delivery failed
 * @throws NodeOperationError or NodeApiError if the service does not send it
 */
export async function requestTestEvent(
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
