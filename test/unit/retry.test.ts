import { retryDelay, type Outcome } from '../../nodes/VoiceAgent/service/retry';

const status = (code: number, retryAfter?: string): Outcome => ({
	status: code,
	headers: { 'retry-after': retryAfter },
	text: '',
});

/** Reads the name of an outcome: a status, also `429 with Retry-After`, or a failure such as `EPIPE`. */
function outcomeOf(name: string): Outcome {
	const [, code, after] = /^(\d+)( with Retry-After)?$/.exec(name) ?? [];
	return code ? status(Number(code), after && '1') : { failure: name };
}

/** The outcomes after which methods are retried (RFC 9110, sections 9.2.2 and 10.2.3). */
const retried: Record<string, string[]> = {
	'GET, DELETE, POST, PATCH': [
		...['429', '429 with Retry-After', '503 with Retry-After'],
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
	],
	'GET, DELETE': [
		...['500', '500 with Retry-After', '502', '503'],
		...['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'socket hang up', 'EPIPE'],
	],
	'': [
		...['301', '400', '401', '403', '404', '409', '422', 'CERT_HAS_EXPIRED', 'ERR_CANCELED'],
		...['SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_INVALID_CHAR'],
		...['ERR_SSL_WRONG_VERSION_NUMBER', 'tunneling socket could not be established'],
	],
};

// Promise: A POST is retried only where the request can't have been processed.
test.each(
	Object.entries(retried).flatMap(([methods, names]) => names.map((name) => [name, methods])),
)('after %s the methods that are retried are: %s', (name, methods) => {
	const outcome = outcomeOf(name);
	const again = ['GET', 'DELETE', 'POST', 'PATCH'].filter((method) =>
		retryDelay(method, outcome, 1),
	);
	expect(again.join(', ')).toBe(methods);
});

test('the sixth attempt is the last, unless the service has not carried it out', () => {
	expect(retryDelay('GET', status(500), 5)).toBeDefined();
	expect(retryDelay('GET', status(500), 6)).toBeUndefined();
	expect(retryDelay('GET', status(429, '1'), 60)).toBe(1_000);
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

	// Promise: `Retry-After` is honoured.
	test.each([
		[' 7 ', 7_000],
		['1.5', 1_500],
		[new Date(NOW + 3_000).toUTCString(), 3_000],
		[new Date(NOW + 3_000).toISOString(), 3_000],
	])('%s', (header, wait) => expect(retryDelay('POST', status(503, header), 1)).toBe(wait));

	test.each(['0', new Date(NOW - 60_000).toUTCString()])('%s makes no pause shorter', (header) => {
		expect(retryDelay('POST', status(503, header), 1)).toBeGreaterThanOrEqual(200);
	});

	test.each(['', 'soon', 'soon 5', '-5', '5 s', '1e3', '0x10', 'Infinity'])(
		'%j is ignored',
		(header) => {
			expect(retryDelay('POST', status(503, header), 1)).toBeUndefined();
			expect(retryDelay('POST', status(429, header), 1)).toBeLessThanOrEqual(400);
		},
	);
});
