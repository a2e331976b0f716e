import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import type { N8n } from '../../sandbox/stack/n8n';
import { countExecutions, executionsEnded, publishTrigger } from '../reliability/publishedTrigger';
import { processorTimeOf } from '../support/time/processorTime';
import { chain, nodeOf } from '../support/n8n/triggerNode';
import { atLeast, atMost, type Comparison } from './measure';

/** The requests of a load. */
interface Target {
	url: string;
	body: string;
	/** Called once for each load, because a signature expires after minutes. */
	headers?: () => Record<string, string>;
	/** The expected status of every answer; 200 by default. */
	status?: number;
	/** Whether each request starts an execution; true by default. */
	isRun?: boolean;
}

interface Result {
	/** Answers per second. */
	rate: number;
	/** The processor time of n8n for each delivery with its execution (ms). Other load affects it least. */
	cpuMs: number;
}

export const MINIMAL = 'minimal trigger';
const CONNECTIONS = 10;

/** Publishes triggers in one real n8n, each before the same node. */
export async function openTriggers({ api, url }: N8n) {
	const sandbox = await startSandbox({ dialect: { signature: 'standard-webhooks' } });
	const next = nodeOf('Next', 'n8n-nodes-base.noOp');
	return {
		/** Publishes the minimal trigger. @returns its URL */
		async publishMinimal() {
			const webhookId = randomUUID();
			const type = 'n8n-nodes-bench-minimal.minimalTrigger';
			const { id } = await api.createWorkflow({
				name: type,
				nodes: [nodeOf('Trigger', type, { webhookId, typeVersion: 1.1 }), next],
				connections: chain('Trigger', 'Next'),
				settings: { executionOrder: 'v1' },
			});
			await api.publish(id);
			return `${url}/webhook/${webhookId}/webhook`;
		},
		/** Publishes our trigger. @returns its URL, and the signing secret of its endpoint */
		publishOurs: async (options: INodeParameters = {}) => {
			await publishTrigger(api, sandbox, { parameters: { options }, next: [next] });
			const endpoint = sandbox.endpoints().at(-1)!;
			const { pathname, search } = new URL(endpoint.url);
			const { secret = '' } = sandbox.detailsOf(endpoint.id) ?? {};
			// Not the public host, because a load bypasses the proxy.
			return { url: `${url}${pathname}${search}`, secret };
		},
		[Symbol.asyncDispose]: () => sandbox.stop(),
	};
}

/**
 * Sends loads to several targets in turns, every second round in reverse order, so that other load on the machine
 * affects all of them alike. A small load to each warms up.
 *
 * @param requests of a load
 * @returns the results of each target, one per round
 */
export async function loadInTurns(
	n8n: N8n,
	rounds: number,
	requests: number,
	targets: Record<string, Target>,
) {
	const results: Record<string, Result[]> = {};
	for (const target of Object.values(targets)) await measureLoad(n8n, target, CONNECTIONS);
	for (let round = 0; round < rounds; round++) {
		const all = Object.entries(targets);
		for (const [name, target] of round % 2 === 0 ? all : all.reverse()) {
			(results[name] ??= []).push(await measureLoad(n8n, target, requests));
		}
	}
	return results;
}

/** Sends a load, and waits for its executions. */
async function measureLoad(
	{ api, pid = 0 }: N8n,
	target: Target,
	requests: number,
): Promise<Result> {
	const startedAfter = new Date().toISOString();
	const before = processorTimeOf(pid);
	const rate = await sendLoad(target, requests);
	await executionsEnded(api);
	// Only Linux shows it.
	const cpuMs = (processorTimeOf(pid) - before) / requests || NaN;
	const succeeded = await countExecutions(api, { status: ['success'], startedAfter });
	if (succeeded !== (target.isRun === false ? 0 : requests)) {
		throw new Error(`${succeeded} executions of ${requests} requests succeeded`);
	}
	return { rate, cpuMs };
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
): Promise<number> {
	const started = performance.now();
	let last = started;
	let answers = 0;
	await autocannon({
		...{ url, method: 'POST', body, amount, connections: CONNECTIONS, timeout: 60 },
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

/**
 * Compares the rate and the processor time of two targets of the same rounds.
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
