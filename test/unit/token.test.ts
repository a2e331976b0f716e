import { createHash } from 'node:crypto';
import {
	bindingOf,
	hashOf,
	isEqual,
	isTokenOf,
	madeAt,
	makeToken,
	asToken,
} from '../../nodes/VoiceAgent/auth/token';
import { fc } from '../support/jest/random';

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
