import {
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
	type INodeParameters,
	type IWebhookDescription,
} from 'n8n-workflow';

import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { triggerInWorkflow } from '../support/triggerInWorkflow';

const trigger = new VoiceAgentTrigger();
const description = trigger.description.webhooks![0]!;

/** The trigger's webhook in an n8n that resolves no fields by itself. */
async function inOlderN8n(): Promise<IWebhookDescription> {
	let older = {} as typeof import('../../nodes/VoiceAgent/VoiceAgentTrigger.node');
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		webhookDescriptionFields: undefined,
		fromFunction: undefined,
	}));
	await jest.isolateModulesAsync(async () => {
		older = await import('../../nodes/VoiceAgent/VoiceAgentTrigger.node');
	});
	jest.dontMock('n8n-workflow');
	return new older.VoiceAgentTrigger().description.webhooks![0]!;
}

/** The value of the description's expression, for an n8n that can't resolve the field. */
function evaluated({ responseMode }: IWebhookDescription, parameters: INodeParameters) {
	const { workflow, node } = triggerInWorkflow(parameters);
	return workflow.expression.getSimpleParameterValue(node, responseMode, 'webhook', {});
}

const outputs = { __rl: true, mode: 'list', value: 'call.completed, Other' };

test.each<[INodeParameters, string]>([
	[{}, 'onReceived'],
	[{ options: {} }, 'onReceived'],
	[{ options: { acknowledge: 'received' } }, 'onReceived'],
	[{ options: { acknowledge: 'finished' } }, 'lastNode'],
	[{ options: { acknowledge: 'unknown' } }, 'onReceived'],
])('%j answers %s, with or without an expression', async (parameters, mode) => {
	const { node } = triggerInWorkflow(parameters);
	expect(resolveWebhookDescriptionField(node, description, 'responseMode')).toEqual({
		resolved: true,
		value: mode,
	});
	expect(evaluated(description, parameters)).toBe(mode);
	expect(evaluated(await inOlderN8n(), parameters)).toBe(mode);
});

test.each<[INodeParameters, string]>([
	[{ options: { acknowledge: 'finished', outputs } }, 'lastNode'],
	[{ events: '={{ ["call.completed"] }}', options: { acknowledge: 'finished' } }, 'lastNode'],
	[{ events: '={{ ["call.completed"] }}' }, 'onReceived'],
])('%j is evaluated by the expression: %s', async (parameters, mode) => {
	const { node } = triggerInWorkflow(parameters);
	expect(resolveWebhookDescriptionField(node, description, 'responseMode').resolved).toBe(false);
	expect(evaluated(description, parameters)).toBe(mode);
	expect(evaluated(await inOlderN8n(), parameters)).toBe(mode);
});

test('no other field of the webhook has an expression', async () => {
	expect(webhookDescriptionIsNativelyResolvable(description)).toBe(true);
	expect(webhookDescriptionIsNativelyResolvable(await inOlderN8n())).toBe(false);
});

test('the parameter takes no expression, because n8n does not resolve it', () => {
	const { options = [] } = trigger.description.properties.find(({ name }) => name === 'options')!;
	expect(options).toContainEqual(
		expect.objectContaining({ name: 'acknowledge', noDataExpression: true }),
	);
});
