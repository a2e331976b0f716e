import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { completeNumber, parseCountryCode } from '../../nodes/VoiceAgent/callDetails/countryCode';

test.each(['+1', '+49', '+351'])('%s is a country code', (code) => {
	expect(parseCountryCode(code)).toBe(code);
});

test.each(['', '49', '0049', '+', '+0', '+1234', '+4 9', '+49 30', 'DE'])(
	'%j is no country code',
	(text) => {
		expect(parseCountryCode(text)).toBeUndefined();
	},
);

// Promise: A country code completes national numbers.
test.each([
	// National, with and without the leading 0.
	['+49', '0301234567', '+49301234567'],
	['+49', '301234567', '+49301234567'],
	// Too short to begin with the code.
	['+49', '4930123456', '+494930123456'],
	// With the code, without the plus.
	['+49', '493012345678', '+493012345678'],
	['+1', '14155550123', '+14155550123'],
	// Ten digits.
	['+1', '4155550123', '+14155550123'],
	['+1', '04155550123', '+14155550123'],
	['+7', '9161234567', '+79161234567'],
	['+1', '5550123', '5550123'],
	['+1', '41555501234', '41555501234'],
	['+36', '06201234567', '+36201234567'],
	// A carrier before the number.
	['+55', '01511987654321', '01511987654321'],
	// The leading 0 stays.
	['+39', '0612345678', '+390612345678'],
	['+39', '3912345678', '+393912345678'],
	['+39', '39061234567', '+39061234567'],
	['+225', '0712345678', '+2250712345678'],
	// Not national, or without a country.
	['+49', '+14155550123', '+14155550123'],
	['+49', '0014155550123', '0014155550123'],
	['+49', '14155550123', '14155550123'],
	['+55', '11987654321', '+5511987654321'],
	['+49', '0123456789012345', '0123456789012345'],
	['+49', 'anonymous', 'anonymous'],
])('with %s, %j becomes %j', (code, phone, expected) => {
	expect(completeNumber(phone, code)).toBe(expected);
});

test('the numbers of both ends of a call are completed', () => {
	const event = { call_id: 'C1', direction: 'inbound', from: '030 23125014', to: '030 23125010' };
	expect(readCallDetails(event, { countryCode: '+49' })).toMatchObject({
		customer: { phone: '+493023125014' },
		agent: { phone: '+493023125010' },
	});
});
