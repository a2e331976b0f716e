/** How a try ended: the service's answer, or the code of a connection that failed. */
export type Outcome =
	| { status: number; headers: Record<string, unknown>; text: string }
	| { failure: string };

/** How long a call may take. */
export interface Patience {
	/** No further try begins after this moment (ms since the epoch). */
	until: number;
	/** How long one try may take (ms). */
	timeout: number;
}

const MAX_TRIES = 6;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;

/** Nothing was sent when a connection failed like this, so even a POST can be sent again. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A fault that the next try would meet again. */
const LASTING =
	/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|ERR_CANCELED|ERR_INVALID)/;

/** Patience for one request of the action node, whose user waits for the run. */
export const actionPatience = (): Patience => ({ until: Date.now() + 60_000, timeout: 30_000 });

/**
 * Patience for a whole lifecycle call of the trigger, which keeps within ten seconds, for n8n gives
 * a publication up after 84 s and tries five times. One slow answer leaves time for a second try.
 */
export const lifecyclePatience = (): Patience => ({ until: Date.now() + 9_500, timeout: 4_500 });

/**
 * Decides whether a request is sent again. GET and DELETE are, on everything that may pass; a POST
 * only where the service can't have carried it out, since creating a key twice is worse than failing:
 * 429, a 503 that says when to come back (RFC 9110, section 10.2.3), or no connection at all.
 *
 * @param tries how many have been made
 * @returns how long to wait first (ms), or undefined for the end
 */
export function retryDelay(method: string, outcome: Outcome, tries: number): number | undefined {
	if (tries >= MAX_TRIES) return undefined;
	const backoff = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
	const jittered = backoff * (0.5 + Math.random() / 2);

	if ('failure' in outcome) {
		if (LASTING.test(outcome.failure)) return undefined;
		return method !== 'POST' || NOT_SENT.has(outcome.failure) ? jittered : undefined;
	}
	const asked = readRetryAfter(outcome.headers['retry-after']);
	if (outcome.status === 429) return asked ?? jittered;
	if (outcome.status === 503 && asked !== undefined) return asked;
	return outcome.status >= 500 && method !== 'POST' ? jittered : undefined;
}

/** Reads `Retry-After`, which is seconds or a date, as a wait in ms. */
function readRetryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string' || !header.trim()) return undefined;
	const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
