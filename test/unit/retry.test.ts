import { retryDelay, type Outcome } from '../../nodes/VoiceAgent/api/retry';

const status = (code: number, retryAfter?: string): Outcome => ({
	status: code,
	headers: { 'retry-after': retryAfter },
	text: '',
});

/** Which methods are sent again after an outcome (contract silent; RFC 9110, sections 9.2.2, 10.2.3). */
const again: Array<[string, Outcome, { GET: boolean; DELETE: boolean; POST: boolean }]> = [
	['429', status(429), { GET: true, DELETE: true, POST: true }],
	['429 with Retry-After', status(429, '1'), { GET: true, DELETE: true, POST: true }],
	['503 with Retry-After', status(503, '1'), { GET: true, DELETE: true, POST: true }],
	['503', status(503), { GET: true, DELETE: true, POST: false }],
	['500', status(500), { GET: true, DELETE: true, POST: false }],
	['500 with Retry-After', status(500, '1'), { GET: true, DELETE: true, POST: false }],
	['502', status(502), { GET: true, DELETE: true, POST: false }],
	['400', status(400), { GET: false, DELETE: false, POST: false }],
	['401', status(401), { GET: false, DELETE: false, POST: false }],
	['403', status(403), { GET: false, DELETE: false, POST: false }],
	['404', status(404), { GET: false, DELETE: false, POST: false }],
	['409', status(409), { GET: false, DELETE: false, POST: false }],
	['422', status(422), { GET: false, DELETE: false, POST: false }],
	['301', status(301), { GET: false, DELETE: false, POST: false }],
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'].map(
		(failure) =>
			[failure, { failure }, { GET: true, DELETE: true, POST: true }] as (typeof again)[number],
	),
	...['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'socket hang up', 'EPIPE'].map(
		(failure) =>
			[failure, { failure }, { GET: true, DELETE: true, POST: false }] as (typeof again)[number],
	),
	...[
		'CERT_HAS_EXPIRED',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'ERR_SSL_WRONG_VERSION_NUMBER',
		'ERR_INVALID_CHAR',
		'ERR_CANCELED',
	].map(
		(failure) =>
			[failure, { failure }, { GET: false, DELETE: false, POST: false }] as (typeof again)[number],
	),
];

test.each(again)('after %s', (_name, outcome, expected) => {
	for (const [method, isSentAgain] of Object.entries(expected)) {
		expect([method, retryDelay(method, outcome, 1) !== undefined]).toEqual([method, isSentAgain]);
	}
});

test('the sixth try is the last', () => {
	expect(retryDelay('GET', status(429), 5)).toBeDefined();
	expect(retryDelay('GET', status(429, '1'), 6)).toBeUndefined();
});

test('without Retry-After, the wait doubles up to eight seconds, less up to half by chance', () => {
	for (const [tries, longest] of [400, 800, 1600, 3200, 6400].entries()) {
		const waits = Array.from({ length: 50 }, () => retryDelay('GET', status(503), tries + 1) ?? 0);
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
		'%j says nothing',
		(header) => {
			expect(retryDelay('POST', status(503, header), 1)).toBeUndefined();
			expect(retryDelay('POST', status(429, header), 1)).toBeLessThanOrEqual(400);
		},
	);
});
