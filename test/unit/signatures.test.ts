import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Webhook } from 'standardwebhooks';

import { isSigned, type Headers } from '../../nodes/VoiceAgent/delivery/signatures';
import { fc } from '../support/random';

const NOW = 1_900_000_000_000;
const SECONDS = String(NOW / 1000);
const SECRET = 'any text: ünïcode, too';
const BASE64_SECRET = `whsec_${Buffer.from('the secret of the endpoint, 32 b').toString('base64')}`;

/** Bodies: JSON, random bytes, an empty body and a megabyte. */
const anyBody = fc.oneof(
	fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
	fc.json().map((json) => Buffer.from(json)),
	fc.constant(Buffer.alloc(0)),
	fc.nat(255).map((byte) => Buffer.alloc(1_000_000, byte)),
);

type Sign = (body: Buffer, secret: string, at?: number) => Headers;

/** An HMAC of what stands before the body, the body, and what stands behind it. */
function hmac(body: Buffer, secret: string, { head = '', tail = '', hash = 'sha256' } = {}) {
	return createHmac(hash, secret).update(head).update(body).update(tail);
}

function standard(prefix: string): Sign {
	return (body, secret, at = NOW) => {
		const seconds = Math.floor(at / 1000);
		const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
		const signed = createHmac('sha256', key).update(`msg_1.${seconds}.`).update(body);
		return {
			[`${prefix}-id`]: 'msg_1',
			[`${prefix}-timestamp`]: String(seconds),
			[`${prefix}-signature`]: `v1,${signed.digest('base64')}`,
		};
	};
}

/** `t=SECONDS,v1=HEX` in a header, over `t.body` or `t:body`. */
const stamped =
	(header: string, before: string, between = '.', separator = ',', name = 't'): Sign =>
	(body, secret, at = NOW) => {
		const t = Math.floor(at / 1000);
		const signature = hmac(body, secret, { head: `${t}${between}` }).digest('hex');
		return { [header]: `${name}=${t}${separator}${before}${signature}` };
	};

/** `v0=HEX` over `v0:t:body`, with the timestamp in a header of its own. */
const versioned =
	(signatureHeader: string, timestampHeader: string): Sign =>
	(body, secret, at = NOW) => {
		const t = String(Math.floor(at / 1000));
		const signature = hmac(body, secret, { head: `v0:${t}:` }).digest('hex');
		return { [signatureHeader]: `v0=${signature}`, [timestampHeader]: t };
	};

const plain =
	(header: string, before = '', encoding: 'hex' | 'base64' = 'hex', hash = 'sha256'): Sign =>
	(body, secret) => ({ [header]: before + hmac(body, secret, { hash }).digest(encoding) });

/** The schemes that the page of the trigger names; the last two with a timestamp are in milliseconds. */
const TIMED: Array<[string, Sign, string?]> = [
	['Standard Webhooks', standard('webhook'), BASE64_SECRET],
	['Svix', standard('svix'), BASE64_SECRET],
	['Stripe', stamped('stripe-signature', 'v1=')],
	['Calendly', stamped('calendly-webhook-signature', 'v1=')],
	['ElevenLabs', stamped('elevenlabs-signature', 'v0=')],
	['Paddle', stamped('paddle-signature', 'h1=', ':', ';', 'ts')],
	['Slack', versioned('x-slack-signature', 'x-slack-request-timestamp')],
	['Zoom', versioned('x-zm-signature', 'x-zm-request-timestamp')],
	[
		'Vapi',
		(body, secret, at = NOW) => ({
			'x-signature': hmac(body, secret, { head: `${at}.` }).digest('hex'),
			'x-timestamp': String(at),
		}),
	],
	[
		'Retell',
		(body, secret, at = NOW) => ({
			'x-retell-signature': `v=${at},d=${hmac(body, secret, { tail: String(at) }).digest('hex')}`,
		}),
	],
];
const UNTIMED: Array<[string, Sign, string?]> = [
	['GitHub', plain('x-hub-signature-256', 'sha256=')],
	['Shopify', plain('x-shopify-hmac-sha256', '', 'base64')],
	['Intercom', plain('x-hub-signature', 'sha1=', 'hex', 'sha1')],
	['Linear', plain('linear-signature')],
	['Typeform', plain('typeform-signature', 'sha256=', 'base64')],
	['WooCommerce', plain('x-wc-webhook-signature', '', 'base64')],
	['Cal.com', plain('x-cal-signature-256')],
	['Sentry', plain('sentry-hook-signature')],
	['Razorpay', plain('x-razorpay-signature')],
	['Jira', plain('x-hub-signature', 'sha256=')],
	['SHA-512', plain('x-signature', '', 'hex', 'sha512')],
];

/** Further headers of each request. */
const OTHERS = {
	authorization: `Bearer ${'ab'.repeat(32)}`,
	'user-agent': 'service/1.0',
	'content-length': '1900000000',
	'x-request-id': '2vXHh1FnJHTQGnWTaG9h4dCzVfA',
	etag: `"${'0f'.repeat(20)}"`,
	host: 'n8n.example',
};

// Promise: A signature is found and verified over the raw bytes, in each scheme that the page names.
test.each([...TIMED, ...UNTIMED])('%s', (_name, sign, secret = SECRET) => {
	fc.assert(
		fc.property(anyBody, fc.nat(), (body, place) => {
			const verify = (headers: Headers, sent = body, secrets = [secret]) =>
				isSigned(secrets, { ...OTHERS, ...headers }, sent, NOW);
			const headers = sign(body, secret);
			expect(verify(headers)).toBe(true);
			expect(verify(headers, body, ['another secret', secret])).toBe(true);
			expect(verify(headers, body, ['another secret'])).toBe(false);
			expect(verify(headers, Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
			expect(verify(sign(body, secret.slice(0, 6) + secret.slice(10)))).toBe(false);
			const repeated = Object.entries(headers).map(([name, value]) => [name, [value, value]]);
			expect(verify(Object.fromEntries(repeated) as Headers)).toBe(false);
			if (body.length === 0) return;
			const forged = Buffer.from(body);
			forged[place % body.length]! ^= 1 << place % 8;
			expect(verify(headers, forged)).toBe(false);
		}),
		{ numRuns: 10 },
	);
});

// Promise: A signed timestamp may differ by five minutes.
test.each(TIMED)('%s: a timestamp is valid for five minutes', (_name, sign, secret = SECRET) => {
	const body = Buffer.from('{"type":"call.completed"}');
	const verify = (age: number) =>
		isSigned([secret], sign(body, secret, NOW - age * 1000), body, NOW);
	for (const age of [-300, 0, 300]) expect([age, verify(age)]).toEqual([age, true]);
	for (const age of [-100_000, -301, 301, 100_000])
		expect([age, verify(age)]).toEqual([age, false]);
});

test('an old signed text is not accepted as a body', () => {
	const old = NOW - 86_400_000;
	const body = '{"type":"call.completed"}';
	const texts = [
		`msg_1.${old / 1000}.${body}`,
		`${old}.${body}`,
		`v0:${old / 1000}:${body}`,
		body + old,
	];
	for (const text of texts) {
		const headers = plain('x-signature')(Buffer.from(text), SECRET);
		expect(isSigned([SECRET], headers, Buffer.from(text), NOW)).toBe(false);
	}
});

interface SignedDelivery {
	scheme: string;
	source: string;
	secret: string;
	headers: Headers;
	body: string;
	/** Milliseconds since 1970. */
	at: number;
}
const signedDeliveries = JSON.parse(
	readFileSync('test/unit/signedDeliveries.json', 'utf8'),
) as SignedDelivery[];

/** Deliveries of documentations, and deliveries that a provider's own or an open library signs or accepts. */
test.each(signedDeliveries)('$scheme, as in $source', ({ secret, headers, body, at }) => {
	expect(isSigned([secret], headers, Buffer.from(body), at)).toBe(true);
	expect(isSigned([secret], headers, Buffer.from(`${body} `), at)).toBe(false);
});

test('the page of the trigger names these schemes', () => {
	const page = readFileSync('docs/voice-agent-trigger.md', 'utf8').replace(/\s+/g, ' ');
	const [, named = ''] = /those of (.*?), and others like them/.exec(page) ?? [];
	const schemes = signedDeliveries.map(({ scheme }) => scheme);
	expect(named.split(/, | and /).sort()).toEqual(schemes.sort());
});

test("what the specification's own library signs is accepted, among other signatures, too", () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			const signature = new Webhook(BASE64_SECRET).sign('msg_1', new Date(NOW), text);
			for (const value of [signature, `v1,AAAA ${signature}`, `v1a,xyz ${signature} v2,abc`]) {
				const headers = {
					'webhook-id': 'msg_1',
					'webhook-timestamp': SECONDS,
					'webhook-signature': value,
				};
				expect(isSigned([BASE64_SECRET], headers, Buffer.from(text), NOW)).toBe(true);
				expect(isSigned([BASE64_SECRET.slice(6)], headers, Buffer.from(text), NOW)).toBe(true);
			}
		}),
	);
});

// Promise: A typed secret is used as typed.
test.each(['hidden-valley-42', 'my...secret', 'xxxxxx', '***', '<filtered>', 'whsec_short'])(
	'the typed secret %s is used as typed',
	(secret) => {
		const body = Buffer.from('{"type":"call.completed"}');
		for (const [, sign] of [...TIMED.slice(2), ...UNTIMED]) {
			expect(isSigned([secret], sign(body, secret), body, NOW)).toBe(true);
			expect(isSigned([`${secret}.`], sign(body, secret), body, NOW)).toBe(false);
		}
	},
);

test.each([[[]], [['']], [['whsec_']], [['***']]])('the secrets %j verify nothing', (secrets) => {
	const body = Buffer.from('{"type":"call.completed"}');
	const forged = [...TIMED, ...UNTIMED].map(([, sign]) => sign(body, ''));
	expect(forged.filter((headers) => isSigned(secrets, headers, body, NOW))).toEqual([]);
});

test.each([{}, { 'x-signature': '' }, { 'x-signature': '=' }, { 'x-signature': 't=,v1=' }])(
	'a delivery with the headers %j is not signed',
	(headers) => expect(isSigned([SECRET], headers, Buffer.from('{}'), NOW)).toBe(false),
);

// Promise: Of 10,000 forged signatures, none is accepted.
test('10,000 forged signatures are refused', () => {
	const schemes = [...TIMED, ...UNTIMED];
	const body = Buffer.from('{"type":"call.completed"}');
	let accepted = 0;
	fc.assert(
		fc.property(fc.nat(schemes.length - 1), fc.string({ minLength: 1 }), (place, guess) => {
			const [, sign, secret = SECRET] = schemes[place]!;
			if (isSigned([secret], sign(body, `${guess}\0`), body, NOW)) accepted++;
		}),
		{ numRuns: 10_000 },
	);
	console.log(`10000 forged signatures, ${accepted} accepted`);
	expect(accepted).toBe(0);
});

test('a delivery without a valid signature costs a bounded time', () => {
	const times = [1_000, 1_000_000].flatMap((bytes) => {
		const body = Buffer.alloc(bytes, 'x');
		const worst = {
			...stamped('stripe-signature', 'v1=')(body, 'another secret'),
			'x-timestamp': String(NOW),
			'x-other': Buffer.alloc(20).toString('hex'),
			'x-third': Buffer.alloc(64).toString('hex'),
		};
		const right = plain('x-hub-signature-256', 'sha256=')(body, SECRET);
		return Object.entries({ accepted: right, refused: worst, unsigned: OTHERS }).map(
			([kind, headers]) => {
				const rounds = Array.from({ length: 9 }, () => {
					const from = performance.now();
					expect(isSigned([SECRET, BASE64_SECRET], headers, body, NOW)).toBe(kind === 'accepted');
					return performance.now() - from;
				});
				return { bytes, kind, ms: rounds.sort((a, b) => a - b)[4]! };
			},
		);
	});
	console.log(
		times.map(({ bytes, kind, ms }) => `${bytes} B ${kind}: ${ms.toFixed(3)} ms`).join('\n'),
	);
	expect(Math.max(...times.map(({ ms }) => ms))).toBeLessThan(400);
});
