import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { runItems } from '../../nodes/VoiceAgent/operations/run';
import {
	limiters,
	retryAfterHeader,
	type Limit,
	type LimiterKind,
	type RetryAfter,
} from './limiters';
import { time } from './virtualTime';

/** The answer to a request that the service refuses. */
export interface Refusal {
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
export async function run(
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
			const delay = service.delay(underWay) * (1 + Math.random() / 10);
			if (delay > timeout) {
				await time.sleep(timeout);
				throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
			}
			await time.sleep(delay / 2);
			const refusal = service.refuses?.(request, underWay);
			if (refusal) result.refused++;
			await time.sleep(delay / 2);
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

	const start = time.now;
	const output = await time.run(runItems(context));
	result.ms = time.now - start;
	result.errors = output.flatMap(({ json }) => (json.error ? [json.error as string] : []));
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: count }, (_item, item) => ({ item })),
	);
	return result;
}

/** A service behind a limiter. */
export function limited(
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
