import { kindOfFailure } from './failure';
import type { Place } from './line';
import type { Reply } from './pace';

/** How a try ended: the service's answer, or the code of a connection that failed. */
export type Outcome =
	| { status: number; headers: Record<string, unknown>; text: string }
	| { failure: string };

/** How long a call may take. */
export interface Deadline {
	/** No further try begins after this moment (ms since the epoch), which standing in line puts off. */
	until: number;
	/** How long one try may take (ms). */
	timeout: number;
	/** Whether to try no second time. */
	once?: boolean;
	/** Where one of many items stands in line; a single call goes at once. */
	place?: Place;
}

const MAX_TRIES = 6;
/** Of a request that stands in line: more than any limit on the whole run needs. */
const MAX_REFUSALS = 50;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;

/** Deadline for one request of the action node: a minute of trying, not of standing in line. */
export const actionDeadline = (): Deadline => ({ until: Date.now() + 60_000, timeout: 30_000 });

/**
 * Deadline for a whole lifecycle call of the trigger, which keeps within ten seconds, for n8n gives
 * a publication up after 84 s and tries five times. One slow answer leaves time for a second try.
 */
export const lifecycleDeadline = (): Deadline => ({ until: Date.now() + 9_500, timeout: 4_500 });

/**
 * Decides whether a request is sent again. GET and DELETE are, on everything that may pass; a POST
 * only where the service can't have carried it out, since creating a key twice is worse than failing:
 * 429, a 503 that says when to come back (RFC 9110, section 10.2.3), or no connection at all.
 *
 * @param tries how many have been made
 * @param place where all items of a run wait for what the service asks, rather than each by itself
 * @returns how long to wait first (ms), or undefined for the end
 */
export function retryDelay(
	method: string,
	outcome: Outcome,
	tries: number,
	place?: Place,
): number | undefined {
	if (place && isRefusal(outcome)) {
		if (!place.canReturn(outcome)) return undefined;
		if (saysNothingDone(outcome)) return tries < MAX_REFUSALS ? 0 : undefined;
	}
	if (tries >= MAX_TRIES) return undefined;
	const backoff = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
	const jittered = Math.round(backoff * (0.5 + Math.random() / 2));

	if ('failure' in outcome) {
		const kind = kindOfFailure(outcome.failure);
		if (kind === 'insecure' || kind === 'unsendable' || kind === 'ended') return undefined;
		const isUnsent = kind === 'unknownHost' || kind === 'unreachable';
		return method !== 'POST' || isUnsent ? jittered : undefined;
	}
	if (saysNothingDone(outcome)) return askedWait(outcome) ?? jittered;
	return outcome.status >= 500 && method !== 'POST' ? jittered : undefined;
}

/** Tells whether the service may have carried out a request that did not succeed. */
export function isInDoubt(outcome: Outcome): boolean {
	if ('failure' in outcome) {
		return ['late', 'ended', 'broken'].includes(kindOfFailure(outcome.failure));
	}
	return outcome.status >= 500 && retryDelay('POST', outcome, 1) === undefined;
}

/** Tells what the pace of a run learns from how a try ended. */
export function replyOf(outcome: Outcome): Omit<Reply, 'sentAt'> {
	if ('failure' in outcome) {
		const isLate = ['late', 'ended'].includes(kindOfFailure(outcome.failure));
		return { kind: isLate ? 'late' : 'lost' };
	}
	if (isRefusal(outcome)) return { kind: 'refused', asked: askedWait(outcome) };
	return { kind: outcome.status < 500 ? 'taken' : 'lost' };
}

/** Tells whether the service was asked for too much. */
function isRefusal(outcome: Outcome): boolean {
	return 'status' in outcome && (outcome.status === 429 || outcome.status === 503);
}

/** Tells whether the service surely did nothing, so that even a POST can be sent again. */
function saysNothingDone(outcome: Outcome): boolean {
	if ('failure' in outcome) return false;
	return outcome.status === 429 || (outcome.status === 503 && askedWait(outcome) !== undefined);
}

/** How long an answer asks to stay away (ms). */
function askedWait(outcome: Outcome): number | undefined {
	return 'headers' in outcome ? readRetryAfter(outcome.headers['retry-after']) : undefined;
}

/** Reads `Retry-After`, which is seconds or a date, as a wait in ms. */
function readRetryAfter(header: unknown): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	// Only what ends like a date: Date.parse finds one in almost any text with a number.
	const ms = /(GMT|Z)$/.test(text) ? Date.parse(text) - Date.now() : NaN;
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
