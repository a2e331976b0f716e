import { createHash } from 'node:crypto';
import {
	bindingOf,
	hashOf,
	isEqual,
	isOfTrigger,
	isSameAddress,
	isTokenOf,
	madeAt,
	makeToken,
	asToken,
	tokenOf,
	withToken,
	workflowIdOf,
} from '../../nodes/VoiceAgent/auth/token';
import { fc } from '../support/jest/random';
import { processorTimeFor } from '../support/time/processorTime';

const KEY = 'svc_live_abc';
const PATH = '3f2504e0/webhook';
const BINDING = `production/wf1/${PATH}`;

const at = <T>(ms: number, make: () => T) => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(ms);
	const made = make();
	clock.mockRestore();
	return made;
};

// Promise: A token has 43 characters and differs for each registration.
test('a token has 43 characters of base64url, and differs each time', () => {
	// Ten of one millisecond, which 22 random bits tell apart: more of them would meet by chance.
	const tokens = at(1_795_000_000_000, () =>
		Array.from({ length: 10 }, () => makeToken(KEY, BINDING)),
	);
	expect(new Set(tokens).size).toBe(10);
	for (const token of tokens) expect(asToken(token)).toBe(token);
});

test('a token holds any time, also a time whose letters repeat', () => {
	const draw = fc.tuple(fc.nat(63), fc.nat(63), fc.nat(3));
	fc.assert(
		fc.property(draw, ([first, letter, rest]) => {
			// The seconds have 32 bits, a letter has 6: one letter, four equal letters, and two bits.
			const equal = [letter, letter, letter, letter];
			const seconds = [first, ...equal].reduce((bits, six) => bits * 64 + six, 0) * 4 + rest;
			const token = at(seconds * 1000, () => makeToken(KEY, BINDING));
			expect(madeAt(token)).toBe(seconds * 1000);
			expect(asToken(token)).toBe(token);
			expect(isTokenOf(KEY, BINDING, token)).toBe(true);
		}),
	);
});

// Promise: The API key proves a token for one node and one mode.
test('the API key proves a token for one node and one mode', () => {
	const token = makeToken(KEY, BINDING);
	expect(isTokenOf(KEY, BINDING, token)).toBe(true);
	expect(isTokenOf('svc_live_abd', BINDING, token)).toBe(false);
	expect(isTokenOf(KEY, BINDING.replace('production', 'test'), token)).toBe(false);
	expect(isTokenOf(KEY, BINDING.replace('3f25', '3f26'), token)).toBe(false);
});

test.each([
	[`https://n8n.example.com/webhook/${PATH}`, 'production', BINDING],
	[`https://10.0.0.1:5678/n8n/webhook/${PATH}/`, 'production', BINDING],
	[`https://n8n.example.com/webhook-test/${PATH}`, 'test', `test/wf1/${PATH}`],
] as const)('at %s in the mode %s a token is bound to %s', (url, mode, binding) =>
	expect(bindingOf(mode, 'wf1', url)).toBe(binding),
);

// Promise: A token with one changed character is invalid.
test('a token with one changed character is invalid', () => {
	const token = makeToken(KEY, BINDING);
	const position = fc.integer({ min: 0, max: 42 });
	const character = fc.constantFrom(
		...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
	);
	fc.assert(
		fc.property(position, character, (index, other) => {
			fc.pre(token[index] !== other);
			const forged = token.slice(0, index) + other + token.slice(index + 1);
			expect(isTokenOf(KEY, BINDING, forged)).toBe(false);
		}),
	);
});

test('the stored hash is the SHA-256 of the token', () => {
	const token = makeToken(KEY, BINDING);
	expect(hashOf(token)).toBe(createHash('sha256').update(token).digest('base64url'));
});

test('texts are compared completely', () => {
	fc.assert(fc.property(fc.string(), fc.string(), (a, b) => expect(isEqual(a, b)).toBe(a === b)));
	expect(isEqual('\u00e9', 'e\u0301')).toBe(false);
});

const URL_ = 'https://n8n.example.com/webhook/1b9d/webhook';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

test('a token goes into a URL and comes out of it', () => {
	expect(withToken(URL_, TOKEN)).toBe(`${URL_}?voice_agent_token=${TOKEN}`);
	expect(withToken(`${URL_}?a=1`, TOKEN)).toBe(`${URL_}?a=1&voice_agent_token=${TOKEN}`);
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
			const token = Buffer.from(bytes).toString('base64url');
			expect(tokenOf(withToken(URL_, token))).toBe(token);
		}),
	);
});

test.each(['12', 'aB3dE6gH9jK2mN5p', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'])(
	'the ID of the workflow %s follows the token',
	(id) => {
		const url = withToken(URL_, TOKEN, id);
		expect(url).toBe(`${URL_}?voice_agent_token=${TOKEN}&voice_agent_workflow=${id}`);
		const [, query] = url.split('?');
		for (const shown of [url, `${URL_}?${query?.split('&').reverse().join('&')}&a=1`]) {
			expect([tokenOf(shown), workflowIdOf(shown)]).toEqual([TOKEN, id]);
		}
	},
);

test.each(['', '***', 'redacted', '__EMPTY__', 'a/../../b/c/d/e/f', '%2e%2e%2f12'])(
	'%j is no ID of a workflow',
	(id) => {
		expect(withToken(URL_, TOKEN, id)).toBe(withToken(URL_, TOKEN));
		expect(workflowIdOf(`${URL_}?voice_agent_workflow=${id}`)).toBeUndefined();
	},
);

test.each([[`${TOKEN}x`], [`${TOKEN}\n`], [[TOKEN, TOKEN]], [undefined]])(
	'%j is no token',
	(value) => expect(asToken(value)).toBeUndefined(),
);

test.each([URL_, `${URL_}?***`, `${URL_}?voice_agent_token=***`, 'not a URL', ''])(
	'%s shows no token',
	(url) => expect(tokenOf(url)).toBeUndefined(),
);

test.each([
	['a masked query', `${URL_}?***`],
	['the port spelled out', 'https://n8n.example.com:443/webhook/1b9d/webhook'],
	['the host in capitals', 'https://N8N.Example.COM/webhook/1b9d/webhook'],
	['a slash at the end', `${URL_}/?a=1`],
	['needless escapes', 'https://n8n.example.com/webhook/1b9d/%77ebhook'],
])('%s is the same address', (_name, other) => {
	expect(isSameAddress(URL_, other)).toBe(true);
	expect(isSameAddress(other, URL_)).toBe(true);
});

test('escapes in small and in capital letters are the same', () => {
	expect(isSameAddress('https://a.example/caf%c3%a9', 'https://a.example/café')).toBe(true);
	expect(isSameAddress('https://a.example/50%', 'https://a.example/50%?a')).toBe(true);
});

test.each([
	['the test URL', 'https://n8n.example.com/webhook-test/1b9d/webhook'],
	['a path in capitals', 'https://n8n.example.com/webhook/1B9D/webhook'],
	['another scheme', 'http://n8n.example.com/webhook/1b9d/webhook'],
])('%s is another address', (_name, other) => expect(isSameAddress(URL_, other)).toBe(false));

test('two texts that are no URLs are not the same address', () => {
	expect(isSameAddress('', '')).toBe(false);
});

test('the path of a trigger is found in linear time', () => {
	const url = `https://n8n.example.com${'/webhook'.repeat(50_000)}/x`;
	const ms = processorTimeFor(() => expect(isOfTrigger(url)).toBe(false));
	expect(isOfTrigger(URL_)).toBe(true);
	expect(ms).toBeLessThan(2000);
});
