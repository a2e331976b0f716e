/** A rate limiter, which returns 0 if a request may pass now, else the time until the next may pass (ms). */
type Limiter = (now: number) => number;

/** The number of requests that may pass in a time. */
export interface Limit {
	limit: number;
	windowMs: number;
}

export type LimiterKind = 'fixed window' | 'token bucket';

/** Two usual kinds of limiters. A refused request does not count. */
export const limiters: Record<LimiterKind, (limit: Limit) => Limiter> = {
	'fixed window': ({ limit, windowMs }) => {
		let start = -Infinity;
		let passed = 0;
		return (now) => {
			if (now >= start + windowMs) {
				start = start === -Infinity ? now : now - ((now - start) % windowMs);
				passed = 0;
			}
			if (passed >= limit) return start + windowMs - now;
			passed++;
			return 0;
		};
	},
	'token bucket': ({ limit, windowMs }) => {
		let tokens = limit;
		let filledAt: number | undefined;
		return (now) => {
			tokens = Math.min(limit, tokens + ((now - (filledAt ?? now)) * limit) / windowMs);
			filledAt = now;
			if (tokens < 1) return ((1 - tokens) * windowMs) / limit;
			tokens--;
			return 0;
		};
	},
};
