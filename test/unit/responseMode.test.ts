import {
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
	type INodeParameters,
	type IWebhookDescription,
} from 'n8n-workflow';

import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { inWorkflow } from '../support/n8n/inWorkflow';

const trigger = new VoiceAgentTrigger();
const description = trigger.description.webhooks![0]!;

/** The trigger's webhook in an n8n that resolves no fields by itself. */
let inOlderN8n: IWebhookDescription;
beforeAll(async () => {
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		webhookDescriptionFields: undefined,
		fromFunction: undefined,
	}));
	await jest.isolateModulesAsync(async () => {
		const older = await import('../../nodes/VoiceAgent/VoiceAgentTrigger.node');
		inOlderN8n = new older.VoiceAgentTrigger().description.webhooks![0]!;
	});
	jest.dontMock('n8n-workflow');
});

/** The value of the description's expression, for an n8n that can't resolve the field. */
function evaluated({ responseMode }: IWebhookDescription, parameters: INodeParameters) {
	const { workflow, node } = inWorkflow(trigger, parameters);
	return workflow.expression.getSimpleParameterValue(node, responseMode, 'webhook', {});
}

const events = '={{ ["call.completed"] }}';
const outputs = { __rl: true, mode: 'list', value: 'call.completed, Other' };

// n8n resolves the mode itself if no parameter has an expression or a resource locator.
test.each<[INodeParameters, string, boolean]>([
	[{}, 'onReceived', true],
	[{ options: { acknowledge: 'finished' } }, 'lastNode', true],
	[{ options: { acknowledge: 'unknown' } }, 'onReceived', true],
	[{ options: { acknowledge: 'finished', outputs } }, 'lastNode', false],
	[{ events, options: { acknowledge: 'finished' } }, 'lastNode', false],
	[{ events }, 'onReceived', false],
])('%j answers %s; n8n resolves it itself: %s', (parameters, value, resolved) => {
	const { node } = inWorkflow(trigger, parameters);
	expect(resolveWebhookDescriptionField(node, description, 'responseMode')).toMatchObject(
		resolved ? { resolved, value } : { resolved },
	);
	expect(evaluated(description, parameters)).toBe(value);
	expect(evaluated(inOlderN8n, parameters)).toBe(value);
});

test('no other field of the webhook has an expression', () => {
	expect(webhookDescriptionIsNativelyResolvable(description)).toBe(true);
	expect(webhookDescriptionIsNativelyResolvable(inOlderN8n)).toBe(false);
});

test('the parameter takes no expression, because n8n does not resolve it', () => {
	const { options = [] } = trigger.description.properties.find(({ name }) => name === 'options')!;
	expect(options).toContainEqual(
		expect.objectContaining({ name: 'acknowledge', noDataExpression: true }),
	);
});
