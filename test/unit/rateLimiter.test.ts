import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { runItems } from '../../nodes/VoiceAgent/operations/run';
import { SendRate } from '../../nodes/VoiceAgent/api/sendRate';
import {
	limiters,
	retryAfterHeader,
	type Limit,
	type LimiterKind,
	type RetryAfter,
} from '../support/limiters';
import { VirtualTime } from '../support/virtualTime';

let mockTime: VirtualTime;
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await mockTime.sleep(ms),
}));

/** Pseudo-random numbers between 0 and 1, the same in each run. */
let seed: number;
const chance = () => {
	seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
	return seed / 2 ** 32;
};

beforeEach(() => {
	mockTime = new VirtualTime();
	mockTime.now = Date.UTC(2030, 0, 1) + 370;
	seed = 1;
	jest.spyOn(Date, 'now').mockImplementation(() => mockTime.now);
	jest.spyOn(Math, 'random').mockImplementation(chance);
});
afterEach(() => jest.restoreAllMocks());

/** The answer to a request that the service refuses. */
interface Refusal {
	status: number;
	headers?: Record<string, string>;
}

interface Service {
	/** The time of an answer (ms). */
	delay: (underWay: number) => number;
	/** @returns undefined if the service accepts the request */
	refuses?: (request: number, underWay: number) => Refusal | undefined;
}

interface Run {
	/** The time of the run. */
	ms: number;
	/** The errors of the items. */
	errors: string[];
	attempts: number;
	refused: number;
	mostUnderWay: number;
}

const CATALOG = JSON.stringify({ data: ['call.completed'] });

/** Runs the action node on items that send one request each, in virtual time. */
async function run(
	count: number,
	service: Service,
	{
		operation = 'getEventTypes',
		continueOnFail = true,
		signal,
	}: { operation?: string; continueOnFail?: boolean; signal?: AbortSignal } = {},
): Promise<Run> {
	const result: Run = { ms: 0, errors: [], attempts: 0, refused: 0, mostUnderWay: 0 };
	let underWay = 0;
	const answer = async ({ timeout = Infinity }: IHttpRequestOptions) => {
		const request = result.attempts++;
		underWay++;
		result.mostUnderWay = Math.max(result.mostUnderWay, underWay);
		try {
			const delay = service.delay(underWay) * (1 + chance() / 10);
			if (delay > timeout) {
				await mockTime.sleep(timeout);
				throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
			}
			await mockTime.sleep(delay / 2);
			const refusal = service.refuses?.(request, underWay);
			if (refusal) result.refused++;
			await mockTime.sleep(delay / 2);
			const { status = 200, headers = {} } = refusal ?? {};
			return { statusCode: status, headers, body: status === 200 ? CATALOG : '{}' };
		} finally {
			underWay--;
		}
	};
	const parameters: Record<string, unknown> = {
		resource: operation === 'create' ? 'apiKey' : 'webhook',
		operation,
		name: 'New',
	};
	const context = {
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		getNode: () => ({ name: 'Voice Agent', type: 'n8n-nodes-voice-agent.voiceAgent' }),
		getNodeParameter: (name: string, _item: number, fallback: unknown) =>
			parameters[name] ?? fallback,
		getCredentials: () =>
			Promise.resolve({ baseUrl: 'https://api.example.com/v1', apiKey: 'svc_live_1' }),
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => continueOnFail,
		addExecutionHints: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: never) => await answer(options),
		},
		logger: { warn: () => undefined },
	} as unknown as IExecuteFunctions;

	const start = mockTime.now;
	const output = await mockTime.run(runItems(context));
	result.ms = mockTime.now - start;
	result.errors = output.flatMap(({ json }) => (json.error ? [json.error as string] : []));
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: count }, (_item, item) => ({ item })),
	);
	return result;
}

/** A service behind a limiter. */
function limited(
	kind: LimiterKind,
	{
		delay = 50,
		retryAfter,
		others,
		...limit
	}: Limit & {
		delay?: number;
		retryAfter: RetryAfter;
		/** The requests of another client in each window. */
		others?: number;
	},
): Service {
	const limiter = limiters[kind](limit);
	let othersAt = Date.now();
	return {
		delay: () => delay,
		refuses: () => {
			for (; others && othersAt < Date.now(); othersAt += limit.windowMs / others) {
				limiter.ask(othersAt);
			}
			const wait = limiter.ask(Date.now());
			if (wait === 0) return undefined;
			return { status: 429, headers: retryAfterHeader(retryAfter, wait, Date.now()) };
		},
	};
}

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

test('a service that slows down with each request under way gets no time-outs', async () => {
	const { attempts, errors, mostUnderWay } = await run(1_000, {
		delay: (underWay) => 50 * underWay,
	});
	expect(errors).toEqual([]);
	expect(attempts).toBe(1_000);
	expect(mostUnderWay * 50).toBeLessThan(5_000);
});

test('all items succeed at a service that answers 503 to more than ten requests at once', async () => {
	const { ms, errors } = await run(300, {
		delay: () => 50,
		refuses: (_request, underWay) => (underWay > 10 ? { status: 503 } : undefined),
	});
	expect(errors).toEqual([]);
	expect(ms).toBeLessThan(30_000);
});

test('time-outs of requests that were sent together halve the number under way once', () => {
	const rate = new SendRate();
	for (let sent = 0; sent < 5; sent++) rate.send(0);
	for (let sent = 0; sent < 5; sent++) rate.report('answered', 0, 50);
	expect(rate.width).toBe(10);
	for (let sent = 0; sent < 10; sent++) rate.send(50);
	for (let late = 0; late < 9; late++) rate.report('late', 50, 30_050);
	expect(rate.width).toBe(5);
});

test('a request is retried after a time-out, and the other items go on', async () => {
	let first = true;
	const { attempts, errors } = await run(60, {
		delay: () => {
			const delay = first ? 40_000 : 50;
			first = false;
			return delay;
		},
	});
	expect(errors).toEqual([]);
	expect(attempts).toBe(61);
});

test('a POST is not retried after a 503 without Retry-After', async () => {
	let first = true;
	const { attempts, errors } = await run(
		10,
		{
			delay: () => 50,
			refuses: () => {
				const refusal = first ? { status: 503 } : undefined;
				first = false;
				return refusal;
			},
		},
		{ operation: 'create' },
	);
	expect(errors.filter((error) => error.includes('may have carried out'))).toHaveLength(1);
	expect(attempts).toBe(10);
});

describe('a run ends', () => {
	test.each<[string, Refusal]>([
		['429', { status: 429 }],
		['429 with Retry-After: 0', { status: 429, headers: { 'retry-after': '0' } }],
		['429 with Retry-After: 1', { status: 429, headers: { 'retry-after': '1' } }],
		['429 with Retry-After: 60', { status: 429, headers: { 'retry-after': '60' } }],
		['503', { status: 503 }],
		['503 with Retry-After: 5', { status: 503, headers: { 'retry-after': '5' } }],
	])('within three minutes if every request gets %s', async (_name, refusal) => {
		const { ms, errors, attempts } = await run(100, { delay: () => 50, refuses: () => refusal });
		expect(errors).toHaveLength(100);
		expect(ms).toBeLessThan(180_000);
		expect(attempts).toBeLessThan(400);
	});

	test('at once if Retry-After is an hour', async () => {
		const refusal = { status: 429, headers: { 'retry-after': '3600' } };
		const { ms, errors, attempts } = await run(100, { delay: () => 50, refuses: () => refusal });
		expect(errors).toHaveLength(100);
		expect(attempts).toBe(100);
		expect(ms).toBeLessThan(10_000);
	});

	test('soon after it was cancelled, also if Retry-After is a minute', async () => {
		const controller = new AbortController();
		const refusal = { status: 429, headers: { 'retry-after': '60' } };
		void mockTime.sleep(5_000).then(() => controller.abort());
		const start = mockTime.now;
		const running = run(
			100,
			{ delay: () => 50, refuses: () => refusal },
			{ signal: controller.signal, continueOnFail: false },
		);
		await expect(running).rejects.toThrow('cancelled');
		expect(mockTime.now - start).toBeLessThan(5_500);
	});
});

test('no further item begins after the first failure', async () => {
	let requests = 0;
	const refuses = (request: number) => {
		requests++;
		return request === 7 ? { status: 409 } : undefined;
	};
	const failing = run(300, { delay: () => 50, refuses }, { continueOnFail: false });
	await expect(failing).rejects.toThrow('conflict');
	expect(requests).toBeLessThan(25);
});
