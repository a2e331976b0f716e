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

/** Up to five escapings, one around the other. */
const chains = fc
	.array(fc.constantFrom(...Object.keys(ESCAPINGS)), { maxLength: 5 })
	.map((names) => ({
		write: (text: string) => names.reduce((written, name) => ESCAPINGS[name]!(written), text),
		[fc.toStringMethod]: () => names.join(', then ') || 'as it is',
	}));

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

const runs = { numRuns: 50_000 };

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
});
