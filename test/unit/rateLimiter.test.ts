import { RateLimiter } from '../../nodes/VoiceAgent/service/rateLimiter';
import { limited, run, type Refusal } from '../support/running/itemRun';
import { time, useVirtualTime } from '../support/time/virtualTime';

// The waits of the node pass in virtual time.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/virtualWaits'));

useVirtualTime();

test('without a limit, the number of requests under way doubles with each answer', async () => {
	const { ms, attempts, mostUnderWay } = await run(300, {});
	// 5, 10, 20, 40, 80, 145
	expect(ms).toBeLessThan(7 * 55);
	expect(attempts).toBe(300);
	expect(mostUnderWay).toBeGreaterThan(100);
});

describe.each<[number, number, number]>([
	[50, 1, 300],
	[2, 1, 30],
	[1, 1, 30],
	[30, 60, 75],
])('at %d requests in %d s, %d items', (limit, seconds, count) => {
	const windowMs = seconds * 1000;
	// The requests of the first window pass at once.
	const ownTime = (count / limit - 1) * windowMs;

	// Promise: All items succeed behind a rate limit.
	test.each(
		(['fixed window', 'token bucket'] as const).flatMap((kind) =>
			[true, false].flatMap((sendsRetryAfter) =>
				[5, 50, 200].map((delay) => [kind, sendsRetryAfter, delay] as const),
			),
		),
	)('all succeed: %s, Retry-After %s, %d ms a request', async (kind, sendsRetryAfter, delay) => {
		const service = limited(kind, { limit, windowMs, sendsRetryAfter });
		const { ms, errors } = await run(count, { ...service, delay: () => delay });
		expect(errors).toEqual([]);
		expect(ms / ownTime).toBeLessThan(2);
	});
});

test('all items succeed at a service that answers 503 to more than ten requests at once', async () => {
	const { ms, errors } = await run(300, {
		refuses: (_item, underWay) => (underWay > 10 ? { status: 503 } : undefined),
	});
	expect(errors).toEqual([]);
	expect(ms).toBeLessThan(30_000);
});

test('a request is retried after a time-out, and the other items go on', async () => {
	const { attempts, errors } = await run(60, { delay: (request) => (request ? 50 : 90_000) });
	expect(errors).toEqual([]);
	expect(attempts).toBe(61);
});

describe('a request that is refused for more than 75 s fails', () => {
	const of = (status: number, retryAfter?: string): Refusal => ({
		status,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	});

	test.each<[string, Refusal]>([
		['429', of(429)],
		['429 with Retry-After: 0', of(429, '0')],
		['429 with Retry-After: 60', of(429, '60')],
		['503', of(503)],
		['503 with Retry-After: 5', of(503, '5')],
	])('and so do all items, if every request gets %s', async (_name, refusal) => {
		const { ms, errors, attempts } = await run(100, { refuses: () => refusal });
		expect(errors).toHaveLength(100);
		expect(ms).toBeLessThan(180_000);
		expect(attempts).toBeLessThan(300);
	});

	test('alone, if the others are answered', async () => {
		const refuses = (item: number) => (item === 3 ? of(429, '1') : undefined);
		const { ms, errors } = await run(30, { refuses });
		expect(errors).toHaveLength(1);
		expect(ms).toBeLessThan(80_000);
	});

	test('at once if Retry-After is longer', async () => {
		const { ms, attempts } = await run(100, { refuses: () => of(429, '3600') });
		expect(attempts).toBe(100);
		expect(ms).toBeLessThan(10_000);
	});
});

test('a cancelled execution ends, also if Retry-After is a minute', async () => {
	const controller = new AbortController();
	const refusal = { status: 429, headers: { 'retry-after': '60' } };
	void time.sleep(5_000).then(() => controller.abort());
	const start = time.now;
	const options = { signal: controller.signal, continueOnFail: false };
	await expect(run(100, { refuses: () => refusal }, options)).rejects.toThrow('cancelled');
	expect(time.now - start).toBeLessThan(5_500);
});

test('a request that is sent again goes before those of later items', async () => {
	const limiter = new RateLimiter();
	const sent: number[] = [];
	const send = async (item: number) => {
		await limiter.waitForSlot(item);
		sent.push(item);
	};
	const start = time.now;
	await Promise.all([0, 1, 2, 3, 4].map(send));
	const waiting = [6, 7].map(send);
	limiter.report('refused', start);
	waiting.push(send(1));
	for (let answers = 0; answers < 4; answers++) limiter.report('answered', start);
	await time.run(Promise.all(waiting));
	expect(sent).toEqual([0, 1, 2, 3, 4, 1, 6, 7]);
});

test('time-outs of requests that were sent together halve the number under way once', () => {
	const limiter = new RateLimiter();
	const start = time.now;
	for (let answers = 0; answers < 5; answers++) limiter.report('answered', start);
	expect(limiter.width).toBe(10);
	time.now += 30_000;
	for (let late = 0; late < 9; late++) limiter.report('late', start);
	expect(limiter.width).toBe(5);
});
