import { createHash } from 'crypto';
import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { headerKind } from '../eventTypes/headers';
import type { Delivery } from './judge';

/*
 * A service may send an event twice within a second, and both executions would then find no record. So a
 * delivery that equals an earlier one waits until n8n has answered that one: after a success it is a
 * duplicate, else it runs. Losing this memory, as at a restart, only lets both run.
 */

/** The response of n8n, as far as it shows what became of a delivery. */
interface Response {
	statusCode: number;
	/** True once n8n has answered, also if the service has hung up before. */
	writableEnded: boolean;
	once(event: 'close', listener: () => void): unknown;
}

/** A delivery that runs or has run. */
interface Arrival {
	/** ms since the epoch */
	at: number;
	/** Undefined once n8n has answered: a response keeps the whole request in memory. */
	response?: Response;
	/** Whether n8n answered with success. */
	succeeded?: boolean;
	/** How many deliveries wait for it. */
	waiting: number;
}

/** A later delivery with the same content is no repetition, but a resend that somebody asked for. */
const REMEMBERED_MS = 60_000;
const MOST_ARRIVALS = 5_000;
/** How long a delivery waits for an earlier one. The service resends it after that. */
const WAIT_MS = 20_000;
/** Each waiting delivery holds one of n8n's isolates. */
const MOST_WAITING = 10;
const LOOK_INTERVAL_MS = 50;

/** The recent deliveries of this process by their digest, the oldest first. */
const arrivals = new Map<string, Arrival>();

/**
 * Waits while an equal delivery runs.
 *
 * @param digest of the delivery, see {@link digestOfDelivery}
 * @param response of n8n to this delivery
 * @returns `first` if the delivery has to run, also after a failure of the earlier one; `duplicate` if the
 *   earlier one succeeded; `undecided` if it still runs after 20 s, or ten deliveries wait for it already
 */
export async function waitForEqual(
	digest: string,
	response: Response,
): Promise<'first' | 'duplicate' | 'undecided'> {
	const now = Date.now();
	for (;;) {
		const earlier = arrivals.get(digest);
		const succeeded = earlier && resultOf(earlier);
		if (!earlier || succeeded === false || now - earlier.at >= REMEMBERED_MS) {
			// Of several that wait, the first to see a failure runs, and the others wait for that one.
			remember(digest, response);
			return 'first';
		}
		if (succeeded) return 'duplicate';
		if (earlier.waiting >= MOST_WAITING || Date.now() - now >= WAIT_MS) return 'undecided';
		earlier.waiting++;
		await sleep(LOOK_INTERVAL_MS);
		earlier.waiting--;
	}
}

/**
 * Digests what makes two deliveries equal: the node, the bytes of the body, and the headers with ids and event
 * types. `x-request-time` differs at each attempt and does not count.
 */
export function digestOfDelivery(
	context: IWebhookFunctions,
	{ headers, rawBody }: Delivery,
): string {
	const counted = Object.keys(headers)
		.filter((name) => ['id', 'type'].includes(headerKind(name) ?? ''))
		.sort()
		.map((name) => [name, headers[name]]);
	const place = [context.getWorkflow().id, context.getNode().id];
	return createHash('sha256')
		.update(JSON.stringify([place, counted]))
		.update(rawBody)
		.digest('base64url');
}

function remember(digest: string, response: Response): void {
	const arrival: Arrival = { at: Date.now(), response, waiting: 0 };
	// If the service has hung up, n8n has not answered yet, and the response shows later that it has.
	response.once('close', () => resultOf(arrival));
	arrivals.delete(digest);
	arrivals.set(digest, arrival);
	for (const [oldest, { at }] of arrivals) {
		if (arrivals.size <= MOST_ARRIVALS && arrival.at - at < REMEMBERED_MS) break;
		arrivals.delete(oldest);
	}
}

/** @returns whether n8n answered with success; undefined while the workflow runs */
function resultOf(arrival: Arrival): boolean | undefined {
	if (arrival.response?.writableEnded) {
		arrival.succeeded = arrival.response.statusCode < 400;
		arrival.response = undefined;
	}
	return arrival.succeeded;
}
