import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

import { isSigned, type Headers } from '../../nodes/VoiceAgent/delivery/signatures';
import { fc } from '../support/random';

const NOW = 1_900_000_000;
const SECRET = `whsec_${Buffer.from('the secret of the endpoint, 32 b').toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('the previous secret, 32 bytes ..').toString('base64')}`;

/** Bodies: JSON, random bytes, an empty body and a megabyte. */
const anyBody = fc.oneof(
	fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
	fc.json().map((json) => Buffer.from(json)),
	fc.constant(Buffer.alloc(0)),
	fc.nat(255).map((byte) => Buffer.alloc(1_000_000, byte)),
);
const anyId = fc.string({ minLength: 1, unit: fc.constantFrom(...'abcXYZ019-_') });

/** Signs by the library, which takes UTF-8 only, else by a HMAC. */
function standardHeaders(id: string, body: Buffer, secret = SECRET, at = NOW): Headers {
	const date = new Date(at * 1000);
	const isText = Buffer.from(body.toString()).equals(body);
	const signature = isText
		? new Webhook(secret).sign(id, date, body.toString())
		: `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
				.update(`${id}.${at}.`)
				.update(body)
				.digest('base64')}`;
	return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature };
}

describe('Standard Webhooks', () => {
	const verify = (headers: Headers, body: Buffer, secrets = [SECRET], now = NOW) =>
		isSigned({ scheme: 'standardWebhooks' }, secrets, headers, body, now);
	const body = Buffer.from('{"type":"call.completed"}');
	const good = standardHeaders('msg_1', body);

	test('a signature of the library is accepted, and no body that differs by a bit', () => {
		fc.assert(
			fc.property(anyId, anyBody, fc.nat(), (id, sent, place) => {
				const headers = standardHeaders(id, sent);
				expect(verify(headers, sent)).toBe(true);
				expect(verify({ ...headers, 'webhook-id': `${id}x` }, sent)).toBe(false);
				expect(verify(headers, Buffer.concat([sent, Buffer.from(' ')]))).toBe(false);
				if (sent.length === 0) return;
				const forged = Buffer.from(sent);
				forged[place % sent.length]! ^= 1 << place % 8;
				expect(verify(headers, forged)).toBe(false);
			}),
		);
	});

	// Promise: Standard Webhooks are verified as the specification's own library signs them.
	test('the library and the node agree, whatever the signature', () => {
		const webhook = new Webhook(SECRET);
		const at = Math.floor(Date.now() / 1000);
		const byLibrary = (headers: Headers, text: string) => {
			try {
				webhook.verify(text, headers as Record<string, string>);
				return true;
			} catch (error) {
				// The library parses a verified body.
				if (error instanceof SyntaxError) return true;
				return false;
			}
		};
		fc.assert(
			fc.property(
				fc.string(),
				fc.integer({ min: -310, max: 310 }).filter((age) => Math.abs(Math.abs(age) - 300) > 2),
				fc.constantFrom(
					(right: string) => right,
					(right: string) => `v1,AAAA ${right}`,
					(right: string) => `v1a,xyz ${right} v2,abc`,
					(right: string) => right.replace('v1,', 'v2,'),
					(right: string) => right.replace('v1,', ''),
					(right: string) => right.slice(0, -1),
					(right: string) => right.replace(' ', ','),
					() => 'v1,',
					() => '',
				),
				(text, age, distort) => {
					const headers = standardHeaders('msg_1', Buffer.from(text), SECRET, at - age);
					headers['webhook-signature'] = distort(headers['webhook-signature'] as string);
					expect(verify(headers, Buffer.from(text), [SECRET], at)).toBe(byLibrary(headers, text));
				},
			),
		);
	});

	// Promise: A time stamp may differ by five minutes.
	test('a timestamp is valid for five minutes before and after', () => {
		for (const age of [-300, -299, 0, 299, 300]) {
			expect([age, verify(good, body, [SECRET], NOW + age)]).toEqual([age, true]);
		}
		for (const age of [-100_000, -301, 301, 100_000]) {
			expect([age, verify(good, body, [SECRET], NOW + age)]).toEqual([age, false]);
		}
	});

	test('one valid signature of several is enough', () => {
		const right = good['webhook-signature'] as string;
		const wrong = standardHeaders('msg_1', body, OLD_SECRET)['webhook-signature'] as string;
		for (const signatures of [`${wrong} ${right}`, `${right} ${wrong}`, `v2,x v1a,y ${right}`]) {
			expect(verify({ ...good, 'webhook-signature': signatures }, body)).toBe(true);
		}
		expect(verify({ ...good, 'webhook-signature': `${wrong} v1, v1` }, body)).toBe(false);
	});

	test('each of several secrets is valid', () => {
		expect(verify(good, body, [OLD_SECRET, SECRET])).toBe(true);
		expect(verify(standardHeaders('msg_1', body, OLD_SECRET), body, [SECRET, OLD_SECRET])).toBe(
			true,
		);
		expect(verify(standardHeaders('msg_1', body, OLD_SECRET), body)).toBe(false);
	});

	test('a secret without its prefix is valid', () => {
		expect(verify(good, body, [SECRET.slice(6)])).toBe(true);
	});

	test.each([[[]], [['']], [['whsec_']], [['***']]])('the secrets %j verify nothing', (secrets) => {
		expect(verify(good, body, secrets)).toBe(false);
		const forged = createHmac('sha256', '').update(`msg_1.${NOW}.`).update(body).digest('base64');
		expect(verify({ ...good, 'webhook-signature': `v1,${forged}` }, body, secrets)).toBe(false);
	});

	test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
		'without a single value of %s, it is not signed',
		(header) => {
			expect(verify({ ...good, [header]: undefined }, body)).toBe(false);
			expect(verify({ ...good, [header]: '' }, body)).toBe(false);
			expect(verify({ ...good, [header]: [good[header] as string] }, body)).toBe(false);
		},
	);

	test.each(['NaN', 'Infinity', '-1', '1e9', '0x1', ' ', '1900000000.5', '1'.repeat(400)])(
		'the timestamp %j is invalid',
		(timestamp) => expect(verify({ ...good, 'webhook-timestamp': timestamp }, body)).toBe(false),
	);
});

test("the headers of Standard Webhooks are also read by Svix's names", () => {
	const body = Buffer.from('{"type":"call.completed"}');
	const standard = standardHeaders('msg_1', body);
	const renamed = Object.fromEntries(
		Object.entries(standard).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
	);
	const verify = (headers: Headers) =>
		isSigned({ scheme: 'standardWebhooks' }, [SECRET], headers, body, NOW);
	expect(verify(renamed)).toBe(true);
	expect(verify({ ...renamed, 'svix-id': 'msg_2' })).toBe(false);
	expect(verify({ ...renamed, 'svix-signature': undefined })).toBe(false);
	expect(verify({ ...renamed, 'svix-id': undefined, 'webhook-id': 'msg_1' })).toBe(false);
	expect(verify({ ...renamed, ...standard })).toBe(true);
});
