import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';

import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { VoiceAgent } from '../../nodes/VoiceAgent/VoiceAgent.node';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';

/** @returns the text below the node on the canvas, as n8n evaluates it */
function subtitleOf(type: INodeType, parameters: INodeParameters) {
	const node: INode = {
		id: '1',
		name: 'Node',
		type: type.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const nodeTypes = { getByNameAndVersion: () => type } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(
		node,
		type.description.subtitle,
		'internal',
		{},
	);
}

test.each([
	['apiKey', 'getAll', 'Get Many: API Key'],
	['webhook', 'getDeliveries', 'Get Deliveries: Webhook'],
	['webhook', 'check', 'Check: Webhook'],
	['webhook', 'test', 'Send Test Event: Webhook'],
])('the canvas shows %s %s as "%s"', (resource, operation, subtitle) => {
	expect(subtitleOf(new VoiceAgent(), { resource, operation })).toBe(subtitle);
});

test.each([
	[['call.completed', 'call.started'], 'call.completed, call.started'],
	[['*'], 'every event'],
	[['call.started', '*'], 'every event'],
	['={{ ["call.started"] }}', 'call.started'],
])('the canvas shows the events %j as "%s"', (events, subtitle) => {
	expect(subtitleOf(new VoiceAgentTrigger(), { events })).toBe(subtitle);
});

test.each([new VoiceAgent(), new VoiceAgentTrigger()])(
	"the hint for n8n's AI builder mentions callDetails or deliveryDetails, and the other node",
	({ description: { builderHint, name } }) => {
		expect(builderHint?.searchHint).toMatch(/Map from callDetails|map from deliveryDetails/);
		const other = name === 'voiceAgent' ? 'voiceAgentTrigger' : 'voiceAgent';
		expect(builderHint?.relatedNodes?.map(({ nodeType }) => nodeType)).toEqual([
			`n8n-nodes-voice-agent.${other}`,
		]);
	},
);

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
		return all!.filter((operation) => !forTools!.includes(operation));
	});
	expect(lists).toEqual([['create'], ['test']]);
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
	expect(sample).toMatchObject({ default: false, type: 'boolean' });
	expect(sample.description).toMatch(/its workflow runs/);
});

test('each notice of the action is one sentence without a period', () => {
	const notices = new VoiceAgent().description.properties.filter(({ type }) => type === 'notice');
	expect(notices.length).toBeGreaterThan(0);
	for (const { displayName } of notices) expect(displayName).not.toMatch(/\.( |$)/);
});
