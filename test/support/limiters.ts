/** A rate limiter, which decides of each request whether it passes. */
interface Limiter {
	/**
	 * @param now ms
	 * @returns 0 where the request may pass, else after how long the next one may (ms)
	 */
	ask(now: number): number;
}

/** How many requests are let through in which time. */
export interface Limit {
	/** Requests in each window, and how many at once where nothing else is said. */
	limit: number;
	windowMs: number;
	/** How old the first fixed window is when the first request comes (ms): 0 by default. */
	age?: number;
	/** How many a token bucket holds; with one it is a leaky bucket, which knows no burst. */
	burst?: number;
}

export type LimiterKind = 'fixed window' | 'sliding window' | 'token bucket';

/** The three usual kinds of limiters. A refused request counts for none of them. */
export const limiters: Record<LimiterKind, (limit: Limit) => Limiter> = {
	/** So many in each window. */
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
	/** So many in the window that ends now, wherever that is. */
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
	/** A bucket, full at first, into which tokens drip. */
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

/** How a limiter says when to come back: seconds rounded up, to the ms, a date, not at all, or `0`. */
export type RetryAfter = 'seconds' | 'exact' | 'date' | 'none' | 'zero';

/**
 * The header of an answer to a request that may not pass.
 *
 * @param wait after how long the next one may (ms)
 * @param now ms since the epoch
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
