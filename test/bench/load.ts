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

/**
 * Sends POST requests over several connections. Each connection waits for its answer before the next request.
 * Each request has a delivery ID of its own, because the trigger ignores a repeated delivery.
 *
 * @param amount the number of requests
 * @returns the answers per second
 * @throws an Error if an answer has another status than expected
 */
export async function sendLoad(
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
