import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

import {
	isSigned,
	type Headers,
	type Verification,
} from '../../nodes/VoiceAgent/delivery/signatures';
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

describe('a typed secret is used as typed', () => {
	const body = Buffer.from('{"type":"call.completed"}');
	const time = String(NOW);
	const hmac = { header: 'x-signature', hash: 'sha256', encoding: 'hex' } as const;

	test.each(['hidden-valley-42', 'my...secret', 'xxxxxx', '***', '<filtered>', 'aaaaaaaa'])(
		'%s',
		(secret) => {
			const sign = (signed: string) => createHmac('sha256', secret).update(signed).update(body);
			const signatures: Array<[Verification, Headers]> = [
				[{ scheme: 'hmac', prefix: '', ...hmac }, { 'x-signature': sign('').digest('hex') }],
				[
					{ scheme: 'timestampedHmac', ...hmac },
					{ 'x-signature': `t=${time},v1=${sign(`${time}.`).digest('hex')}` },
				],
				[
					{ scheme: 'standardWebhooks' },
					{
						'webhook-id': 'msg_1',
						'webhook-timestamp': time,
						'webhook-signature': `v1,${sign(`msg_1.${time}.`).digest('base64')}`,
					},
				],
			];
			for (const [verification, headers] of signatures) {
				expect(isSigned(verification, [secret], headers, body, NOW)).toBe(true);
				expect(isSigned(verification, [`${secret}.`], headers, body, NOW)).toBe(false);
			}
		},
	);
});

describe('a plain HMAC', () => {
	const forms = (['sha1', 'sha256', 'sha512'] as const).flatMap((hash) =>
		(['hex', 'base64'] as const).flatMap((encoding) =>
			['', 'sha256=', 'v1,'].flatMap((prefix) =>
				['x-signature', 'x-hub-signature-256'].map((header) => ({
					scheme: 'hmac' as const,
					hash,
					encoding,
					prefix,
					header,
				})),
			),
		),
	);
	const secret = 'any text: ünïcode, too';

	test.each(forms)('$hash $encoding "$prefix" $header', (form) => {
		const verify = (headers: Headers, body: Buffer, secrets = [secret]) =>
			isSigned(form, secrets, headers, body, NOW);
		fc.assert(
			fc.property(anyBody, (body) => {
				const signature =
					form.prefix + createHmac(form.hash, secret).update(body).digest(form.encoding);
				expect(verify({ [form.header]: signature }, body)).toBe(true);
				expect(verify({ [form.header]: ` ${signature} ` }, body)).toBe(true);
				expect(verify({ [form.header]: signature }, body, ['other', secret])).toBe(true);
				expect(verify({ [form.header]: signature }, body, ['other'])).toBe(false);
				expect(verify({ [form.header]: signature }, body, [''])).toBe(false);
				expect(verify({ [form.header]: signature }, body, [])).toBe(false);
				expect(
					verify({ [form.header]: signature }, Buffer.concat([body, body, body, Buffer.of(1)])),
				).toBe(false);
				expect(verify({ [form.header]: `${signature}x` }, body)).toBe(false);
				expect(verify({ [form.header]: signature.slice(0, -2) }, body)).toBe(false);
				expect(verify({ [form.header]: [signature, signature] }, body)).toBe(false);
				expect(verify({ 'x-other': signature }, body)).toBe(false);
				if (form.prefix) {
					expect(verify({ [form.header]: signature.slice(form.prefix.length) }, body)).toBe(false);
				}
			}),
			{ numRuns: 8 },
		);
	});

	const hex: Verification = {
		scheme: 'hmac',
		hash: 'sha256',
		encoding: 'hex',
		prefix: '',
		header: 'x-signature',
	};
	const digest = createHmac('sha256', secret).update('a').digest('hex');

	test('may be written in capital hex digits', () => {
		const headers = { 'x-signature': digest.toUpperCase() };
		expect(isSigned(hex, [secret], headers, Buffer.from('a'), NOW)).toBe(true);
	});

	test.each([undefined, '', 'X-Signature', ' x-signature '])(
		'is found in the header %j',
		(header) => {
			const verification: Verification = { scheme: 'hmac', header };
			const headers = { 'x-signature': digest };
			expect(isSigned(verification, [secret], headers, Buffer.from('a'), NOW)).toBe(true);
		},
	);

	test('with an empty secret is invalid', () => {
		const forged = createHmac('sha256', '').update('a').digest('hex');
		expect(isSigned(hex, [''], { 'x-signature': forged }, Buffer.from('a'), NOW)).toBe(false);
	});
});

describe('an HMAC of timestamp and body', () => {
	const secret = 'any text: ünïcode, too';
	const header = 'x-acme-signature';
	const form = { scheme: 'timestampedHmac', header, hash: 'sha256', encoding: 'hex' } as const;
	const sign = (body: Buffer, at: number | string = NOW, key = secret) =>
		createHmac('sha256', key).update(`${at}.`).update(body).digest('hex');
	const verify = (value: string | string[], body: Buffer, secrets = [secret], now = NOW) =>
		isSigned(form, secrets, { [header]: value }, body, now);
	const body = Buffer.from('{"type":"call.completed"}');
	const right = sign(body);

	test('is accepted over the raw bytes only', () => {
		fc.assert(
			fc.property(anyBody, (sent) => {
				const signature = sign(sent);
				expect(verify(`t=${NOW},v1=${signature}`, sent)).toBe(true);
				expect(verify(`t=${NOW + 1},v1=${signature}`, sent)).toBe(false);
				expect(verify(`t=${NOW},v1=${signature}`, Buffer.concat([sent, Buffer.of(1)]))).toBe(false);
				expect(verify(`t=${NOW},v1=${signature}`, sent, ['other'])).toBe(false);
				expect(verify(`t=${NOW},v1=${signature}`, sent, ['other', secret])).toBe(true);
				const plain = createHmac('sha256', secret).update(sent).digest('hex');
				expect(verify(`t=${NOW},v1=${plain}`, sent)).toBe(false);
			}),
			{ numRuns: 30 },
		);
	});

	test.each([
		`t=${NOW},v1=${right}`,
		`v1=${right},t=${NOW}`,
		` t=${NOW} , v1=${right} `,
		`t=${NOW},v1=${'0'.repeat(64)},v1=${right}`,
		`t=${NOW},v1=${right},v1=,v0=x`,
		`t=${NOW},v1=${right.toUpperCase()}`,
	])('is accepted as %s', (value) => expect(verify(value, body)).toBe(true));

	test.each([
		'',
		'=',
		`t=${NOW}`,
		`v1=${right}`,
		`t=,v1=${right}`,
		`t=${NOW},v1=`,
		`t=${NOW},v0=${right}`,
		`t=${NOW},v1=${right.slice(1)}`,
		`t=${NOW},t=${NOW},v1=${right}`,
		`t=${NOW};v1=${right}`,
		`${right}`,
		`t=NaN,v1=${sign(body, 'NaN')}`,
		`t=${NOW}.0,v1=${sign(body, `${NOW}.0`)}`,
	])('is not accepted as %j', (value) => expect(verify(value, body)).toBe(false));

	test('is valid for five minutes before and after', () => {
		for (const age of [-301, -300, 0, 300, 301]) {
			const isValid = Math.abs(age) <= 300;
			expect([age, verify(`t=${NOW},v1=${right}`, body, [secret], NOW + age)]).toEqual([
				age,
				isValid,
			]);
		}
	});

	test('is invalid if the header comes twice or is missing', () => {
		expect(verify([`t=${NOW},v1=${right}`], body)).toBe(false);
		expect(isSigned(form, [secret], {}, body, NOW)).toBe(false);
	});
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

test('every delivery is signed if nothing is verified', () => {
	expect(isSigned({ scheme: 'none' }, [], {}, Buffer.alloc(0), NOW)).toBe(true);
});
