/** A rate limiter. */
interface Limiter {
	/**
	 * @param now ms
	 * @returns 0 if the request may pass, else the time until the next request may pass (ms)
	 */
	ask(now: number): number;
}

/** The number of requests that may pass in a time. */
export interface Limit {
	/** The requests in each window, and the default of `burst`. */
	limit: number;
	windowMs: number;
	/** The age of the first fixed window at the first request (ms); 0 by default. */
	age?: number;
	/** The size of a token bucket; a bucket of size 1 is a leaky bucket. */
	burst?: number;
}

export type LimiterKind = 'fixed window' | 'sliding window' | 'token bucket';

/** The three usual kinds of limiters. A refused request does not count. */
export const limiters: Record<LimiterKind, (limit: Limit) => Limiter> = {
	'fixed window': ({ limit, windowMs, age = 0 }) => {
		let start = -Infinity;
		let passed = 0;
		return {
			ask(now) {
				if (start === -Infinity) start = now - age;
				const windows = Math.floor((now - start) / windowMs);
				if (windows > 0) {
					start += windows * windowMs;
					passed = 0;
				}
				if (passed >= limit) return start + windowMs - now;
				passed++;
				return 0;
			},
		};
	},
	'sliding window': ({ limit, windowMs }) => {
		const passed: number[] = [];
		return {
			ask(now) {
				while (passed[0] !== undefined && passed[0] <= now - windowMs) passed.shift();
				if (passed.length >= limit) return passed[0]! + windowMs - now;
				passed.push(now);
				return 0;
			},
		};
	},
	'token bucket': ({ limit, windowMs, burst = limit }) => {
		let tokens = burst;
		let filledAt: number | undefined;
		return {
			ask(now) {
				tokens = Math.min(burst, tokens + ((now - (filledAt ?? now)) * limit) / windowMs);
				filledAt = now;
				if (tokens < 1) return ((1 - tokens) * windowMs) / limit;
				tokens--;
				return 0;
			},
		};
	},
};

/** The form of `Retry-After`: whole seconds, seconds with ms, a date, no header, or `0`. */
export type RetryAfter = 'seconds' | 'exact' | 'date' | 'none' | 'zero';

/**
 * @param wait the time until the next request may pass (ms)
 * @param now ms since the epoch
 * @returns the headers of a refusal
 */
export function retryAfterHeader(
	how: RetryAfter,
	wait: number,
	now: number,
): Record<string, string> {
	switch (how) {
		case 'seconds':
			return { 'retry-after': String(Math.ceil(wait / 1000)) };
		case 'exact':
			return { 'retry-after': (Math.ceil(wait) / 1000).toFixed(3) };
		case 'date':
			// A date has no fractions of a second.
			return { 'retry-after': new Date(Math.ceil((now + wait) / 1000) * 1000).toUTCString() };
		case 'none':
			return {};
		case 'zero':
			return { 'retry-after': '0' };
	}
}
