import { retryDelay, type Outcome } from '../../nodes/VoiceAgent/api/retry';

const status = (code: number, retryAfter?: string): Outcome => ({
	status: code,
	headers: { 'retry-after': retryAfter },
	text: '',
});

const failures = (...names: string[]): Record<string, Outcome> =>
	Object.fromEntries(names.map((failure) => [failure, { failure }]));

/** The methods that are retried after an outcome (RFC 9110, sections 9.2.2 and 10.2.3). */
const retried: Array<[methods: string[], outcomes: Record<string, Outcome>]> = [
	[
		['GET', 'DELETE', 'POST'],
		{
			'429': status(429),
			'429 with Retry-After': status(429, '1'),
			'503 with Retry-After': status(503, '1'),
			...failures('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'),
		},
	],
	[
		['GET', 'DELETE'],
		{
			'500': status(500),
			'500 with Retry-After': status(500, '1'),
			'502': status(502),
			'503': status(503),
			...failures('ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'socket hang up', 'EPIPE'),
		},
	],
	[
		[],
		{
			...Object.fromEntries(
				[301, 400, 401, 403, 404, 409, 422].map((code) => [code, status(code)]),
			),
			...failures('CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_CANCELED'),
			...failures('ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER'),
			...failures('ERR_INVALID_CHAR'),
		},
	],
];

// Promise: A POST is retried only where the request can't have been processed.
test.each(
	retried.flatMap(([methods, outcomes]) =>
		Object.entries(outcomes).map(([name, outcome]) => [name, outcome, methods] as const),
	),
)('after %s', (_name, outcome, methods) =>
	expect(
		['GET', 'DELETE', 'POST'].filter((method) => retryDelay(method, outcome, 1) !== undefined),
	).toEqual(methods),
);

test('the sixth attempt is the last', () => {
	expect(retryDelay('GET', status(429), 5)).toBeDefined();
	expect(retryDelay('GET', status(429, '1'), 6)).toBeUndefined();
});

test('without Retry-After, the wait doubles up to eight seconds, minus a random part of up to half', () => {
	for (const [attempt, longest] of [400, 800, 1600, 3200, 6400].entries()) {
		const waits = Array.from(
			{ length: 50 },
			() => retryDelay('GET', status(503), attempt + 1) ?? 0,
		);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(longest / 2);
		expect(Math.max(...waits)).toBeLessThanOrEqual(longest);
		expect(new Set(waits).size).toBeGreaterThan(1);
	}
});

describe('Retry-After', () => {
	const NOW = Date.UTC(2030, 0, 1, 12);
	beforeEach(() => jest.useFakeTimers({ now: NOW }));
	afterEach(() => jest.useRealTimers());

	test.each([
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['1.5', 1_500],
		['86400', 86_400_000],
		[new Date(NOW + 3_000).toUTCString(), 3_000],
		[new Date(NOW + 3_000).toISOString(), 3_000],
		[new Date(NOW - 60_000).toUTCString(), 0],
	])('%s', (header, wait) => expect(retryDelay('POST', status(503, header), 1)).toBe(wait));

	test.each(['', ' ', 'soon', 'soon 5', '-5', '5 s', 'NaN', '1e3', '0x10', 'Infinity'])(
		'%j is ignored',
		(header) => {
			expect(retryDelay('POST', status(503, header), 1)).toBeUndefined();
			expect(retryDelay('POST', status(429, header), 1)).toBeLessThanOrEqual(400);
		},
	);
});
