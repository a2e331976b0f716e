import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import autocannon from 'autocannon';
import { markdown } from '../bench/report';
import { type Report, violationsOf } from '../reliability/report';
import type { Cluster, Counts } from './cluster';
import { publishTestWorkflow } from './workflow';

/** The number of simultaneous requests. More requests would only wait longer. */
const CONNECTIONS = 40;
const WARM_UP_S = 5;

/** The parts of queue mode whose processor time is measured. */
const titles = {
	webhooks: 'Webhook processors',
	workers: 'Workers',
	main: 'Main',
	postgresql: 'PostgreSQL',
	redis: 'Redis',
};
type Part = keyof typeof titles;
const parts = Object.keys(titles) as Part[];

interface Result extends Counts {
	/** Deliveries per second. */
	rate: number;
	failed: number;
	/** The 99th percentile of the latency (ms). */
	p99: number;
	/** The processor time of each part for one delivery. */
	cpuMs: Record<Part, number>;
	/** The maximum rate by {@link maxRate}. */
	maxRate: number;
}

/**
 * Measures the rate of deliveries for each number of webhook processors and workers. Stops the
 * processes beyond these numbers, and leaves them stopped.
 *
 * @param seconds the duration of each load
 */
export async function measureThroughput(cluster: Cluster, seconds: number): Promise<Report> {
	const workflow = await publishTestWorkflow(cluster, 'crm_throughput', 'finished');
	const { webhooks, workers } = cluster;
	const results: Result[] = [];
	try {
		const { pathname, search } = new URL(workflow.sandbox.endpoints()[0]?.url ?? '');
		for (let webhookCount = webhooks.length; webhookCount > 0; webhookCount--) {
			for (const webhook of webhooks.slice(webhookCount)) await webhook.stop();
			for (const worker of workers) if (worker.pid === undefined) await worker.restart();
			for (let workerCount = workers.length; workerCount > 0; workerCount--) {
				for (const worker of workers.slice(workerCount)) await worker.stop();
				const urls = webhooks.slice(0, webhookCount).map(({ url }) => url + pathname + search);
				await load(urls, WARM_UP_S);
				const before = cpuOf(cluster);
				const { answered, failed, p99 } = await load(urls, seconds);
				const after = cpuOf(cluster);
				const cpuMs = Object.fromEntries(
					parts.map((part) => [part, (after[part] - before[part]) / answered]),
				) as Record<Part, number>;
				const counts = { webhooks: webhookCount, workers: workerCount };
				const rate = answered / seconds;
				results.push({ ...counts, rate, failed, p99, cpuMs, maxRate: maxRate(counts, cpuMs) });
			}
		}
		await workflow.unpublish();
	} finally {
		await workflow.stop();
	}
	const row = ({ webhooks, workers, rate, maxRate, p99, cpuMs }: Result) => [
		...[webhooks, workers, rate.toFixed(1), maxRate.toFixed(1), p99].map(String),
		...parts.map((part) => cpuMs[part].toFixed(1)),
	];
	const table = markdown([
		[
			...['Webhook processors', 'Workers', 'Deliveries/s', "Model's maximum", 'p99, ms'],
			...parts.map((part) => `${titles[part]}, ms per delivery`),
		],
		...results.toReversed().map(row),
	]);
	const machine = `${cpus().length} processors; load average of the last 15 minutes:`;
	return {
		lines: [`${machine} ${loadavg()[2]?.toFixed(1)}`, ...table.split('\n')],
		violations: violationsOf({ 'no delivery fails': results.every(({ failed }) => failed === 0) }),
	};
}

/**
 * Models the maximum rate (deliveries per second): each process of n8n uses one processor, because
 * JavaScript runs on one thread, and all parts share the machine's processors.
 */
function maxRate({ webhooks, workers }: Counts, cpuMs: Record<Part, number>): number {
	const allMs = parts.reduce((sum, part) => sum + cpuMs[part], 0);
	return Math.min(
		(cpus().length * 1000) / allMs,
		(webhooks * 1000) / cpuMs.webhooks,
		(workers * 1000) / cpuMs.workers,
	);
}

/** Sends deliveries of different calls to all URLs, for a number of seconds. */
async function load(urls: string[], seconds: number) {
	let number = 0;
	const results = await Promise.all(
		urls.map((url) =>
			autocannon({
				url,
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				connections: CONNECTIONS / urls.length,
				duration: seconds,
				timeout: 60,
				setupClient: (client) =>
					client.setRequests([
						{ setupRequest: (request) => ({ ...request, body: eventOf(`load_${number++}`) }) },
					]),
			}),
		),
	);
	const sum = (valueOf: (result: autocannon.Result) => number) =>
		results.reduce((total, result) => total + valueOf(result), 0);
	return {
		answered: sum((result) => result['2xx']),
		failed: sum(({ non2xx, errors }) => non2xx + errors),
		p99: Math.max(...results.map(({ latency }) => latency.p99)),
	};
}

function eventOf(callId: string): string {
	const data = { call_id: callId, summary: 'A call' };
	const created_at = new Date().toISOString();
	return JSON.stringify({ id: `evt_${callId}`, type: 'call.completed', created_at, data });
}

/** @returns the processor time of each part's processes and their children (ms) */
function cpuOf(cluster: Cluster): Record<Part, number> {
	const { main, webhooks, workers, postgresql, redis } = cluster;
	const cpuMs = readProcessorTimes();
	const sum = (pids: Array<number | undefined>) =>
		pids.reduce<number>((total, pid) => total + (pid ? cpuMs(pid) : 0), 0);
	return {
		webhooks: sum(webhooks.map(({ pid }) => pid)),
		workers: sum(workers.map(({ pid }) => pid)),
		main: sum([main.pid]),
		postgresql: sum([postgresql.pid]),
		redis: sum([redis.pid]),
	};
}

/**
 * Reads Linux's process table.
 *
 * @returns a function that returns the processor time of a process and its children, also ended ones (ms)
 */
function readProcessorTimes() {
	const stats = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
				// User and system time of the process and of its ended children, in ticks of 10 ms.
				const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
				return [{ pid: Number(pid), parent: Number(fields[1]), ms: ticks * 10 }];
			} catch {
				// The process has ended meanwhile.
				return [];
			}
		});
	const cpuMs = (pid: number): number =>
		stats
			.filter((stat) => stat.pid === pid || stat.parent === pid)
			.reduce((sum, stat) => sum + (stat.pid === pid ? stat.ms : cpuMs(stat.pid)), 0);
	return cpuMs;
}
