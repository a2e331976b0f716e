import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import autocannon from 'autocannon';
import { markdown } from '../bench/report';
import { brokenOf, type Report } from '../reliability/report';
import type { Cluster, Counts } from './cluster';
import { publish } from './publication';

/** How many requests wait for their answers at once; more would only wait longer. */
const CONNECTIONS = 40;
const WARM_UP_S = 5;

/** The parts whose processor time is told apart. */
const titles = {
	webhooks: 'Webhook processors',
	workers: 'Workers',
	main: 'Main',
	postgresql: 'PostgreSQL',
	redis: 'Redis',
};
type Part = keyof typeof titles;
const parts = Object.keys(titles) as Part[];

/** What a load met, with so many processes. */
interface Met extends Counts {
	/** Deliveries a second that ran to their end. */
	rate: number;
	failed: number;
	p99: number;
	/** How many ms of a processor each part took for a delivery, all its processes together. */
	cpuMs: Record<Part, number>;
	/** Deliveries a second by the model: see {@link modelOf}. */
	model: number;
}

/**
 * Measures how many deliveries a second run to their end, with one webhook processor up to as many as
 * there are, and likewise workers. What is too much is stopped, the last one first, and stays so.
 *
 * @param seconds how long to load each of them
 */
export async function measureThroughput(cluster: Cluster, seconds: number): Promise<Report> {
	const publication = await publish(cluster, 'crm_throughput', 'finished');
	const { webhooks, workers } = cluster;
	const met: Met[] = [];
	try {
		const { pathname, search } = new URL(publication.sandbox.endpoints()[0]?.url ?? '');
		for (let webhookCount = webhooks.length; webhookCount > 0; webhookCount--) {
			for (const webhook of webhooks.slice(webhookCount)) await webhook.stop();
			// The last ones that were stopped come back for the next number of webhook processors.
			for (const worker of workers) if (worker.pid === undefined) await worker.restart();
			for (let workerCount = workers.length; workerCount > 0; workerCount--) {
				for (const worker of workers.slice(workerCount)) await worker.stop();
				const urls = webhooks.slice(0, webhookCount).map(({ url }) => url + pathname + search);
				await load(urls, WARM_UP_S);
				const before = cpuOf(cluster);
				const loaded = await load(urls, seconds);
				const after = cpuOf(cluster);
				const cpuMs = Object.fromEntries(
					parts.map((part) => [part, (after[part] - before[part]) / loaded.answered]),
				) as Record<Part, number>;
				const { answered, failed, p99 } = loaded;
				const counts = { webhooks: webhookCount, workers: workerCount };
				const rate = answered / seconds;
				met.push({ ...counts, rate, failed, p99, cpuMs, model: modelOf(counts, cpuMs) });
			}
		}
		await publication.unpublish();
	} finally {
		await publication.stop();
	}
	const row = ({ webhooks, workers, rate, model, p99, cpuMs }: Met) => [
		...[webhooks, workers, rate.toFixed(1), model.toFixed(1), p99].map(String),
		...parts.map((part) => cpuMs[part].toFixed(1)),
	];
	const table = markdown([
		[
			...['Webhook processors', 'Workers', 'Deliveries a second', "The model's most", 'p99, ms'],
			...parts.map((part) => `${titles[part]}, ms each`),
		],
		...met.toReversed().map(row),
	]);
	const machine = `${cpus().length} processors; the load of the last 15 minutes:`;
	return {
		lines: [`${machine} ${loadavg()[2]?.toFixed(1)}`, ...table.split('\n')],
		broken: brokenOf({ 'no delivery fails': met.every(({ failed }) => failed === 0) }),
	};
}

/**
 * Gives what the processors allow at most: all of the machine's together, and one for each process of
 * n8n, which runs JavaScript on one thread. What sends the load, and other work, takes its part too.
 */
function modelOf({ webhooks, workers }: Counts, cpuMs: Record<Part, number>): number {
	const all = parts.reduce((sum, part) => sum + cpuMs[part], 0);
	return Math.min(
		(cpus().length * 1000) / all,
		(webhooks * 1000) / cpuMs.webhooks,
		(workers * 1000) / cpuMs.workers,
	);
}

/** Sends deliveries of different calls to all addresses, and waits for each answer. */
async function load(urls: string[], seconds: number) {
	let number = 0;
	const results = await Promise.all(
		urls.map(
			(url) =>
				new Promise<autocannon.Result>((resolve, reject) => {
					autocannon(
						{
							url,
							method: 'POST',
							headers: { 'content-type': 'application/json' },
							connections: CONNECTIONS / urls.length,
							duration: seconds,
							timeout: 60,
							setupClient: (client) =>
								client.setRequests([
									{
										setupRequest: (request) => ({ ...request, body: eventOf(`load_${number++}`) }),
									},
								]),
						},
						(error: unknown, ended) => (error instanceof Error ? reject(error) : resolve(ended)),
					);
				}),
		),
	);
	const sum = (of: (result: autocannon.Result) => number) =>
		results.reduce((all, result) => all + of(result), 0);
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

/** How long the processes of each part have been on a processor, in ms, with those they started. */
function cpuOf(cluster: Cluster): Record<Part, number> {
	const { main, webhooks, workers, postgresql, redis } = cluster;
	const tree = readProcesses();
	const all = (pids: Array<number | undefined>) =>
		pids.reduce<number>((sum, pid) => sum + (pid ? tree.cpuMs(pid) : 0), 0);
	return {
		webhooks: all(webhooks.map(({ pid }) => pid)),
		workers: all(workers.map(({ pid }) => pid)),
		main: all([main.pid]),
		postgresql: all([postgresql.pid]),
		redis: all([redis.pid]),
	};
}

/** Linux counts in hundredths of a second, and adds to a process's the time of its ended children. */
function readProcesses() {
	const stats = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
				const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
				return [{ pid: Number(pid), parent: Number(fields[1]), ms: ticks * 10 }];
			} catch {
				// It has ended meanwhile.
				return [];
			}
		});
	const cpuMs = (pid: number): number =>
		stats
			.filter((stat) => stat.pid === pid || stat.parent === pid)
			.reduce((sum, stat) => sum + (stat.pid === pid ? stat.ms : cpuMs(stat.pid)), 0);
	return { cpuMs };
}
