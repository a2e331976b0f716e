import type { IDataObject, INode } from 'n8n-workflow';
import { type FaultChooser, type Sandbox, startSandbox } from '../../sandbox/service';
import { outputOf, type WorkflowJson } from '../../sandbox/stack/n8n-api';
import type { Stack } from '../../sandbox/stack/stack';
import { limiters } from '../support/service/limiters';
import { chain, nodeOf } from '../support/n8n/triggerNode';
import { atMost, type Comparison, inTurns } from './measure';
import type { Section } from './report';

const ITEMS = 300;
const RESPONSE_MS = 50;

/** The node under test in a workflow of its own. */
type Peer = Pick<INode, 'type' | 'typeVersion' | 'parameters'>;

/** One execution of the node. */
interface Run {
	ms: number;
	/** The number of items without an error. */
	succeeded: number;
}

/** @returns the time of a run; infinite if an item failed */
const timeOf = ({ ms, succeeded }: Run, items: number) => (succeeded === items ? ms : Infinity);

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

/** Measures many items in one node in a real n8n, with a service that answers after 50 ms. */
export async function measureItems(stack: Stack, rounds: number): Promise<Section> {
	await using sandbox = await startSandbox();
	const runnerOf = await runnersOf(stack, sandbox);
	sandbox.fault = () => ({ kind: 'slow', ms: RESPONSE_MS });
	const timed = (run: () => Promise<Run>) => async () => timeOf(await run(), ITEMS);
	const peers = {
		ours: timed(await runnerOf(ours, ITEMS)),
		httpRequest: timed(await runnerOf(httpRequest(sandbox.baseUrl), ITEMS)),
	};
	await inTurns(1, peers);
	const values = await inTurns(rounds, peers);
	return {
		name: 'items',
		comparisons: [
			{
				name: `${ITEMS} items, ${RESPONSE_MS} ms per call`,
				baseline: 'HTTP Request node',
				unit: 'ms',
				ours: values.ours,
				baselineValues: values.httpRequest,
				goal: atMost(0.8),
			},
		],
	};
}

/** `limit` is the number of requests that the service accepts in a second. */
const limits = [
	{ items: ITEMS, limit: 50 },
	{ items: 30, limit: 2 },
	{ items: 30, limit: 1 },
];

/**
 * Runs many items through one node, with a service that answers 429 to all requests above a limit per
 * fixed window of a second, with and without `Retry-After`.
 */
export async function measureLimits(stack: Stack): Promise<Section> {
	await using sandbox = await startSandbox();
	const runnerOf = await runnersOf(stack, sandbox);
	const comparisons: Comparison[] = [];
	const record = [['', 'Voice Agent node', 'HTTP Request node']];
	for (const { items, limit } of limits) {
		// The requests of the first window need no wait.
		const minimumMs = (items / limit - 1) * 1000;
		for (const sendsRetryAfter of [true, false]) {
			const measure = async (peer: Peer) => {
				sandbox.fault = limitedTo(limit, sendsRetryAfter);
				const run = await runnerOf(peer, items);
				return await run();
			};
			const own = await measure(ours);
			const other = await measure(httpRequest(sandbox.baseUrl));
			const name = `${items} items, ${limit}/s, ${sendsRetryAfter ? 'with' : 'without'} \`Retry-After\``;
			comparisons.push({
				name,
				baseline: "the limit's minimum time",
				unit: 's',
				ours: [timeOf(own, items) / 1000],
				baselineValues: [minimumMs / 1000],
				goal: { ...atMost(2), text: 'all succeed, at most 2' },
			});
			const format = ({ ms, succeeded }: Run) =>
				`${succeeded} of ${items} in ${(ms / 1000).toFixed(1)} s`;
			record.push([name, format(own), format(other)]);
		}
	}
	return { name: 'limits', comparisons, record };
}

function limitedTo(limit: number, sendsRetryAfter: boolean): FaultChooser {
	const limiter = limiters['fixed window']({ limit, windowMs: 1000 });
	return () => {
		const wait = limiter(performance.now());
		if (wait === 0) return undefined;
		const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
		const body = { message: 'Too many requests' };
		return { kind: 'status', status: 429, ...(sendsRetryAfter && { headers }), body };
	};
}

/** @returns a function that creates a workflow in which a node gets `count` items, and returns how to run it */
async function runnersOf({ n8n: { api } }: Stack, { credential }: Sandbox) {
	const credentials = await api.newCredentials('voiceAgentApi', credential);
	return async (peer: Peer, count: number): Promise<() => Promise<Run>> => {
		const items = Array.from({ length: count }, (_, index) => ({ json: { name: `Key ${index}` } }));
		const workflow: WorkflowJson & { pinData: IDataObject } = {
			name: peer.type,
			nodes: [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf('Act', peer.type, { ...peer, credentials, onError: 'continueRegularOutput' }),
			],
			connections: chain('Start', 'Act'),
			pinData: { Start: items },
		};
		const { id: workflowId } = await api.createWorkflow(workflow);
		return async () => {
			const execution = await api.runToEnd(workflowId, 'Start');
			const ms = execution.data.resultData.runData.Act?.[0]?.executionTime ?? NaN;
			return { ms, succeeded: outputOf(execution, 'Act').filter((json) => 'id' in json).length };
		};
	};
}
