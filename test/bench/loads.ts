import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import {
	countExecutions,
	publishTrigger,
	type TriggerSettings,
} from '../reliability/publishedTrigger';
import { processorTimeOf } from '../support/time/processorTime';
import { chain, nodeOf } from '../support/n8n/triggerNode';
import { atLeast, atMost, type Comparison, inTurns, mapped } from './measure';

/** The requests of a load. */
export interface Target {
	url: string;
	/** The expected status of every answer; 200 by default. */
	status?: number;
	body: string;
	/** Called once for each load, because a signature expires after minutes. */
	headers?: () => Record<string, string>;
}

export interface Result {
	/** Answers per second. */
	rate: number;
	/** The processor time of n8n for each delivery with its execution (ms). Other load affects it least. */
	cpuMs: number;
}

/** The loads of a round. */
export interface Load {
	/** Requests to each peer. */
	requests: number;
	connections: number;
	/** Whether each request starts an execution; true by default. */
	isRun?: boolean;
}

/** A trigger that gets loads. */
export type Peer = (load: Load) => Promise<Result>;

export const MINIMAL = 'minimal trigger';

/** Publishes triggers in one real n8n, each before the same node, and sends them loads. */
export async function openTriggers(stack: Stack, body: string) {
	const { api, pid = 0, url } = stack.n8n;
	const sandbox = await startSandbox({ dialect: { signature: 'standard-webhooks' } });
	const next = nodeOf('Next', 'n8n-nodes-base.noOp');
	/** Replaces the public host, because a load bypasses the proxy. */
	const localUrl = (address: string) =>
		`${url}${new URL(address).pathname}${new URL(address).search}`;

	async function publish(type: string, trigger: Partial<INode> = {}): Promise<Target> {
		const webhookId = randomUUID();
		const { id } = await api.createWorkflow({
			name: type,
			nodes: [nodeOf('Trigger', type, { webhookId, ...trigger }), next],
			connections: chain('Trigger', 'Next'),
			settings: { executionOrder: 'v1' },
		});
		await api.publish(id);
		return { url: `${url}/webhook/${webhookId}/webhook`, body };
	}

	return {
		publishMinimal: () => publish('n8n-nodes-bench-minimal.minimalTrigger', { typeVersion: 1.1 }),
		/** Publishes our trigger; `secret` is the signing secret of its endpoint. */
		publishOurs: async (settings: TriggerSettings = {}) => {
			await publishTrigger(api, sandbox, { ...settings, next: [next] });
			const endpoint = sandbox.endpoints().at(-1)!;
			const { secret = '' } = sandbox.detailsOf(endpoint.id) ?? {};
			return { url: localUrl(endpoint.url), body, secret };
		},
		/** Sends loads, and waits for their executions. */
		peerOf:
			(target: Target): Peer =>
			async ({ requests, connections, isRun = true }) => {
				const startedAfter = new Date().toISOString();
				const before = processorTimeOf(pid);
				const rate = await sendLoad(target, requests, connections);
				const running = { status: ['new', 'running'] };
				await until('the executions', 120, async () => (await countExecutions(api, running)) === 0);
				// Only Linux shows it.
				const cpuMs = (processorTimeOf(pid) - before) / requests || NaN;
				const succeeded = await countExecutions(api, { status: ['success'], startedAfter });
				if (succeeded !== (isRun ? requests : 0)) {
					throw new Error(`${succeeded} executions of ${requests} requests succeeded`);
				}
				return { rate, cpuMs };
			},
		[Symbol.asyncDispose]: () => sandbox.stop(),
	};
}

/**
 * Sends POST requests over several connections. Each connection waits for its answer before the next request.
 * Each request has a delivery ID of its own, because the trigger ignores a repeated delivery. `[<id>]` in a body is that
 * of an event.
 *
 * @param amount the number of requests
 * @returns the answers per second
 * @throws an Error if an answer has another status than expected
 */
async function sendLoad(
	{ url, status = 200, body, headers }: Target,
	amount: number,
	connections: number,
): Promise<number> {
	const started = performance.now();
	let last = started;
	let answers = 0;
	await autocannon({
		...{ url, method: 'POST', body, amount, connections, timeout: 60 },
		// Replaces `[<id>]` by a new ID for each request.
		idReplacement: true,
		headers: { 'content-type': 'application/json', 'x-acme-delivery': '[<id>]', ...headers?.() },
		setupClient: (client) =>
			client.on('response', (answered) => {
				// autocannon itself ends at a full second, not at the last answer.
				last = performance.now();
				if (answered === status) answers++;
			}),
	});
	if (answers !== amount) {
		throw new Error(`${answers} of ${amount} answers had status ${status}: ${url.split('?')[0]}`);
	}
	return (amount * 1000) / (last - started);
}

/** Sends loads to peers in turns, after a small one to each that warms up. */
export async function loadInTurns(rounds: number, peers: Record<string, Peer>, load: Load) {
	const withLoad = (each: Load) => mapped(peers, (send) => () => send(each));
	await inTurns(1, withLoad({ ...load, requests: load.connections }));
	return await inTurns(rounds, withLoad(load));
}

/**
 * Compares the rate and the processor time of two peers of the same rounds.
 *
 * @param tolerance the part by which the first one may be worse
 */
export function compare(
	name: string,
	results: Record<string, Result[]>,
	[ours, baseline]: [string, string],
	tolerance: number,
): Comparison[] {
	const valuesOf = (metric: keyof Result) => ({
		ours: (results[ours] ?? []).map((result) => result[metric]),
		baselineValues: (results[baseline] ?? []).map((result) => result[metric]),
	});
	return [
		{
			...{ name: `${name}, per second`, baseline, unit: '/s', ...valuesOf('rate') },
			goal: atLeast(1 - tolerance),
		},
		{
			...{ name: `${name}, CPU per delivery`, baseline, unit: 'ms', ...valuesOf('cpuMs') },
			goal: atMost(1 + tolerance),
		},
	];
}
