import { createHash } from 'crypto';
import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import {
	digestOf,
	EventIndex,
	keysOfDelivery,
	readBodyIds,
	type EventIdentity,
} from '../events/identity';
import { addCaughtUp, presentEndpoint, stateOf, type CaughtUp } from '../state/endpointState';
import { findStarted, memoryOf } from '../state/triggerMemory';
import { headerKind } from '../events/headers';
import { idsIn } from './deliveryHeaders';
import type { Delivery } from './judge';

/*
 * A service may send an event twice within a second, and both executions would then find no record. So a
 * delivery that equals an earlier one waits until n8n has answered that one: after a success it is a
 * duplicate, else it runs. Losing this memory, as at a restart, only lets both run.
 */

/** n8n's response. */
type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** A delivery that runs or has run. */
interface Arrival {
	/** When n8n answered it, before that when it arrived (ms since the epoch). */
	at: number;
	/** Whether n8n answered with success; undefined while the workflow runs. */
	succeeded?: boolean;
	/** How many deliveries wait for it. */
	waiting: number;
}

/** A later delivery with the same content is no repetition, but a resend that somebody asked for. */
const REMEMBERED_MS = 60_000;
/** Of the recent and the former deliveries together. */
const MOST_ARRIVALS = 5_000;
/** How long a delivery waits for an earlier one. The service resends it after that. */
const WAIT_MS = 20_000;
/** Each waiting delivery holds one of n8n's isolates. */
const MOST_WAITING = 10;
const LOOK_INTERVAL_MS = 50;
/** After this time, a caught-up event counts as processed even if its execution still runs. */
const LONGEST_RUN_MS = 60_000;

/**
 * The recent deliveries of this process by their digest, and the former ones. After a minute, or with half of the
 * most, the recent ones become the former, which are forgotten unless they still run. To delete them one by one is
 * slow: a map passes all that it has deleted on the way to its oldest.
 */
let [recent, former] = [new Map<string, Arrival>(), new Map<string, Arrival>()];
/** When this happened last (ms since the epoch). */
let changedAt = 0;

/**
 * `first`: the delivery has to run; `duplicate`: its event was caught up, or an equal delivery succeeded;
 * `undecided`: an equal delivery still runs after 20 s, or ten deliveries wait for it already; or its event is
 * being caught up since less than a minute.
 */
type Repetition = 'first' | 'duplicate' | 'undecided';

/**
 * Decides whether an accepted delivery repeats an event. If it does not, this process remembers its event as
 * accepted, once n8n has answered it with success: the poll never starts it.
 *
 * @param type of its events, see `typeOfAll`
 * @param endpointIds see {@link idsIn}
 */
export async function judgeRepetition(
	context: IWebhookFunctions,
	delivery: Delivery,
	type: string | null,
	endpointIds: string[],
): Promise<Repetition> {
	const { headers, body, rawBody } = delivery;
	const { sure: inBody, bare } = readBodyIds(body);
	const sure = [...inBody, ...idsIn(headers, endpointIds)];
	const hasId = sure.length > 0 || bare !== undefined;
	const identity = { type, keys: keysOfDelivery({ sure, bare, digest: digestOf(body) }) };
	// Two events without an ID may have the same bytes, such as `{"type": "call.ended"}`.
	let repetition = hasId ? findCaughtUp(context, identity) : 'first';
	// Of a form with files, no bytes are left.
	if (hasId && repetition === 'first' && rawBody.length > 0) {
		repetition = await waitForEqual(
			digestOfDelivery(context, delivery),
			context.getResponseObject(),
		);
	}
	if (repetition === 'first') rememberAccepted(context, identity);
	return repetition;
}

/** Compares an event with those that were caught up, as n8n stores them, and as this process knows them. */
function findCaughtUp(context: IWebhookFunctions, identity: EventIdentity): Repetition {
	const isDone = ({ wasAccepted }: CaughtUp) => !wasAccepted;
	if (indexStored(context).find(identity, isDone)) return 'duplicate';
	const memory = memoryOf(context);
	const started = memory && findStarted(memory, identity);
	if (!started || !isDone(started)) return 'first';
	// Until n8n has stored that it ran, a crash could lose the event.
	const isRunning = Date.now() - (started.runsSince ?? -Infinity) < LONGEST_RUN_MS;
	return isRunning ? 'undecided' : 'duplicate';
}

/** Indexes the stored events, and stores those that n8n lacks, as in queue mode, where executions can't store them. */
function indexStored(context: IWebhookFunctions): EventIndex<CaughtUp> {
	const state = stateOf(context);
	const stored = new EventIndex<CaughtUp>();
	for (const event of state.caughtUp ?? []) stored.add(event);
	const done = memoryOf(context)?.done ?? [];
	const unstored = done.filter((event) => !stored.find(event));
	if (unstored.length > 0 && presentEndpoint(state)) addCaughtUp(state, unstored);
	return stored;
}

function rememberAccepted(context: IWebhookFunctions, identity: EventIdentity): void {
	const arrival = watch(context.getResponseObject());
	const hasSucceeded = () => arrival.succeeded === true;
	memoryOf(context)?.accepted.add({ ...identity, hasSucceeded });
}

/**
 * Waits while an equal delivery runs.
 *
 * @param response of n8n to this delivery
 */
async function waitForEqual(digest: string, response: Response): Promise<Repetition> {
	const now = Date.now();
	for (;;) {
		const earlier = recent.get(digest) ?? former.get(digest);
		const isOld = earlier?.succeeded === true && now - earlier.at >= REMEMBERED_MS;
		if (!earlier || earlier.succeeded === false || isOld) {
			// Of several that wait, the first to see a failure runs, and the others wait for that one.
			rememberArrival(digest, response);
			return 'first';
		}
		if (earlier.succeeded) return 'duplicate';
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
function digestOfDelivery(context: IWebhookFunctions, { headers, rawBody }: Delivery): string {
	const counted = Object.keys(headers)
		.filter((name) => (headerKind(name) ?? 'time') !== 'time')
		.sort()
		.map((name) => [name, headers[name]]);
	const place = [context.getWorkflow().id, context.getNode().id];
	return createHash('sha256')
		.update(JSON.stringify([place, counted]))
		.update(rawBody)
		.digest('base64url');
}

function rememberArrival(digest: string, response: Response): void {
	const arrival = watch(response);
	if (arrival.at - changedAt >= REMEMBERED_MS || recent.size >= MOST_ARRIVALS / 2) {
		const running = [...former].filter(([, { succeeded }]) => succeeded === undefined);
		[recent, former, changedAt] = [new Map(running.slice(-MOST_ARRIVALS / 4)), recent, arrival.at];
	}
	recent.set(digest, arrival);
}

/** @returns an arrival that gets its result when n8n answers */
function watch(response: Response): Arrival {
	const arrival: Arrival = { at: Date.now(), waiting: 0 };
	// Unlike `finish` and `close`, it is emitted with n8n's answer also if the service has hung up before.
	response.once('prefinish', () => {
		Object.assign(arrival, { at: Date.now(), succeeded: response.statusCode < 400 });
	});
	return arrival;
}
