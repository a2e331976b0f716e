import { hideAllSecrets, hideSecrets } from '../../nodes/VoiceAgent/service/secrets';
import { fc } from '../support/jest/random';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const URL_ = `https://n8n.example.com/webhook/1?voice_agent_token=${TOKEN}`;

/** The spellings in which a secret is found. */
const SPELLINGS: Record<string, (text: string) => string> = {
	unchanged: (text) => text,
	'in JSON': (text) => JSON.stringify(text).slice(1, -1),
	'in JSON with slashes escaped': (text) =>
		JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'in a URL': encodeURIComponent,
	'in a URL, in small letters': (text) =>
		encodeURIComponent(text).replace(/%../g, (encoded) => encoded.toLowerCase()),
};

const secrets = fc
	.tuple(
		fc.stringMatching(/^[a-zA-Z0-9_-]{8,40}$/),
		fc.array(fc.constantFrom('/', '+', '=', '"', '\\', '$&', '%41', 'é', '😀'), {
			minLength: 4,
			maxLength: 6,
		}),
	)
	.map(([letters, odd]) => letters + odd.join(''));

describe('a known secret is hidden, and the text around it stays', () => {
	const surroundings = fc.string({ unit: fc.constantFrom(...'äöü ;#{}[]<>,:?|') });

	test.each(Object.keys(SPELLINGS))('%s', (name) => {
		const write = SPELLINGS[name]!;
		fc.assert(
			fc.property(secrets, surroundings, surroundings, (secret, before, after) => {
				expect(hideSecrets(before + write(secret) + after, [secret])).toBe(`${before}***${after}`);
			}),
		);
	});

	test('also if it comes twice', () =>
		expect(hideSecrets(`${KEY}${KEY} ${KEY}`, [KEY])).toBe('****** ***'));

	test('also as a part of another secret', () =>
		expect(hideSecrets(`${KEY}-more ${KEY}`, [KEY, `${KEY}-more`])).toBe('*** ***'));

	test('but not a secret so short that an event may hold it by chance', () => {
		expect(hideSecrets('call completed', ['call', '', 'e', 'completed'])).toBe('call completed');
		expect(hideSecrets('hunter2-lane!', ['hunter2-lane'])).toBe('***!');
	});
});

describe('in data', () => {
	// Promise: A known secret is hidden in data at any depth.
	test('a secret is hidden in names and values, at any depth', () => {
		expect(hideSecrets({ a: [{ [`x${KEY}`]: [KEY, 1, null] }], b: KEY }, [KEY])).toEqual({
			a: [{ 'x***': ['***', 1, null] }],
			b: '***',
		});
	});

	test('other values stay, and the given value is not changed', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const copy = structuredClone(value);
				expect(hideSecrets(value, [KEY, TOKEN])).toEqual(value);
				expect(value).toEqual(copy);
			}),
		);
		const given = { url: URL_ };
		hideSecrets(given, []);
		expect(given.url).toBe(URL_);
		expect(hideSecrets(undefined, [KEY])).toBeUndefined();
	});

	test('fields with the names of prototypes stay', () => {
		const value = JSON.parse(`{"__proto__": {"a": "${KEY}"}, "constructor": 1}`) as object;
		expect(JSON.stringify(hideSecrets(value, [KEY]))).toBe(
			'{"__proto__":{"a":"***"},"constructor":1}',
		);
	});

	test.each([
		['objects', (inner: unknown) => ({ a: inner })],
		['arrays', (inner: unknown) => [inner]],
	])('a secret is hidden below 100,000 %s, without a stack overflow', (_name, wrap) => {
		let value: unknown = { last: `of ${KEY}` };
		for (let level = 0; level < 100_000; level++) value = wrap(value);
		for (const hide of [hideSecrets, hideAllSecrets]) {
			let shown = hide(value, [KEY]);
			for (let level = 0; level < 100_000; level++) shown = Object.values(shown as object)[0];
			expect(shown).toEqual({ last: 'of ***' });
		}
	});
});

test.each([
	['in a field', { voice_agent_token: TOKEN }, { voice_agent_token: '***' }],
	['in a field twice', { voice_agent_token: [TOKEN, ''] }, { voice_agent_token: ['***', ''] }],
	['in a hash', `{"voice_agent_token"=>"${TOKEN}"}`, '{"voice_agent_token"=>"***"}'],
	[
		'in JSON in JSON',
		JSON.stringify(JSON.stringify({ voice_agent_token: TOKEN })),
		'"{\\"voice_agent_token\\":\\"***\\"}"',
	],
	[
		'in a URL in a URL',
		`?to=${encodeURIComponent(`?voice_agent_token=${TOKEN}&a`)}`,
		'?to=%3Fvoice_agent_token%3D***%26a',
	],
	['cut off', URL_.slice(URL_.indexOf('?'), -20), '?voice_agent_token=***'],
])('an unknown callback token is hidden by the name of its parameter %s', (_name, value, shown) =>
	expect(hideSecrets<unknown>(value, [])).toEqual(shown),
);

test.each([
	'voice_agent_token is missing',
	'voice_agent_token: required',
	{ voice_agent_token: true },
	{ prefix: 'svc_live_01', signing_key: 'abc' },
])('an unknown callback token is hidden by the name of its parameter but %j stays', (value) =>
	expect(hideSecrets<unknown>(value, [])).toEqual(value),
);

/** The characters that libraries escape in JSON. */
const writers = fc.constantFrom(...[/$^/, /[^\x20-\x7e]/, /[<>&'=+]/, /[a-z]/i, /[\d_-]/, /[^]/]);
const write = (text: string, escapes: RegExp) =>
	`"${text
		.split('')
		.map((unit) => (escapes.test(unit) ? escaped(unit) : JSON.stringify(unit).slice(1, -1)))
		.join('')}"`;
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

test.each(Object.keys(SPELLINGS))(
	'a secret is found, whichever characters are escaped: %s',
	(name) => {
		fc.assert(
			fc.property(secrets, writers, fc.boolean(), (secret, escapes, isName) => {
				const text = write(SPELLINGS[name]!(secret), escapes);
				const json = `[${isName ? `{${text}:1}` : text}]`;
				const parsed: unknown = JSON.parse(json);
				expect(hideSecrets(parsed, [secret])).not.toBe(parsed);
			}),
		);
	},
);

test.each([
	'BEARER abcdefghijklmnop',
	'bearer%20abcdefghijklmnop',
	'Bearer\\u0020abcdefghijklmnop',
])('a bearer token is hidden, however it is written: %s', (text) => {
	for (const json of [`["${text}"]`, JSON.stringify([text])]) {
		expect(JSON.stringify(hideSecrets<unknown>(JSON.parse(json), []))).not.toContain('abcdef');
	}
});

test.each(['Bearer ', 'whsec_', 'voice_agent_token=', 'password=', 'bearer', '\\/'])(
	'a text of 16 MB is searched: %s',
	(start) => {
		for (const end of ['a', ' ', '=', '\\/']) {
			const text = (start + end.repeat(2 ** 24)).slice(0, 2 ** 24);
			expect(hideAllSecrets(text, []).length).toBeLessThanOrEqual(text.length + 9);
		}
	},
);
