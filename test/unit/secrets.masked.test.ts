import { looksMasked } from '../../nodes/VoiceAgent/lists/records';
import { fc } from '../support/jest/random';

test.each([
	...['', 'x'.repeat(43), '-'.repeat(43)],
	...'* *** ******** xxxx X ••• … ... sk_••••1234 00000000000000 abc000000000000xyz'.split(' '),
	...'whsec_*** whsec_… whsec_xxxx whsec_xxxxxxxx1a2b abcd************wxyz ab...yz'.split(' '),
	...'[hidden] <redacted> (masked) REDACTED'.split(' '),
])('%j is a masked secret', (text) => expect(looksMasked(text)).toBe(true));

test.each(['correct horse', 'pa$$word', 'abc--def__'])('%j is no masked secret', (text) =>
	expect(looksMasked(text)).toBe(false),
);

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
