import { limited, run, type Refusal } from '../support/running/itemRun';
import { useVirtualTime } from '../support/time/virtualTime';

useVirtualTime();

describe.each<[number, number, number, boolean[]]>([
	[50, 1, 300, [true, false]],
	[10, 1, 200, [true, false]],
	[2, 1, 30, [true, false]],
	[1, 1, 30, [true, false]],
	[30, 60, 75, [true, false]],
	[10, 60, 40, [true, false]],
	[4, 60, 20, [true, false]],
])('at %d requests in %d s, %d items', (limit, seconds, count, retryAfter) => {
	const windowMs = seconds * 1000;
	// The requests of the first window pass at once.
	const ownTime = (count / limit - 1) * windowMs;

	// Promise: All items succeed behind a rate limit.
	test.each(
		(['fixed window', 'token bucket'] as const).flatMap((kind) =>
			retryAfter.flatMap((sendsRetryAfter) =>
				[5, 50].map((delay) => [kind, sendsRetryAfter, delay] as const),
			),
		),
	)('all succeed: %s, Retry-After %s, %d ms a request', async (kind, sendsRetryAfter, delay) => {
		const service = limited(kind, { limit, windowMs, sendsRetryAfter });
		const { ms, errors } = await run(count, { ...service, delay: () => delay });
		expect(errors).toEqual([]);
		expect(ms / (ownTime + count * delay)).toBeLessThan(2);
	});
});

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
