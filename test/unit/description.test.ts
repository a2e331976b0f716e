import { NodeHelpers, type INodeParameters, type INodeType } from 'n8n-workflow';

import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { VoiceAgent } from '../../nodes/VoiceAgent/VoiceAgent.node';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { inWorkflow } from '../support/n8n/inWorkflow';

const [action, trigger] = [new VoiceAgent(), new VoiceAgentTrigger()];

test.each<[INodeParameters, INodeType, string]>([
	[{ resource: 'apiKey', operation: 'getAll' }, action, 'Get Many: API Key'],
	[{ resource: 'webhook', operation: 'test' }, action, 'Send Test Event: Webhook'],
	[{ events: ['call.completed', 'call.started'] }, trigger, 'call.completed, call.started'],
	[{ events: ['*'] }, trigger, 'every event'],
	[{ events: '={{ ["call.started"] }}' }, trigger, 'call.started'],
])('the canvas shows %j below the node', (parameters, type, expected) => {
	const { node, workflow } = inWorkflow(type, parameters);
	const { subtitle } = type.description;
	const text = workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	expect(text).toBe(expected);
});

/** @returns the choices of each parameter of this name that the node shows, also as an AI tool */
function offered(parameter: string, values: INodeParameters, node: string) {
	const description = { ...action.description, name: node };
	return description.properties
		.filter(({ name }) => name === parameter)
		.filter((property) => NodeHelpers.displayParameter(values, property, null, description))
		.map(({ options }) => options?.map((option) => 'value' in option && option.value));
}

// Promise: An AI agent can neither create keys nor send test events.
test('AI agents are offered all operations except those without AI tools', () => {
	const lists = Object.keys(operations).map((resource) => {
		const [all] = offered('operation', { resource }, 'voiceAgent');
		const [forTools, ...others] = offered('operation', { resource }, 'voiceAgentTool');
		expect(all).toEqual(Object.keys(operations[resource]!));
		expect(others).toEqual([]);
		return all!.filter((operation) => !forTools?.includes(operation));
	});
	expect(lists).toEqual([['create'], ['matchCustomer', 'readDetails'], ['test']]);
});

test('no list of resources or operations is empty, with which n8n would not start', () => {
	const lists = action.description.properties.filter(({ type }) => type === 'options');
	expect(lists.length).toBeGreaterThan(5);
	for (const { name, options = [] } of lists) expect([name, options.length]).not.toEqual([name, 0]);
});

test.each([
	['voiceAgent', ['apiKey', 'call', 'webhook']],
	['voiceAgentTool', ['apiKey', 'webhook']],
])('the node %s has the resources %j', (name, expected) => {
	expect(offered('resource', {}, name)).toEqual([expected]);
});

test.each([
	['call', 'matchCustomer', ['Calls', 'Records'], ['Found', 'New', 'Unclear', 'No Customer']],
	['webhook', 'getAll', [undefined], [undefined]],
])('%s %s has the inputs %j, and the outputs %j', (resource, operation, inputs, outputs) => {
	const { node, workflow } = inWorkflow(action, { resource, operation });
	const namesOf = (connections: Array<string | { displayName?: string }>) =>
		connections.map((one) => (typeof one === 'string' ? undefined : one.displayName));
	expect(namesOf(NodeHelpers.getNodeInputs(workflow, node, action.description))).toEqual(inputs);
	expect(namesOf(NodeHelpers.getNodeOutputs(workflow, node, action.description))).toEqual(outputs);
	const [credential] = action.description.credentials!;
	const isNeeded = NodeHelpers.displayParameter(node.parameters, credential!, node, null);
	expect(isNeeded).toBe(resource !== 'call');
});

test('AI agents are not offered to send a test event with a check', () => {
	const parameters = { resource: 'webhook', operation: 'check', allWebhooks: false };
	const isOffered = (values: INodeParameters, name: string) =>
		offered('sendSample', values, name).length === 1;
	expect(isOffered(parameters, 'voiceAgent')).toBe(true);
	expect(isOffered(parameters, 'voiceAgentTool')).toBe(false);
	expect(isOffered({ ...parameters, allWebhooks: true }, 'voiceAgent')).toBe(false);
});
