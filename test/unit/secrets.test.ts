import fc from 'fast-check';

import { hideAllSecrets, hideSecrets, looksMasked } from '../../nodes/VoiceAgent/transport/secrets';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const URL_ = `https://n8n.example.com/webhook/1?voice_agent_token=${TOKEN}`;

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const each = (text: string, write: (character: string) => string) => [...text].map(write).join('');
const units = (text: string, write: (code: number) => string) =>
	text
		.split('')
		.map((unit) => write(unit.charCodeAt(0)))
		.join('');

/** Ways to write a text, by which each character is written for itself. */
const ESCAPINGS: Record<string, (text: string) => string> = {
	'percent-encoded': encodeURIComponent,
	'percent-encoded in small letters': (text) =>
		each(text, (character) => {
			const encoded = encodeURIComponent(character);
			return encoded === character ? character : encoded.toLowerCase();
		}),
	'percent-encoded whole': (text) =>
		[...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join(''),
	'as a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
	'in JSON': (text) => JSON.stringify(text).slice(1, -1),
	'in JSON with slashes escaped': (text) =>
		JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	'in JSON, all of it escaped': (text) => units(text, (code) => `\\u${hex(code, 4)}`),
	'in JSON, in capitals': (text) => units(text, (code) => `\\u${hex(code, 4).toUpperCase()}`),
	'in JavaScript': (text) =>
		units(text, (code) => (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)),
	'in HTML': (text) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&#39;'),
	'in HTML by names': (text) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('/', '&sol;')
			.replaceAll('+', '&plus;')
			.replaceAll('=', '&equals;')
			.replaceAll('$', '&dollar;')
			.replaceAll('_', '&lowbar;'),
	'in HTML by numbers': (text) => each(text, (character) => `&#${character.codePointAt(0)};`),
	'in HTML by hexadecimal numbers': (text) =>
		each(text, (character) => `&#x${hex(character.codePointAt(0) ?? 0, 2)};`),
};

/** Escapings, one around the other. */
const chainsOf = (maxLength: number) =>
	fc.array(fc.constantFrom(...Object.keys(ESCAPINGS)), { maxLength }).map((names) => ({
		write: (text: string) => names.reduce((written, name) => ESCAPINGS[name]!(written), text),
		[fc.toStringMethod]: () => names.join(', then ') || 'as it is',
	}));
const chains = chainsOf(5);

const letters = fc.string({
	unit: fc.constantFrom(...'abcdefXYZ0123456789-_'),
	minLength: 8,
	maxLength: 40,
});

/** Characters of all kinds, and what the escapings themselves are written in. */
const odd = fc.array(
	fc.oneof(
		fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
		fc.string({ unit: 'binary', maxLength: 3 }),
		fc.constantFrom('%41', '%', '%25', '\\', '\\n', '\\u0041', '&', '&amp;', '&#39;', '/', '+'),
		fc.constantFrom('=', '"', "'", '$&', '$1', 'é', '😀', ' ', '***', 'svc_live_', 'whsec_'),
	),
	{ maxLength: 6 },
);

const secrets = fc
	.tuple(odd, letters, odd)
	.map((parts) => parts.flat().join(''))
	// An escape that begins in the secret and ends behind it can't be told from one of the text's own.
	.filter((secret) => !/[\\%&][#\w]{0,7}$/.test(secret));

/** What may stand around a secret without being taken for a part of it. */
const surroundings = fc.string({ unit: fc.constantFrom(...'äöü ;#{}[]<>,:?|') });

const runs = { numRuns: 2_000 };

describe('a known secret is hidden, and nothing else', () => {
	test('in every escaping and every chain of them, to the character', () => {
		fc.assert(
			fc.property(
				secrets,
				chains,
				surroundings,
				surroundings,
				(secret, { write }, before, after) => {
					expect(hideSecrets(write(before + secret + after), [secret])).toBe(
						`${write(before)}***${write(after)}`,
					);
				},
			),
			runs,
		);
	});

	test('where each character is escaped in a way of its own', () => {
		const ways = fc.array(fc.constantFrom(...Object.values(ESCAPINGS)), { minLength: 1 });
		fc.assert(
			fc.property(letters, ways, surroundings, (secret, writings, around) => {
				const mixed = [...secret]
					.map((character, index) => writings[index % writings.length]!(character))
					.join('');
				expect(hideSecrets(around + mixed + around, [secret])).toBe(`${around}***${around}`);
			}),
			runs,
		);
	});

	test('within base64, of which no bit of it stays', () => {
		const encodings = fc.constantFrom<BufferEncoding[]>('base64', 'base64url');
		fc.assert(
			fc.property(
				secrets,
				chains,
				encodings,
				surroundings,
				surroundings,
				(secret, { write }, encoding, before, after) => {
					const whole = Buffer.from(before + secret + after)
						.toString(encoding)
						.replaceAll('=', '');
					const parts = hideSecrets(write(whole), [secret]).split('***');
					expect(parts.length).toBeGreaterThan(1);
					const lengths = [...whole, ''].map((_character, length) => length);
					const head = lengths.find((length) => write(whole.slice(0, length)) === parts[0]) ?? NaN;
					const tail = lengths.find((length) => write(whole.slice(length)) === parts.at(-1)) ?? NaN;
					expect(head * 6).toBeLessThanOrEqual(Buffer.byteLength(before) * 8);
					expect(tail * 6).toBeGreaterThanOrEqual(Buffer.byteLength(before + secret) * 8);
				},
			),
			{ numRuns: 200 },
		);
	});

	test.each([
		['Bearer', `Bearer ${KEY}`, 'Bearer ***'],
		['Basic', `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`, /^Basic .{0,7}\*\*\*$/],
		['a URL', `https://a.example/?key=${KEY}&a=1`, 'https://a.example/?key=***&a=1'],
		['twice', `${KEY}${KEY} ${KEY}`, '*** ***'],
	])('as it is often told back: %s', (_name, text, shown) => {
		const masked = hideSecrets(text, [KEY]);
		if (typeof shown === 'string') expect(masked).toBe(shown);
		else expect(masked).toMatch(shown);
	});
});

describe('a text is searched in full only where it has a run long enough to hold a secret', () => {
	/** With a secret this short, and in no text, nearly every text is searched in full. */
	const SHORT = '\u2400\u2401\u2402\u2403';

	const words = fc.oneof(
		fc.lorem({ maxCount: 12 }),
		fc.webUrl({ withQueryParameters: true }),
		fc.uuid(),
		fc.string({ unit: 'grapheme', maxLength: 60 }),
		fc.constantFrom('voice_agent_token', 'Voice_Agent_Token=abc', '"voice_agent_token" : "a"', ''),
	);
	const planted = (secret: string) =>
		fc.tuple(fc.constantFrom(secret, [...secret].slice(1).join(''), URL_), chainsOf(2));
	const texts = (secret: string) =>
		fc
			.array(
				fc.oneof(
					words,
					planted(secret).map(([text, { write }]) => write(text)),
					planted(secret).map(([text, { write }]) => write(Buffer.from(text).toString('base64'))),
				),
				{ minLength: 1, maxLength: 3 },
			)
			.map((parts) => parts.join(''));

	test.each([
		['hideSecrets', hideSecrets],
		['hideAllSecrets', hideAllSecrets],
	])('which changes nothing of what %s hides, in values and in names', (_name, hide) => {
		fc.assert(
			fc.property(
				secrets.chain((secret) =>
					fc.tuple(
						fc.constant(secret),
						fc.dictionary(texts(secret), texts(secret), { maxKeys: 3 }),
					),
				),
				([secret, event]) => {
					expect(hide(event, [secret])).toEqual(hide(event, [secret, SHORT]));
				},
			),
			{ numRuns: 300 },
		);
	});
});

describe('in data', () => {
	test('a secret is hidden in names and values, at any depth', () => {
		expect(hideSecrets({ a: [{ [`x${KEY}`]: [KEY, 1, null] }], b: KEY }, [KEY])).toEqual({
			a: [{ 'x***': ['***', 1, null] }],
			b: '***',
		});
	});

	test('and the rest stays what it is, with what was given untouched', () => {
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

	test('fields whose names differ in their secrets alone all stay', () => {
		const other = URL_.replace('abc', 'xyz');
		const shown = 'https://n8n.example.com/webhook/1?voice_agent_token=***';
		expect(hideSecrets({ [URL_]: 1, [other]: 2 }, [TOKEN])).toEqual({
			[shown]: 1,
			[`${shown} (2)`]: 2,
		});
	});

	test('names like those of a prototype are kept', () => {
		const value = JSON.parse(`{"__proto__": {"a": "${KEY}"}, "constructor": 1}`) as object;
		expect(JSON.stringify(hideSecrets(value, [KEY]))).toBe(
			'{"__proto__":{"a":"***"},"constructor":1}',
		);
	});

	test.each(['', 'a', 'abc'])('%j is no secret, but met by chance', (known) =>
		expect(hideSecrets('abcdefg aaa', [known])).toBe('abcdefg aaa'),
	);
});

describe('a callback token that is not known is hidden by its parameter', () => {
	test.each([
		[
			'in a URL',
			`POST ${URL_}&a=1 gave 200`,
			'POST https://n8n.example.com/webhook/1?voice_agent_token=***&a=1 gave 200',
		],
		['in a field', { voice_agent_token: TOKEN }, { voice_agent_token: '***' }],
		[
			'in a field that came twice',
			{ voice_agent_token: [TOKEN, ''] },
			{ voice_agent_token: ['***', ''] },
		],
		[
			'in JSON',
			JSON.stringify({ voice_agent_token: TOKEN }, null, 2),
			'{\n  "voice_agent_token": "***"\n}',
		],
		['in a hash', `{"voice_agent_token"=>"${TOKEN}"}`, '{"voice_agent_token"=>"***"}'],
		['in capitals', URL_.slice(URL_.indexOf('?')).toUpperCase(), '?VOICE_AGENT_TOKEN=***'],
		['cut', URL_.slice(URL_.indexOf('?'), -20), '?voice_agent_token=***'],
	])('%s', (_name, value, shown) => expect(hideSecrets<unknown>(value, [])).toEqual(shown));

	test('in every chain of escapings', () => {
		fc.assert(
			fc.property(chains, ({ write }) => {
				const [head = '', after] = [URL_.slice(0, -TOKEN.length), '&a=1'];
				expect(hideSecrets(write(URL_ + after), [])).toBe(`${write(head)}***${write(after)}`);
			}),
		);
	});

	test.each([
		'voice_agent_token is missing',
		'voice_agent_token: required',
		{ voice_agent_token: true },
		{ key: KEY, prefix: 'svc_live_01', secret: 'whsec_c2VjcmV0', signing_key: 'abc' },
	])('and %j stays: it may be what was asked for', (value) =>
		expect(hideSecrets<unknown>(value, [])).toEqual(value),
	);
});

describe('where nothing of the kind is wanted, all is hidden that looks like a secret', () => {
	test.each([
		[{ key: KEY }, { key: 'svc_live_***' }],
		[
			{ id: KEY, prefix: 'svc_live_01' },
			{ id: 'svc_live_***', prefix: 'svc_live_01' },
		],
		[{ current: 'whsec_MfKQ+/9==' }, { current: 'whsec_***' }],
		[
			{ secret: 'abc', next: null },
			{ secret: '***', next: null },
		],
		[
			{ signingSecret: 'abc', a: [{ webhook_secret: 'd' }] },
			{ signingSecret: '***', a: [{ webhook_secret: '***' }] },
		],
		[
			{ signing_key: 'a', signingKey: 'b', 'Signing-Secret': 'c' },
			{ signing_key: '***', signingKey: '***', 'Signing-Secret': '***' },
		],
		[
			{ secret: { value: 'abc', at: 1, next: ['d'] } },
			{ secret: { value: '***', at: 1, next: ['***'] } },
		],
		[
			{ secret: '', secretary: 'Ann', keys: ['a'] },
			{ secret: '', secretary: 'Ann', keys: ['a'] },
		],
		['{"secret": "a\\"b", "id": 1}', '{"secret": "***", "id": 1}'],
		["{'signing_key': 'a\"b', 'id': 1}", "{'signing_key': '***', 'id': 1}"],
		['{"secret": "", "id": 1}', '{"secret": "", "id": 1}'],
		['{"secret": "abc', '{"secret": "***'],
		['a=1&client_secret=abc&b=2', 'a=1&client_secret=***&b=2'],
		['The secret is missing', 'The secret is missing'],
		[
			JSON.stringify({ body: JSON.stringify({ secret: 'a"b' }) }),
			'{"body":"{\\"secret\\":\\"***\\"}"}',
		],
	])('%j', (value, shown) => {
		expect(hideAllSecrets<unknown>(value, [])).toEqual(shown);
		expect(hideAllSecrets<unknown>(shown, [])).toEqual(shown);
	});
});

describe('time grows with the length of the text, and no faster', () => {
	// What grows as the square takes minutes for a megabyte; this takes a tenth of a second.
	const BOUND_MS = 10_000;
	const time = (text: string) => {
		const began = performance.now();
		hideAllSecrets(text, [KEY, TOKEN]);
		return performance.now() - began;
	};
	const hostile = [
		...[
			'a',
			'%',
			'%41',
			'%25',
			'%2525',
			'%c3%a9',
			'%c0%80',
			'\\',
			'\\\\u005c',
			'\\u0041',
			'"',
			'\\"',
		],
		...['&', '&a', '&amp;', '&#1', '&#65;', '&bogus;', ' ', '\n', KEY, TOKEN, KEY.slice(0, -1)],
		...['voice_agent_token', 'voice_agent_token=', 'voice_agent_token"', 'svc_live_', 'whsec_'],
		...['secret', 'secret=', 'secret":"', "secret':'", 'secret"', 'secret: "\\"', 'secret     '],
	];

	test.each(hostile)('of %j again and again', (part) => {
		expect(time(part.repeat(1_000_000 / part.length))).toBeLessThan(BOUND_MS);
	});

	test('of what is drawn at random from such parts', () => {
		const texts = fc
			.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 8 })
			.map((parts) => parts.join(''));
		fc.assert(
			fc.property(texts, (text) => {
				expect(time(text.repeat(1_000_000 / text.length))).toBeLessThan(BOUND_MS);
			}),
			{ numRuns: 20 },
		);
	}, 60_000);
});

test('an event with nothing to hide costs next to nothing', () => {
	const line = { role: 'agent', text: 'Thanks & goodbye, I am "100%" happy.', start_ms: 10 };
	const event = { type: 'call.completed', data: { id: 'c_1', transcript: Array(10).fill(line) } };
	const began = performance.now();
	for (let times = 0; times < 1_000; times++) hideSecrets(event, [TOKEN]);
	// It takes a fiftieth of this; the bound is for a machine that does other work as well.
	expect(performance.now() - began).toBeLessThan(1_000);
});

describe('what only looks like a secret is told', () => {
	test.each([
		...['', '*', '***', '********', 'xxxx', 'X', 'x'.repeat(43), '-'.repeat(43), '•••', '…', '...'],
		...[
			'whsec_***',
			'whsec_…',
			'whsec_xxxx',
			'whsec_xxxxxxxx1a2b',
			'abcd************wxyz',
			'ab...yz',
		],
		...[
			'sk_••••1234',
			'00000000000000',
			'[hidden]',
			'<redacted>',
			'(masked)',
			'REDACTED',
			'abc000000000000xyz',
		],
	])('%j is masked', (text) => expect(looksMasked(text)).toBe(true));

	test.each([
		KEY,
		TOKEN,
		'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		'correct horse',
		'pa$$word',
		'abc--def__',
		'5f4dcc3b5aa765d61d8327deb882cf99',
	])('%j is not', (text) => expect(looksMasked(text)).toBe(false));

	test('nor is what is drawn at random', () => {
		fc.assert(
			fc.property(
				fc.noBias(fc.uint8Array({ minLength: 24, maxLength: 64 })),
				fc.constantFrom('hex', 'base64', 'base64url'),
				(bytes, encoding) => {
					expect(looksMasked(Buffer.from(bytes).toString(encoding as BufferEncoding))).toBe(false);
				},
			),
			{ seed: 1 },
		);
	});
});
