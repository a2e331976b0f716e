import { limited, run } from '../support/itemRun';
import { limiters, type Limit, type LimiterKind, type RetryAfter } from '../support/limiters';
import { useVirtualTime } from '../support/virtualTime';

// The waits of the node pass in virtual time.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/virtualWaits'));

useVirtualTime();

const kinds = Object.keys(limiters) as LimiterKind[];

test('without a limit, the number of requests under way doubles with each answer', async () => {
	const { ms, attempts, mostUnderWay } = await run(300, { delay: () => 50 });
	// 5, 10, 20, 40, 80, 145
	expect(ms).toBeLessThan(7 * 55);
	expect(attempts).toBe(300);
	expect(mostUnderWay).toBeGreaterThan(100);
});

/** The least time (ms) for a number of requests at a limiter, whose burst passes at once. */
const ownTime = (count: number, { limit, windowMs, burst = limit }: Limit) =>
	(Math.max(count - burst, 0) / limit) * windowMs;

describe.each<[number, number]>([
	[50, 300],
	[10, 60],
	[2, 60],
	[1, 60],
])('at %d requests a second, %d items', (limit, count) => {
	const second = { limit, windowMs: 1000 };

	test.each(
		kinds.flatMap((kind) =>
			(['seconds', 'none'] as const).flatMap((how) =>
				[5, 50].map((delay) => [kind, how, delay] as const),
			),
		),
	)('%s, Retry-After: %s, %d ms a request', async (kind, retryAfter, delay) => {
		const { ms, errors, refused } = await run(
			count,
			limited(kind, { ...second, delay, retryAfter }),
		);
		expect(errors).toEqual([]);
		const most = kind === 'fixed window' ? 1.2 : 1.25;
		expect(ms / ownTime(count, second)).toBeLessThan(most);
		expect(refused).toBeLessThan(count / 2);
	});
});

/**
 * Limiters, and the most seconds that a run may take beyond 1.3 times their least time: with `Retry-After`
 * in whole seconds, which are rounded up, and otherwise.
 */
const manyLimiters: Array<
	[string, LimiterKind, { age?: number; burst?: number; isShared?: boolean }, number, number]
> = [
	['a fixed window that begins with the first request', 'fixed window', {}, 4, 2],
	['a fixed window that has begun before', 'fixed window', { age: 300 }, 3, 3],
	['a fixed window that is nearly over', 'fixed window', { age: 800 }, 4, 3],
	['a fixed window that another client shares', 'fixed window', { isShared: true }, 2, 2],
	['a sliding window', 'sliding window', {}, 4, 3],
	['a token bucket', 'token bucket', {}, 2, 2],
	['a token bucket with a small burst', 'token bucket', { burst: 5 }, 17, 13],
	['a leaky bucket', 'token bucket', { burst: 1 }, 25, 17],
];

describe.each(manyLimiters)('%s', (_name, kind, { isShared, ...shape }, inSeconds, otherwise) => {
	test.each<RetryAfter>(['seconds', 'exact', 'none'])(
		'lets all items succeed at any limit, Retry-After: %s',
		async (retryAfter) => {
			for (const limit of [1, 5, 20, 100]) {
				for (const delay of [5, 50, 200]) {
					const count = limit < 100 ? 60 : 300;
					const others = isShared ? limit : undefined;
					const second = { ...shape, limit: limit * (isShared ? 2 : 1), windowMs: 1000 };
					const { ms, errors, refused } = await run(
						count,
						limited(kind, { ...second, delay, retryAfter, others }),
					);
					expect(errors).toEqual([]);
					const excess = ms - 1.3 * ownTime(count, { ...shape, limit, windowMs: 1000 });
					const most = retryAfter === 'seconds' ? inSeconds : otherwise;
					expect(excess / 1000).toBeLessThan(most);
					expect(refused).toBeLessThan(count);
				}
			}
		},
	);
});

describe('a limit of 30 requests a minute', () => {
	test.each(
		kinds.flatMap((kind) =>
			(['seconds', 'date', 'none', 'zero'] as const).map((how) => [kind, how] as const),
		),
	)('%s, Retry-After: %s', async (kind, retryAfter) => {
		const service = limited(kind, { limit: 30, windowMs: 60_000, retryAfter });
		const { ms, errors } = await run(75, service);
		expect(errors).toEqual([]);
		expect(ms).toBeLessThan(240_000);
	});
});
