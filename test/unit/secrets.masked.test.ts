import { looksMasked } from '../../nodes/VoiceAgent/lists/records';
import { fc } from '../support/jest/random';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

test.each([
	...['', 'x'.repeat(43), '-'.repeat(43)],
	...'* *** ******** xxxx X ••• … ... sk_••••1234 00000000000000 abc000000000000xyz'.split(' '),
	...'whsec_*** whsec_… whsec_xxxx whsec_xxxxxxxx1a2b abcd************wxyz ab...yz'.split(' '),
	...'[hidden] <redacted> (masked) REDACTED'.split(' '),
])('%j is a masked secret', (text) => expect(looksMasked(text)).toBe(true));

test.each([
	KEY,
	TOKEN,
	'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
	'correct horse',
	'pa$$word',
	'abc--def__',
	'5f4dcc3b5aa765d61d8327deb882cf99',
])('%j is no masked secret', (text) => expect(looksMasked(text)).toBe(false));

test('random bytes are no masked secret', () => {
	fc.assert(
		fc.property(
			fc.noBias(fc.uint8Array({ minLength: 24, maxLength: 64 })),
			fc.constantFrom('hex', 'base64', 'base64url'),
			(bytes, encoding) => {
				expect(looksMasked(Buffer.from(bytes).toString(encoding as BufferEncoding))).toBe(false);
			},
		),
	);
});
