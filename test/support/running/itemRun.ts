import { sleep, type IExecuteFunctions, type IHttpRequestOptions } from 'n8n-workflow';

import { runItems } from '../../../nodes/VoiceAgent/operations/run';
import { remove } from '../../../nodes/VoiceAgent/operations/webhook/delete.operation';

/** The answer to a request that the service refuses. */
export interface Refusal {
	status: number;
	headers?: Record<string, string>;
}

interface Service {
	/** The time of an answer (ms); 50 by default. */
	delay?: (request: number) => number;
	/** @returns undefined if the service accepts the request */
	refuses?: (item: number) => Refusal | undefined;
}

/** Runs the action node on items that send one request each, in virtual time. */
export async function run(
	count: number,
	{ delay = () => 50, refuses }: Service,
	{ continueOnFail = true, signal }: { continueOnFail?: boolean; signal?: AbortSignal } = {},
) {
	const result = { attempts: 0 };
	const answer = async ({ url, timeout = Infinity }: IHttpRequestOptions) => {
		const ms = delay(result.attempts++) * (1 + Math.random() / 10);
		await sleep(Math.min(ms / 2, timeout));
		if (ms > timeout) throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
		const item = Number(url.split('/').at(-1));
		const { status = 200, headers = {} } = refuses?.(item) ?? {};
		await sleep(ms / 2);
		return { statusCode: status, headers, body: '{}' };
	};
	const context = {
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		getNode: () => ({ name: 'Voice Agent', type: 'n8n-nodes-voice-agent.voiceAgent' }),
		getNodeParameter: (_name: string, item: number) => `${item}`,
		getCredentials: () =>
			Promise.resolve({ baseUrl: 'https://api.example.com/v1', apiKey: 'svc_live_1' }),
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => continueOnFail,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: never) => await answer(options),
		},
	} as unknown as IExecuteFunctions;

	const start = Date.now();
	const output = await untilDone(runItems(context, remove));
	return {
		...result,
		/** The time of the run. */
		ms: Date.now() - start,
		/** The errors of the items. */
		errors: output.flatMap(({ json }) => (json.error ? [json.error as string] : [])),
	};
}

/** A service that accepts so many requests in each window of time; its `Retry-After` is in whole seconds. */
export function limited(limit: number, windowMs: number, sendsRetryAfter: boolean): Service {
	let start = -Infinity;
	let passed = 0;
	return {
		refuses: () => {
			const now = Date.now();
			if (now >= start + windowMs) [start, passed] = [now, 0];
			if (passed++ < limit) return undefined;
			const headers = { 'retry-after': String(Math.ceil((start + windowMs - now) / 1000)) };
			return { status: 429, ...(sendsRetryAfter && { headers }) };
		},
	};
}

/** Lets the waits of each test pass at once, and gives it the same pseudo-random numbers in each run. */
export function useVirtualTime(): void {
	beforeEach(() => {
		const now = Date.UTC(2030, 0, 1) + 370;
		jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate'] });
		let seed = 1;
		jest.spyOn(Math, 'random').mockImplementation(() => {
			seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
			return seed / 2 ** 32;
		});
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}

/** Lets time pass until the work is done. */
async function untilDone<Result>(work: Promise<Result>): Promise<Result> {
	let isDone = false;
	const end = () => (isDone = true);
	work.then(end, end);
	for (;;) {
		await new Promise(setImmediate);
		if (isDone) return await work;
		if (jest.getTimerCount() === 0) throw new Error('The work is not done, and no wait is left');
		await jest.advanceTimersToNextTimerAsync();
	}
}
