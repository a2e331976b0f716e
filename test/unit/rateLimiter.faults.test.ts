import { SendRate } from '../../nodes/VoiceAgent/api/sendRate';
import { run, type Refusal } from '../support/itemRun';
import { time, useVirtualTime } from '../support/virtualTime';

// The waits of the node pass in virtual time.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/virtualWaits'));

useVirtualTime();

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
		void time.sleep(5_000).then(() => controller.abort());
		const start = time.now;
		const running = run(
			100,
			{ delay: () => 50, refuses: () => refusal },
			{ signal: controller.signal, continueOnFail: false },
		);
		await expect(running).rejects.toThrow('cancelled');
		expect(time.now - start).toBeLessThan(5_500);
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

test('time-outs of requests that were sent together halve the number under way once', () => {
	const rate = new SendRate();
	for (let sent = 0; sent < 5; sent++) rate.send(0);
	for (let sent = 0; sent < 5; sent++) rate.report('answered', 0, 50);
	expect(rate.width).toBe(10);
	for (let sent = 0; sent < 10; sent++) rate.send(50);
	for (let late = 0; late < 9; late++) rate.report('late', 50, 30_050);
	expect(rate.width).toBe(5);
});
