import { causeOf } from './causes';

/** How an attempt ended: the service's answer, or the code of a connection that failed. */
export type Outcome =
	| { status: number; headers: Record<string, unknown>; text: string }
	| { failure: string };

/** How long requests may take. */
export interface Deadline {
	/**
	 * No further attempt begins after this time (ms since the epoch). Without it, each request has
	 * {@link REQUEST_MS} of its own.
	 */
	endsAt?: number;
	/** How long one attempt may take (ms). */
	timeout: number;
	/** Whether to make one attempt only. */
	once?: boolean;
	/** n8n's signal that the execution is cancelled. */
	cancelled?: AbortSignal;
}

/** The time of a request without another end: longer than a rate limit per minute makes it wait. */
export const REQUEST_MS = 75_000;

/** The most attempts. Only the deadline ends those that the service has refused to carry out. */
const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 8_000;

/** Deadline for the requests of the action node. */
export const actionDeadline = (): Deadline => ({ timeout: 30_000 });

/** @returns true for the methods that may be sent twice; every other one, such as POST and PATCH, may not */
export function isRepeatable(method: string): boolean {
	return method === 'GET' || method === 'DELETE';
}

/**
 * Deadline for a whole lifecycle call of the trigger, which keeps within ten seconds: n8n ends a
 * publication after 84 s and tries five times. One slow answer leaves time for a second attempt.
 */
export const lifecycleDeadline = () => ({ endsAt: Date.now() + 9_500, timeout: 4_500 });

/** How long all requests of a task of the trigger may take together. */
export type TaskDeadline = ReturnType<typeof lifecycleDeadline>;

/**
 * Decides whether a request is sent again. GET and DELETE are, after every failure that may pass. Another
 * is only where the service did not carry it out, since creating a key twice is worse than failing:
 * 429, a 503 with `Retry-After` (RFC 9110, section 10.2.3), or no connection at all.
 *
 * @param attempts how many have been made
 * @returns how long to wait first (ms), or undefined for the end
 */
export function retryDelay(method: string, outcome: Outcome, attempts: number): number | undefined {
	const fate = fateOf(outcome);
	const isRefused = fate === 'refused';
	const mayPass = isRefused || fate === 'unsent' || (fate === 'open' && isRepeatable(method));
	if (!mayPass || (attempts >= MAX_ATTEMPTS && !isRefused)) return undefined;
	const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS);
	const jittered = Math.round(backoff * (0.5 + Math.random() / 2));
	// Requests without a pause are refused again.
	const asked = isRefused ? retryAfterOf(outcome) : undefined;
	return asked ? Math.max(asked, FIRST_WAIT_MS / 2) : jittered;
}

/** @returns true if the service may have carried out a request that did not succeed */
export function isInDoubt(outcome: Outcome): boolean {
	return ['open', 'ended'].includes(fateOf(outcome));
}

/**
 * What became of a request that did not succeed. Without an answer, its effect in `service/causes.ts`, or `open`. With
 * one: `refused`, where the service surely did nothing, so that even a POST can be sent again; `open` from 500 on; else
 * `answered`. The service may have carried out what is `open` or `ended`; only what is `open` may be sent again.
 */
function fateOf(outcome: Outcome) {
	if ('failure' in outcome) return causeOf('n8n', outcome.failure).effect ?? 'open';
	const { status } = outcome;
	if (status === 429 || (status === 503 && retryAfterOf(outcome) !== undefined)) return 'refused';
	return status >= 500 ? 'open' : 'answered';
}

/**
 * Reads `Retry-After`, which is seconds or a date.
 *
 * @returns how long to wait (ms), or undefined
 */
function retryAfterOf(outcome: Outcome): number | undefined {
	const header = 'headers' in outcome ? outcome.headers['retry-after'] : undefined;
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	// Date.parse finds a date in almost any text with a number: `soon 5` → 2001-05-01
	const ms = /(GMT|Z)$/.test(text) ? Date.parse(text) - Date.now() : NaN;
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
