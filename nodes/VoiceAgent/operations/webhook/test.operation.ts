import { isNonEmpty, isObject } from '../../text/json';
import { locatorField, testWebhook, WEBHOOK } from '../recordId';
import type { Operation } from '../operation';

/** Requests a test event for an endpoint. */
export const test: Operation = {
	name: 'Send Test Event',
	description: "Send a test event to a webhook. If it is a published trigger's, its workflow runs.",
	action: 'Send test event to webhook',
	fields: [
		locatorField(
			WEBHOOK,
			"The webhook that receives the test event. If it is a published trigger's, its workflow runs.",
		),
	],

	// An agent behind a trigger could start its own workflow in an endless loop.
	notAsTool: 'An AI agent may not send test events: the published workflow would run.',

	async execute(item) {
		const { body, failure } = await testWebhook(item);
		// What the service says of the delivery counts.
		const said = isObject(body) && isNonEmpty(body) ? body : { success: !failure };
		return failure ? { ...said, success: false } : said;
	},
};
