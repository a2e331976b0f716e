import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Webhook } from 'standardwebhooks';

import type { Headers } from '../../nodes/VoiceAgent/events/places';
import * as signatures from '../../nodes/VoiceAgent/auth/signatures';
import { fc } from '../support/jest/random';

const NOW = 1_900_000_000_000;
const SECRET = 'any text: ünïcode, too';
const BASE64_SECRET = `whsec_${Buffer.from('the secret of the endpoint, 32 b').toString('base64')}`;
const BODY = Buffer.from('{"type":"call.completed"}');

/** Verifies a delivery as the first one of a process. */
const isSigned = (secrets: string[], headers: Headers, body: Buffer, now: number) =>
	signatures.isSigned(secrets, headers, body, now, new Set());

/** A delivery of a documentation, or one that a provider's own or an open library signs or accepts. */
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
	readFileSync('test/payloads/signedDeliveries.json', 'utf8'),
) as SignedDelivery[];

/** Further headers of each request. */
const OTHERS = {
	authorization: `Bearer ${'ab'.repeat(32)}`,
	'user-agent': 'service/1.0',
	'content-length': '1900000000',
	'x-request-id': '2vXHh1FnJHTQGnWTaG9h4dCzVfA',
	etag: `"${'0f'.repeat(20)}"`,
	host: 'n8n.example',
};

/** Expects that each change of a signed delivery makes it invalid. */
function expectSigned(headers: Headers, secret: string, body: Buffer, at: number, place = 0): void {
	const verify = (signed: Headers, sent = body, secrets = [secret]) =>
		isSigned(secrets, { ...OTHERS, ...signed }, sent, at);
	// n8n leaves no bytes of a form with files, so a signature over nothing would fit every such form.
	expect(verify(headers)).toBe(body.length > 0);
	if (body.length === 0) return;
	expect(verify(headers, body, ['another secret', secret])).toBe(true);
	expect(verify(headers, body, ['another secret'])).toBe(false);
	expect(verify(headers, body, [secret.slice(0, 6) + secret.slice(10)])).toBe(false);
	expect(verify(headers, Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
	const repeated = Object.entries(headers).map(([name, value]) => [name, [value, value]]);
	expect(verify(Object.fromEntries(repeated) as Headers)).toBe(false);
	const forged = Buffer.from(body);
	forged[place % body.length]! ^= 1 << place % 8;
	expect(verify(headers, forged)).toBe(false);
}

// Promise: A signature is found and verified over the raw bytes, in each scheme that the page names.
test.each(signedDeliveries)('$scheme, as in $source', ({ secret, headers, body, at }) =>
	expectSigned(headers, secret, Buffer.from(body), at),
);

test('the page of the trigger names schemes of these', () => {
	const page = readFileSync('docs/voice-agent-trigger.md', 'utf8').replace(/\s+/g, ' ');
	const [, named = ''] = /those of (.*?) and others like them/.exec(page) ?? [];
	const schemes = signedDeliveries.map(({ scheme }) => scheme);
	expect(schemes).toEqual(expect.arrayContaining(named.split(', ')));
});

/** The deliveries with a signed timestamp, which is in one of their headers. */
const timed = signedDeliveries.flatMap((delivery) => {
	const values = Object.values(delivery.headers).join(' ');
	const [timestamp = ''] = /\b\d{10}(\d{3})?\b|20\d\d-\S+Z/.exec(values) ?? [];
	const sent = Date.parse(timestamp) || Number(timestamp.padEnd(13, '0'));
	return timestamp ? { ...delivery, sent } : [];
});

// Promise: A signed timestamp may differ by five minutes.
test.each(timed)('$scheme: a timestamp is valid for five minutes', (delivery) => {
	const { secret, headers, body, sent } = delivery;
	const verify = (age: number) => isSigned([secret], headers, Buffer.from(body), sent + age * 1000);
	for (const age of [-300, 0, 300]) expect([age, verify(age)]).toEqual([age, true]);
	for (const age of [-1e5, -301, 301, 1e5]) expect([age, verify(age)]).toEqual([age, false]);
});

const DAY = 86_400_000;
const OLD = NOW - DAY;

test('an old signed text is not accepted as a body from 2033 on, when timestamps begin with a 2', () => {
	const body = Buffer.from(`2000000000.${String(BODY)}`);
	expect(isSigned([SECRET], plain(body, SECRET), body, 2_000_086_400_000)).toBe(false);
});

// Promise: A text that was signed with its time is no body.
test.each([
	`msg_1.${OLD / 1000}.${String(BODY)}`,
	`{"id":"1"}.${OLD / 1000}.[]`,
	`${'.'.repeat(8_000)}.${OLD / 1000}.${String(BODY)}`,
	`${OLD}.${String(BODY)}`,
	`${OLD / 1000}.`,
	`v0:${OLD / 1000}:${String(BODY)}`,
	`${String(BODY)}${OLD}`,
	`${String(BODY)}${new Date(OLD).toISOString()}`,
	`msg_1.${new Date(OLD).toISOString()}.${String(BODY)}`,
	`calls: 5${OLD / 1000}`,
	`${OLD / 1000}`,
	`${OLD},${String(BODY)}`,
	`4155550123.${OLD / 1000}.${String(BODY)}`,
])('an old signed text is not accepted as a body: %s', (text) => {
	const body = Buffer.from(text);
	expect(isSigned([SECRET], plain(body, SECRET), body, NOW)).toBe(false);
});

test.each([
	`{"at":${OLD / 1000}.5,"text":"msg_1.${OLD}.{}"}`,
	`{"id":"{.${OLD}."}`,
	`from=4155550123&to=14155550123`,
	`payload=%7B%22at%22%3A${OLD}%7D`,
	`at ${OLD}, until ${OLD + 1} in all`,
	`from=4155550123&at=${new Date(OLD).toISOString()}&to=1`,
	`from=0155550123&to=4155550123`,
])('a body that mentions times is accepted: %s', (text) => {
	const body = Buffer.from(text);
	expect(isSigned([SECRET], plain(body, SECRET), body, NOW)).toBe(true);
});

type Sign = (body: Buffer, secret: string) => Headers;
const hmac = (body: Buffer, secret: string, head = '', hash = 'sha256') =>
	crypto.createHmac(hash, secret).update(head).update(body).digest('hex');
const plain: Sign = (body, secret) => ({ 'x-hub-signature-256': `sha256=${hmac(body, secret)}` });
const stamped: Sign = (body, secret) => {
	const seconds = String(NOW / 1000);
	return { 'stripe-signature': `t=${seconds},v1=${hmac(body, secret, `${seconds}.`)}` };
};
const without: Sign = (body, secret) => ({ 'x-signature': hmac(body, secret, '', 'sha512') });
const SIGNERS: Sign[] = [
	plain,
	stamped,
	(body, secret) => ({
		'x-signature': hmac(body, secret, `${NOW}.`),
		'x-timestamp': String(NOW),
	}),
	without,
];

/** Bodies: random bytes, JSON, an empty body and a megabyte. */
const anyBody = fc.oneof(
	fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
	fc.json().map((json) => Buffer.from(json)),
	fc.constant(Buffer.alloc(0)),
	fc.nat(255).map((byte) => Buffer.alloc(1_000_000, byte)),
);

test('a signature of any bytes is verified', () => {
	fc.assert(
		fc.property(fc.constantFrom(...SIGNERS), anyBody, fc.nat(), (sign, body, place) =>
			expectSigned(sign(body, SECRET), SECRET, body, NOW, place),
		),
		{ numRuns: 40 },
	);
});

test("what the specification's own library signs is accepted, among other signatures, too", () => {
	fc.assert(
		fc.property(fc.string({ minLength: 1 }), (text) => {
			const signature = new Webhook(BASE64_SECRET).sign('msg_1', new Date(NOW), text);
			for (const value of [signature, `v1,AAAA ${signature}`, `v1a,xyz ${signature} v2,abc`]) {
				const headers = {
					'webhook-id': 'msg_1',
					'webhook-timestamp': String(NOW / 1000),
					'webhook-signature': value,
				};
				expect(isSigned([BASE64_SECRET], headers, Buffer.from(text), NOW)).toBe(true);
				expect(isSigned([BASE64_SECRET.slice(6)], headers, Buffer.from(text), NOW)).toBe(true);
			}
		}),
	);
});

test('a signature and its time are found among more values like them than are tried', () => {
	const time = `${NOW / 1000}`;
	const hashes = Array.from({ length: 9 }, (_, n) => [`x-trace-${n}`, `${n}`.repeat(64)]);
	const headers = {
		...(Object.fromEntries(hashes) as Headers),
		'x-timestamp': [OLD, OLD - DAY, time].join(),
		'x-signature': hmac(BODY, SECRET, `${time}.`),
	};
	expect(isSigned([SECRET], headers, BODY, NOW)).toBe(true);
});

const BOTH = { ...stamped(BODY, SECRET), ...without(BODY, SECRET) };
/** Numbers in place of the signed timestamp. */
const FRESH = Object.fromEntries(
	[0, 1, 2, 3].map((ms) => [`x-timestamp-${ms}`, `${NOW + DAY + ms}`]),
);
const TWO = { ...plain(BODY, SECRET), ...without(BODY, SECRET) };

// Promise: Where one signature of a delivery covers a time, one without a time does not suffice.
test.each<[signatures: string, headers: Headers, age: number, isAccepted: boolean]>([
	['one of which covers the time', BOTH, 0, true],
	['one of which covers an old time', BOTH, DAY, false],
	['beside the times of other things', { ...BOTH, ...FRESH }, DAY, false],
	['none of which covers a time', TWO, DAY, true],
	['none of which covers the stated time', { ...TWO, 'x-timestamp': `${NOW}` }, DAY, true],
])('a delivery with two signatures, %s', (_signatures, headers, age, isAccepted) => {
	expect(isSigned([SECRET], headers, BODY, NOW + age)).toBe(isAccepted);
});

// Promise: Once a delivery was signed with its time, none without suffices.
test.each<[delivery: string, headers: Headers, age: number]>([
	['a delivery of the present', stamped(BODY, SECRET), 0],
	['an old delivery', BOTH, DAY],
])(
	'after %s that is signed with its time, a signature without one is refused',
	(...[, first, age]) => {
		const seen = new Set<string>();
		const verify = (headers: Headers, now: number) =>
			signatures.isSigned([SECRET, BASE64_SECRET], headers, BODY, now, seen);
		expect(verify(first, NOW + age)).toBe(age === 0);
		expect(verify(plain(BODY, SECRET), NOW + DAY)).toBe(false);
		expect(verify(stamped(BODY, SECRET), NOW)).toBe(true);
		expect(verify(plain(BODY, BASE64_SECRET), NOW)).toBe(true);
	},
);

test('the signed ID of a delivery is not lengthened by its time and a part of its body', () => {
	const text = `msg_1.${OLD / 1000}.{"note":"x.${NOW / 1000}.${String(BODY)}`;
	for (const id of [`msg_1.${OLD / 1000}.{"note":"x`, `{"note":"x`, "it's"]) {
		const signed = text.slice(text.indexOf(id));
		const headers = {
			'webhook-id': id,
			'webhook-timestamp': String(NOW / 1000),
			'webhook-signature': hmac(Buffer.from(signed), SECRET),
		};
		expect([id, isSigned([SECRET], headers, BODY, NOW)]).toEqual([id, false]);
	}
});

// Promise: A typed secret is used as typed.
test.each(['hidden-valley-42', 'my...secret', 'xxxxxx', '***', '<filtered>', 'whsec_short'])(
	'the typed secret %s is used as typed',
	(secret) => {
		for (const sign of SIGNERS) {
			expect(isSigned([secret], sign(BODY, secret), BODY, NOW)).toBe(true);
			expect(isSigned([`${secret}.`], sign(BODY, secret), BODY, NOW)).toBe(false);
		}
	},
);

test.each([[[]], [['']], [['whsec_']], [['***']]])('the secrets %j verify nothing', (secrets) => {
	const forged = SIGNERS.map((sign) => sign(BODY, ''));
	expect(forged.filter((headers) => isSigned(secrets, headers, BODY, NOW))).toEqual([]);
});

test.each([{}, { 'x-signature': '' }, { 'x-signature': '=' }, { 'x-signature': 't=,v1=' }])(
	'a delivery with the headers %j is not signed',
	(headers) => expect(isSigned([SECRET], headers, BODY, NOW)).toBe(false),
);

// Promise: Of 10,000 forged signatures, none is accepted.
test('10,000 forged signatures are refused', () => {
	let accepted = 0;
	fc.assert(
		fc.property(fc.constantFrom(...SIGNERS), fc.string({ minLength: 1 }), (sign, guess) => {
			if (isSigned([SECRET], sign(BODY, `${guess}\0`), BODY, NOW)) accepted++;
		}),
		{ numRuns: 10_000 },
	);
	console.log(`10000 forged signatures, ${accepted} accepted`);
	expect(accepted).toBe(0);
});

test('a delivery without a valid signature costs a limited number of HMACs', () => {
	const hostile = {
		...stamped(BODY, 'another secret'),
		'stripe-id': 'evt_1',
		'x-timestamp': Array.from({ length: 1_000 }, (_, ms) => NOW + ms).join(),
		'x-other': Buffer.alloc(20).toString('hex'),
		'x-third': Buffer.alloc(64).toString('hex'),
	};
	const hmacs = jest.spyOn(crypto, 'createHmac');
	expect(isSigned([SECRET, BASE64_SECRET], hostile, BODY, NOW)).toBe(false);
	// 25 texts, each with three hashes and three keys, without the one that has no time.
	expect(hmacs).toHaveBeenCalledTimes(24 * 9);
	hmacs.mockRestore();
	const hashed = jest.spyOn(crypto.Hmac.prototype, 'update');
	expect(isSigned([SECRET, BASE64_SECRET], hostile, Buffer.alloc(16_000_000), NOW)).toBe(false);
	const sizes = hashed.mock.calls.map(([text]) => text.toString().length);
	hashed.mockRestore();
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(230_001_000);
});
