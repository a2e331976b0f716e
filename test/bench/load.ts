import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';

/** The requests of a load. */
export interface Target {
	url: string;
	/** The expected status of every answer; 200 by default. */
	status?: number;
	body: string;
	/** Called once for each load, because a signature expires after minutes. */
	headers?: () => Record<string, string>;
}

export const CONNECTIONS = 10;

/**
 * Sends POST requests over ten connections. Each connection waits for its answer before the next request.
 * Each request has a delivery ID of its own, because the trigger ignores a repeated delivery.
 *
 * @param amount the number of requests
 * @returns the rate (answers per second) and the 99th percentile of the latency (ms)
 * @throws an Error if an answer has another status than expected
 */
export async function sendLoad({ url, status = 200, body, headers }: Target, amount: number) {
	const started = performance.now();
	let last = started;
	let answers = 0;
	const { latency } = await autocannon({
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
	return { rate: (amount * 1000) / (last - started), p99: latency.p99 };
}

/** @returns the processor time of a process with all its threads (ms); NaN except on Linux */
export async function cpuMsOf(pid: number | undefined): Promise<number> {
	if (process.platform !== 'linux') return NaN;
	const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
	const [user, system] = fields.split(' ').slice(11, 13).map(Number);
	// In ticks of 10 ms.
	return ((user ?? NaN) + (system ?? NaN)) * 10;
}
