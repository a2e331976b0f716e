import { cpus, loadavg } from 'node:os';
import autocannon from 'autocannon';
import { type Report, table } from '../reliability/report';
import { processorTimeOf } from '../support/time/processorTime';
import type { Cluster, Counts } from './cluster';
import { publishTestWorkflow } from './workflow';

/** The number of simultaneous requests. More requests would only wait longer. */
const CONNECTIONS = 40;
const WARM_UP_S = 5;

/** The parts of queue mode whose processor time is measured. */
const parts = ['webhooks', 'workers', 'main', 'postgresql', 'redis'] as const;
type ProcessorTimes = Record<(typeof parts)[number], number>;

/**
 * Measures the rate of deliveries for each number of webhook processors and workers. Stops the
 * processes beyond these numbers, and leaves them stopped.
 *
 * @param seconds the duration of each load
 */
export async function measureThroughput(cluster: Cluster, seconds: number): Promise<Report> {
	await using workflow = await publishTestWorkflow(cluster, 'crm_throughput', 'finished');
	const { webhooks, workers } = cluster;
	const { pathname, search } = new URL(workflow.sandbox.endpoints()[0]?.url ?? '');
	const rows: Array<Array<string | number>> = [];
	let failures = 0;
	for (let webhookCount = webhooks.length; webhookCount > 0; webhookCount--) {
		for (const webhook of webhooks.slice(webhookCount)) await webhook.stop();
		for (const worker of workers) if (worker.pid === undefined) await worker.restart();
		const urls = webhooks.slice(0, webhookCount).map(({ url }) => url + pathname + search);
		for (let workerCount = workers.length; workerCount > 0; workerCount--) {
			for (const worker of workers.slice(workerCount)) await worker.stop();
			await load(urls, WARM_UP_S);
			const before = processorTimes(cluster);
			const { answered, failed, p99 } = await load(urls, seconds);
			const after = processorTimes(cluster);
			const cpuMs = Object.fromEntries(
				parts.map((part) => [part, (after[part] - before[part]) / answered]),
			) as ProcessorTimes;
			const limit = maxRate({ webhooks: webhookCount, workers: workerCount }, cpuMs);
			rows.unshift([
				...[webhookCount, workerCount, (answered / seconds).toFixed(1), limit.toFixed(1), p99],
				...parts.map((part) => cpuMs[part].toFixed(1)),
			]);
			failures += failed;
		}
	}
	await workflow.unpublish();
	return {
		lines: [
			`${cpus().length} processors; load average of the last 15 minutes: ${loadavg()[2]?.toFixed(1)}`,
			...table([
				[
					...['Webhook processors', 'Workers', 'Deliveries/s', "Model's maximum", 'p99, ms'],
					...parts.map((part) => `${part}, ms per delivery`),
				],
				...rows,
			]),
		],
		bounds: { 'no delivery fails': failures === 0 },
	};
}

/**
 * Models the maximum rate (deliveries per second): each process of n8n uses one processor, because
 * JavaScript runs on one thread, and all parts share the machine's processors.
 */
function maxRate({ webhooks, workers }: Counts, cpuMs: ProcessorTimes): number {
	const allMs = parts.reduce((sum, part) => sum + cpuMs[part], 0);
	return Math.min(
		(cpus().length * 1000) / allMs,
		(webhooks * 1000) / cpuMs.webhooks,
		(workers * 1000) / cpuMs.workers,
	);
}

/** Sends deliveries of different calls to all URLs, for a number of seconds. */
async function load(urls: string[], seconds: number) {
	// Its types know one URL only.
	const url = urls as unknown as string;
	// Each request replaces `[<id>]` by an ID of its own.
	const data = { call_id: '[<id>]', summary: 'A call' };
	const result = await autocannon({
		...{ url, method: 'POST', connections: CONNECTIONS, duration: seconds, timeout: 60 },
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ id: 'evt_[<id>]', type: 'call.completed', data }),
		idReplacement: true,
	});
	const { non2xx, errors, latency } = result;
	return { answered: result['2xx'], failed: non2xx + errors, p99: latency.p99 };
}

/** @returns the processor time of each part's processes (ms) */
function processorTimes(cluster: Cluster): ProcessorTimes {
	const timeOf = (part: (typeof parts)[number]) =>
		[cluster[part]].flat().reduce((sum, { pid }) => sum + (pid ? processorTimeOf(pid) : 0), 0);
	return Object.fromEntries(parts.map((part) => [part, timeOf(part)])) as ProcessorTimes;
}
