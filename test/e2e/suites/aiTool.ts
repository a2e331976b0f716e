import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { AINodeConnectionType, INode } from 'n8n-workflow';
import type { DeliveryDetails } from '../../../nodes/VoiceAgent/log/attempts';
import { isLacking } from '../../../sandbox/stack/features';
import { type Execution, outputOf } from '../../../sandbox/stack/n8n-api';
import {
	type ChatModel,
	type Message,
	resultsOf,
	startChatModel,
} from '../../support/others/chatModel';
import { chain, nodeOf } from '../../support/n8n/triggerNode';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { type Credentials, nodeTypes, service, stack, useService } from '../harness';

/** The type of the tool that n8n derives from the action node. */
const toolType = `${nodeTypes.action}Tool`;
const signingSecret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;

let model: ChatModel;
let receiver: FastifyInstance;
let credentials: Credentials;
let failingId: string;
useService({ signature: 'standard-webhooks', retrySchedule: 'once' });
beforeAll(async () => {
	model = await startChatModel();
	const { sandbox } = service;
	const { api } = stack.n8n;
	const data = { ...sandbox.credential, webhookSigningSecret: signingSecret };
	credentials = await api.newCredentials('voiceAgentApi', data);

	// The response contains the whole URL, as error pages of web frameworks do.
	receiver = fastify();
	receiver.post('/hooks', ({ url }, reply) => reply.code(507).send(`No room for POST ${url}`));
	await receiver.listen({ host: '127.0.0.1', port: 0 });
	const { port } = receiver.server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/hooks?voice_agent_token=${'r'.repeat(43)}`;
	failingId = sandbox.addEndpoint({ url });
	await publishTrigger(api, sandbox);
	sandbox.emit('call.completed');
	await sandbox.settled();
});
afterAll(async () => {
	await receiver?.close();
	await model?.stop();
});

/** An expression for a value that the model chooses. */
const fromAi = (name: string, type = 'string') => `={{ $fromAI('${name}', '${name}', '${type}') }}`;

/** The agent's tools by node name. */
const tools: Record<string, INode['parameters']> = {
	'List webhooks': { resource: 'webhook', operation: 'getAll', returnAll: true },
	'Get deliveries': {
		...{ resource: 'webhook', operation: 'getDeliveries', allWebhooks: false },
		webhookId: { __rl: true, mode: 'id', value: fromAi('webhook_id') },
		limit: fromAi('limit', 'number'),
	},
	'Create webhook': { resource: 'webhook', operation: 'create', url: fromAi('url') },
	'List API keys': { resource: 'apiKey', operation: 'getAll', returnAll: true },
};

/** @returns a connection to the agent */
const toAgent = (type: AINodeConnectionType) => ({
	[type]: [[{ node: 'Agent', type, index: 0 }]],
});

/** Runs an agent with all tools. @returns the finished execution */
async function ask(question: string): Promise<Execution> {
	const { api } = stack.n8n;
	const openAi = { apiKey: 'sk-stand-in', url: model.url };
	const agent = '@n8n/n8n-nodes-langchain.agent';
	const chatModel = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
	const { id } = await api.createWorkflow({
		name: 'Agent',
		// With the order v0, the agent would continue before its tools have run.
		settings: { executionOrder: 'v1' },
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Agent', agent, {
				typeVersion: 3,
				parameters: { promptType: 'define', text: question },
			}),
			nodeOf('Model', chatModel, {
				typeVersion: 1.3,
				parameters: {
					model: { __rl: true, mode: 'id', value: 'stand-in' },
					responsesApiEnabled: false,
				},
				credentials: await api.newCredentials('openAiApi', openAi),
			}),
			...Object.entries(tools).map(([name, parameters]) =>
				nodeOf(name, toolType, { parameters, credentials }),
			),
		],
		connections: {
			...chain('Start', 'Agent'),
			Model: toAgent('ai_languageModel'),
			...Object.fromEntries(Object.keys(tools).map((name) => [name, toAgent('ai_tool')])),
		},
	});
	return await api.runToEnd(id, 'Start');
}

/** Whether the model gets the error of a tool; otherwise the error ends the execution. */
const getsToolErrors = () => !isLacking(stack.n8n.api.line, 'Errors of a tool shown to the model');

/** @returns the records in the result of a tool */
function records(result = '[]'): Array<Record<string, string>> {
	return JSON.parse(result) as Array<Record<string, string>>;
}

/** A script that reads the deliveries of each webhook, and returns the failed deliveries. */
function diagnose(messages: Message[]) {
	const [webhooks] = resultsOf(messages, 'List_webhooks');
	if (!webhooks) return [{ tool: 'List_webhooks', arguments: {} }];
	const deliveries = resultsOf(messages, 'Get_deliveries');
	if (deliveries.length === 0) {
		return records(webhooks).map(({ id }) => ({
			tool: 'Get_deliveries',
			arguments: { webhook_id: id, limit: 1 },
		}));
	}
	return deliveries
		.flatMap((result) => JSON.parse(result) as Array<{ deliveryDetails: DeliveryDetails }>)
		.map(({ deliveryDetails }) => deliveryDetails)
		.filter(({ succeeded }) => succeeded === false)
		.map(({ endpointId, status, response }) => `${endpointId}: ${status}, ${response}`)
		.join('; ');
}

test('the agent reads the status and the response of failed deliveries', async () => {
	model.script = diagnose;
	const { sandbox } = service;
	const execution = await ask('Why do we miss calls?');
	expect(execution.data.resultData.error).toBeUndefined();
	expect(sandbox.endpoints()).toHaveLength(2);
	expect(outputOf(execution, 'Agent')).toEqual([
		{ output: `${failingId}: 507, No room for POST /hooks?voice_agent_token=***` },
	]);
});

// Promise: An AI agent receives no secret.
test('no request to the model contains a secret', async () => {
	const { sandbox } = service;
	const key = sandbox.createKey('CRM sync');
	model.script = (messages) =>
		resultsOf(messages, 'List_API_keys')[0] ?? [
			...['List_webhooks', 'List_API_keys'].map((tool) => ({ tool, arguments: {} })),
			// The response contains the signing secret of the webhook.
			{ tool: 'Create_webhook', arguments: { url: 'https://crm.example.com/hooks' } },
			...(getsToolErrors()
				? [{ tool: 'Get_deliveries', arguments: { webhook_id: 'nobody', limit: 1 } }]
				: []),
		];
	const [answer] = outputOf(await ask('Which keys are there?'), 'Agent');
	expect(answer?.output).toContain('CRM sync');

	const endpoints = sandbox.endpoints();
	expect(endpoints).toHaveLength(3);
	const tokens = endpoints
		.slice(0, 2)
		.map(({ url }) => new URL(url).searchParams.get('voice_agent_token'));
	const received = model.received.join('\n');
	expect(received).toContain('/webhook?***');
	if (getsToolErrors()) expect(received).toContain('There is no webhook with the ID nobody');
	for (const secret of [sandbox.adminKey, key, signingSecret, 'whsec_', ...tokens]) {
		expect(secret).toBeTruthy();
		expect(received).not.toContain(secret);
	}
});
