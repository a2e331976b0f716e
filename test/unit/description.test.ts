import { NodeHelpers, Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';

import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { VoiceAgent } from '../../nodes/VoiceAgent/VoiceAgent.node';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { nodeOf } from '../support/n8n/triggerNode';

/** @returns the text below the node on the canvas, as n8n evaluates it */
function subtitleOf(type: INodeType, parameters: INodeParameters) {
	const { name, subtitle } = type.description;
	const node = nodeOf('Node', name, { parameters });
	const nodeTypes = { getByNameAndVersion: () => type } as never;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

test.each([
	['apiKey', 'getAll', 'Get Many: API Key'],
	['call', 'matchCustomer', 'Match Customer: Call'],
	['webhook', 'test', 'Send Test Event: Webhook'],
])('the canvas shows %s %s as "%s"', (resource, operation, subtitle) => {
	expect(subtitleOf(new VoiceAgent(), { resource, operation })).toBe(subtitle);
});

test.each([
	[['call.completed', 'call.started'], 'call.completed, call.started'],
	[['*'], 'every event'],
	['={{ ["call.started"] }}', 'call.started'],
])('the canvas shows the events %j as "%s"', (events, subtitle) => {
	expect(subtitleOf(new VoiceAgentTrigger(), { events })).toBe(subtitle);
});

// Promise: An AI agent can neither create keys nor send test events.
test('AI agents are offered all operations except those without AI tools', () => {
	const { description } = new VoiceAgent();
	const offered = (resource: string, name: string) =>
		description.properties
			.filter((property) => property.name === 'operation')
			.filter((property) =>
				NodeHelpers.displayParameter({ resource }, property, null, { ...description, name }),
			)
			.map(({ options }) => options?.map((option) => 'value' in option && option.value));
	const lists = Object.keys(operations).map((resource) => {
		const [all] = offered(resource, 'voiceAgent');
		const [forTools, ...others] = offered(resource, 'voiceAgentTool');
		expect(all).toEqual(Object.keys(operations[resource]!));
		expect(others).toEqual([]);
		return all!.filter((operation) => !forTools?.includes(operation));
	});
	expect(lists).toEqual([['create'], ['matchCustomer', 'readDetails'], ['test']]);
});

test('no list of resources or operations is empty, with which n8n would not start', () => {
	const lists = new VoiceAgent().description.properties.filter(({ type }) => type === 'options');
	expect(lists.length).toBeGreaterThan(5);
	for (const { name, options = [] } of lists) expect([name, options.length]).not.toEqual([name, 0]);
});

test.each([
	['voiceAgent', ['apiKey', 'call', 'webhook']],
	['voiceAgentTool', ['apiKey', 'webhook']],
])('the node %s has the resources %j', (name, expected) => {
	const { description } = new VoiceAgent();
	const shown = description.properties.filter(
		(property) =>
			property.name === 'resource' &&
			NodeHelpers.displayParameter({}, property, null, { ...description, name }),
	);
	const values = shown.map(({ options }) =>
		options?.map((option) => 'value' in option && option.value),
	);
	expect(values).toEqual([expected]);
});

test.each([
	['call', 'matchCustomer', ['Calls', 'Records'], ['Found', 'New', 'Unclear', 'No Customer']],
	['webhook', 'getAll', [undefined], [undefined]],
])('%s %s has the inputs %j, and the outputs %j', (resource, operation, inputs, outputs) => {
	const type = new VoiceAgent();
	const { name } = type.description;
	const node = nodeOf('Node', name, { parameters: { resource, operation } });
	const nodeTypes = { getByNameAndVersion: () => type } as never;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const namesOf = (connections: Array<string | { displayName?: string }>) =>
		connections.map((one) => (typeof one === 'string' ? undefined : one.displayName));
	expect(namesOf(NodeHelpers.getNodeInputs(workflow, node, type.description))).toEqual(inputs);
	expect(namesOf(NodeHelpers.getNodeOutputs(workflow, node, type.description))).toEqual(outputs);
	const [credential] = type.description.credentials!;
	const isNeeded = NodeHelpers.displayParameter(node.parameters, credential!, node, null);
	expect(isNeeded).toBe(resource !== 'call');
});

test('AI agents are not offered to send a test event with a check', () => {
	const { description } = new VoiceAgent();
	const sample = description.properties.find(({ name }) => name === 'sendSample')!;
	const parameters = { resource: 'webhook', operation: 'check', allWebhooks: false };
	const isOffered = (values: INodeParameters, name: string) =>
		NodeHelpers.displayParameter(values, sample, null, { ...description, name });
	expect(isOffered(parameters, 'voiceAgent')).toBe(true);
	expect(isOffered(parameters, 'voiceAgentTool')).toBe(false);
	expect(isOffered({ ...parameters, allWebhooks: true }, 'voiceAgent')).toBe(false);
});
