import { randomUUID } from 'node:crypto';
import type { AINodeConnectionType, INode } from 'n8n-workflow';
import { isLacking } from '../../../sandbox/stack/features';
import { type Execution, outputOf } from '../../../sandbox/stack/n8n-api';
import { type ChatModel, resultsOf, startChatModel } from '../../support/others/chatModel';
import { chain, nodeOf } from '../../support/n8n/triggerNode';
import { tokenOf } from '../../support/service/callbackTokens';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { type Credentials, nodeTypes, service, stack, useService } from '../harness';

/** The type of the tool that n8n derives from the action node. */
const toolType = `${nodeTypes.action}Tool`;
const signingSecret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;

let model: ChatModel;
let credentials: Credentials;
useService({ signature: 'standard-webhooks' });
beforeAll(async () => {
	model = await startChatModel();
	const { sandbox } = service;
	const { api } = stack.n8n;
	const data = { ...sandbox.credential, webhookSigningSecret: signingSecret };
	credentials = await api.newCredentials('voiceAgentApi', data);
	await publishTrigger(api, sandbox);
});
afterAll(async () => await model?.stop());

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
const getsToolErrors = () => !isLacking('Errors of a tool shown to the model');

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
	expect(endpoints).toHaveLength(2);
	const token = tokenOf(endpoints[0]!.url);
	const received = model.received.join('\n');
	expect(received).toContain('/webhook?***');
	if (getsToolErrors()) expect(received).toContain('There is no webhook with the ID nobody');
	for (const secret of [sandbox.adminKey, key, signingSecret, 'whsec_', token]) {
		expect(secret).toBeTruthy();
		expect(received).not.toContain(secret);
	}
});
