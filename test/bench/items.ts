import type { IDataObject, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import type { Stack } from '../../sandbox/stack/stack';
import { atMost, inTurns } from './measure';
import type { Section } from './report';

const ITEMS = 300;
const ANSWER_MS = 50;

/** Runs many items through one node in a real n8n, for a service that takes its time for each. */
export async function measureItems(stack: Stack, rounds: number): Promise<Section> {
	await using starting = new AsyncDisposableStack();
	const { api } = stack.n8n;
	const sandbox = await startSandbox();
	starting.defer(() => sandbox.stop());
	sandbox.fault = () => ({ kind: 'slow', ms: ANSWER_MS });
	const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
	const id = await api.createCredential('Items', 'voiceAgentApi', data);
	const credentials = { voiceAgentApi: { id, name: 'Items' } };

	/** Makes a workflow in which a node gets the items, and gives what runs it once (ms). */
	async function runner(node: Pick<INode, 'type' | 'typeVersion' | 'parameters'>) {
		const place = { position: [0, 0] as [number, number] };
		const items = Array.from({ length: ITEMS }, (_, at) => ({ json: { name: `Key ${at}` } }));
		const workflow: WorkflowJson & { pinData: IDataObject } = {
			name: node.type,
			nodes: [
				{
					...{ id: '1', name: 'Start', ...place, parameters: {} },
					...{ type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
				},
				{ id: '2', name: 'Act', ...place, credentials, ...node },
			],
			connections: { Start: { main: [[{ node: 'Act', type: 'main', index: 0 }]] } },
			pinData: { Start: items },
		};
		const { id: workflowId } = await api.createWorkflow(workflow);
		return async () => {
			const executionId = await api.run(workflowId, 'Start');
			const execution = await api.finishedExecution(executionId ?? '');
			const [run] = execution.data.resultData.runData.Act ?? [];
			const succeeded = run?.data?.main?.[0]?.filter(({ json }) => 'id' in json).length;
			if (!run || succeeded !== ITEMS) throw new Error(`${succeeded} of ${ITEMS} items succeeded`);
			return run.executionTime;
		};
	}

	const peers = {
		ours: await runner({
			type: 'n8n-nodes-voice-agent.voiceAgent',
			typeVersion: 1,
			parameters: {
				...{ resource: 'apiKey', operation: 'create' },
				...{ name: '={{ $json.name }}', scopes: ['calls:read'] },
			},
		}),
		httpRequest: await runner({
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				...{ method: 'POST', url: `${sandbox.baseUrl}/workspace/api-keys` },
				...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAgentApi' },
				...{ sendBody: true, specifyBody: 'json' },
				jsonBody: '={{ JSON.stringify({ name: $json.name, scopes: ["calls:read"] }) }}',
			},
		}),
	};
	await inTurns(1, peers);
	const met = await inTurns(rounds, peers);
	return {
		name: 'items',
		title: 'Many items through one node',
		comparisons: [
			{
				what: `${ITEMS} items, ${ANSWER_MS} ms a call`,
				beside: 'HTTP Request node',
				unit: 'ms',
				ours: met.ours,
				other: met.httpRequest,
				goal: atMost(1.1),
			},
		],
	};
}
