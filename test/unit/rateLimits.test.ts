import { limited, run, useVirtualTime, type Refusal } from '../support/running/itemRun';

useVirtualTime();

// Promise: All items succeed behind a rate limit.
test.each([
	[50, 1, 300, true],
	[50, 1, 300, false],
	[4, 60, 20, true],
	[4, 60, 20, false],
])(
	'at %d requests in %d s, %d items succeed, Retry-After %s',
	async (limit, seconds, count, sendsRetryAfter) => {
		const windowMs = seconds * 1000;
		const { ms, errors } = await run(count, limited(limit, windowMs, sendsRetryAfter));
		expect(errors).toEqual([]);
		// The requests of the first window pass at once.
		const ownTime = (count / limit - 1) * windowMs;
		expect(ms / (ownTime + count * 50)).toBeLessThan(2);
	},
);

test('a request is retried after a time-out, and the other items go on', async () => {
	const { attempts, errors } = await run(60, { delay: (request) => (request ? 50 : 90_000) });
	expect(errors).toEqual([]);
	expect(attempts).toBe(61);
});

describe('a request that is refused for 75 s fails', () => {
	const of = (status: number, retryAfter?: string): Refusal => ({
		status,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	});

	test.each<[string, Refusal]>([
		['429', of(429)],
		['429 with Retry-After: 0', of(429, '0')],
		['429 with Retry-After: 1', of(429, '1')],
		['503', of(503)],
		['503 with Retry-After: 5', of(503, '5')],
	])('but not the other items, after %s', async (_name, refusal) => {
		const refuses = (item: number) => (item === 3 ? refusal : undefined);
		const { ms, errors } = await run(30, { refuses });
		expect(errors).toHaveLength(1);
		expect(ms).toBeLessThan(78_000);
	});

	test('at once if Retry-After is longer', async () => {
		const { ms, attempts } = await run(100, { refuses: () => of(429, '3600') });
		expect(attempts).toBe(100);
		expect(ms).toBeLessThan(100 * 60);
	});
});

test('a cancelled execution sends no further request', async () => {
	const controller = new AbortController();
	const refusal = { status: 429, headers: { 'retry-after': '60' } };
	setTimeout(() => controller.abort(), 5_000);
	const options = { signal: controller.signal, continueOnFail: false };
	const refuses = jest.fn(() => refusal);
	await expect(run(100, { refuses }, options)).rejects.toThrow('cancelled');
	expect(refuses).toHaveBeenCalledTimes(1);
});
