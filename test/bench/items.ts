import type { IDataObject, INode } from 'n8n-workflow';
import { type FaultChooser, startSandbox } from '../../sandbox/service';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { limiters } from '../support/limiters';
import { atMost, type Comparison, inTurns } from './measure';
import type { Section } from './report';

const ITEMS = 300;
const ANSWER_MS = 50;

/** One node that gets the items of a workflow of its own. */
type Peer = Pick<INode, 'type' | 'typeVersion' | 'parameters'>;

/** What a run of the node took, and how many of its items succeeded. */
interface Run {
	ms: number;
	succeeded: number;
}

const ours: Peer = {
	type: 'n8n-nodes-voice-agent.voiceAgent',
	typeVersion: 1,
	parameters: {
		...{ resource: 'apiKey', operation: 'create' },
		...{ name: '={{ $json.name }}', scopes: ['calls:read'] },
	},
};

const httpRequest = (baseUrl: string): Peer => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		...{ method: 'POST', url: `${baseUrl}/workspace/api-keys` },
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAgentApi' },
		...{ sendBody: true, specifyBody: 'json' },
		jsonBody: '={{ JSON.stringify({ name: $json.name, scopes: ["calls:read"] }) }}',
	},
});

/** Runs many items through one node in a real n8n, for a service that takes its time for each. */
export async function measureItems(stack: Stack, rounds: number): Promise<Section> {
	await using service = await startService(stack);
	const { sandbox, runnerOf } = service;
	sandbox.fault = () => ({ kind: 'slow', ms: ANSWER_MS });
	const whole = (run: () => Promise<Run>) => async () => {
		const { ms, succeeded } = await run();
		if (succeeded !== ITEMS) throw new Error(`${succeeded} of ${ITEMS} items succeeded`);
		return ms;
	};
	const peers = {
		ours: whole(await runnerOf(ours, ITEMS)),
		httpRequest: whole(await runnerOf(httpRequest(sandbox.baseUrl), ITEMS)),
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
				goal: atMost(0.8),
			},
		],
	};
}

/** So many items, for a service that takes so many requests a second. */
const limits = [
	{ items: ITEMS, limit: 50 },
	{ items: 60, limit: 10 },
	{ items: 60, limit: 2 },
	{ items: 60, limit: 1 },
];

/**
 * Runs many items through one node, for a service that answers 429 beyond a fixed window of a second,
 * with and without `Retry-After`.
 */
export async function measureLimits(stack: Stack): Promise<Section> {
	await using service = await startService(stack);
	const { sandbox, runnerOf } = service;
	const comparisons: Comparison[] = [];
	const record = [['', 'Voice Agent node', 'HTTP Request node']];
	for (const { items, limit } of limits) {
		// The first window passes at once.
		const least = (items / limit - 1) * 1000;
		for (const tells of [true, false]) {
			const run = async (peer: Peer) => {
				sandbox.fault = limitedTo(limit, tells);
				return await (
					await runnerOf(peer, items)
				)();
			};
			const own = await run(ours);
			const other = await run(httpRequest(sandbox.baseUrl));
			const most = tells ? 1.2 : 1.6;
			const what = `${items} items, ${limit}/s, ${tells ? 'with' : 'without'} \`Retry-After\``;
			comparisons.push({
				what,
				beside: "the limit's own time",
				unit: 's',
				ours: [own.ms / 1000],
				other: [least / 1000],
				goal: {
					text: `all succeed, at most ${most}`,
					isMet: ({ ratio }) => own.succeeded === items && ratio <= most,
				},
			});
			const inWords = ({ ms, succeeded }: Run) =>
				`${succeeded} of ${items} in ${(ms / 1000).toFixed(1)} s`;
			record.push([what, inWords(own), inWords(other)]);
		}
	}
	return { name: 'limits', title: 'Many items, for a service with a limit', comparisons, record };
}

/** @param tells whether it says when to come again */
function limitedTo(limit: number, tells: boolean): FaultChooser {
	const limiter = limiters['fixed window']({ limit, windowMs: 1000 });
	return () => {
		const wait = limiter.ask(performance.now());
		if (wait === 0) return undefined;
		const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
		return { kind: 'status', status: 429, ...(tells && { headers }), body: { message: 'Slowly' } };
	};
}

async function startService({ n8n: { api } }: Stack) {
	const sandbox = await startSandbox();
	const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
	const id = await api.createCredential('Items', 'voiceAgentApi', data);
	const credentials = { voiceAgentApi: { id, name: 'Items' } };

	/** Makes a workflow in which a node gets so many items, and gives what runs it once. */
	async function runnerOf(peer: Peer, count: number): Promise<() => Promise<Run>> {
		const place = { position: [0, 0] as [number, number] };
		const items = Array.from({ length: count }, (_, at) => ({ json: { name: `Key ${at}` } }));
		const workflow: WorkflowJson & { pinData: IDataObject } = {
			name: peer.type,
			nodes: [
				{
					...{ id: '1', name: 'Start', ...place, parameters: {} },
					...{ type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
				},
				{
					...{ id: '2', name: 'Act', ...place, credentials, ...peer },
					onError: 'continueRegularOutput',
				},
			],
			connections: { Start: { main: [[{ node: 'Act', type: 'main', index: 0 }]] } },
			pinData: { Start: items },
		};
		const { id: workflowId } = await api.createWorkflow(workflow);
		return async () => {
			const executionId = (await api.run(workflowId, 'Start')) ?? '';
			const { data } = await until('the run to end', 300, async () => {
				const execution = await api.execution(executionId);
				return !['new', 'running', 'waiting'].includes(execution.status) && execution;
			});
			const [run] = data.resultData.runData.Act ?? [];
			const put = run?.data?.main?.[0] ?? [];
			return {
				ms: run?.executionTime ?? NaN,
				succeeded: put.filter(({ json }) => 'id' in json).length,
			};
		};
	}
	return { sandbox, runnerOf, [Symbol.asyncDispose]: () => sandbox.stop() };
}
