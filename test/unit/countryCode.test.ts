import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';

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
	// With the code, without the plus.
	['+49', '493012345678', '+493012345678'],
	['+1', '14155550123', '+14155550123'],
	// Ten digits.
	['+1', '4155550123', '+14155550123'],
	['+1', '04155550123', '+14155550123'],
	['+7', '9161234567', '+79161234567'],
	['+1', '5550123', '5550123'],
	['+7', '8005553535', '+78005553535'],
	['+34', '34612345678', '+34612345678'],
	['+34', '61234567890', '61234567890'],
	['+47', '21234567', '+4721234567'],
	// With the code, or an area or a network that is spelled like it.
	['+49', '4930123456', '4930123456'],
	['+45', '4521234567', '4521234567'],
	['+91', '9112345678', '9112345678'],
	['+39', '3912345678', '3912345678'],
	['+55', '55987654321', '+5555987654321'],
	['+1', '41555501234', '41555501234'],
	['+36', '06201234567', '+36201234567'],
	['+52', '0445512345678', '0445512345678'],
	['+52', '14155550123', '14155550123'],
	// A carrier before the number.
	['+55', '01511987654321', '01511987654321'],
	// The leading 0 stays.
	['+39', '0612345678', '+390612345678'],
	['+39', '39061234567', '+39061234567'],
	['+225', '0712345678', '+2250712345678'],
	// Not national, or without a country.
	['+49', '+14155550123', '+14155550123'],
	['+49', '0014155550123', '0014155550123'],
	['+49', '14155550123', '14155550123'],
	// Dialled abroad.
	['+1', '011442079460321', '+442079460321'],
	['+1', '0114915123456789', '+4915123456789'],
	['+81', '010442079460321', '+442079460321'],
	['+49', '011442079460321', '011442079460321'],
	['+1', '01144207', '01144207'],
	['+55', '11987654321', '+5511987654321'],
	['+49', '15123456789', '+4915123456789'],
	['+41', '491512345678', '491512345678'],
	['+49', '0123456789012345', '0123456789012345'],
	['+49', 'anonymous', 'anonymous'],
])('with %s, %j becomes %j', (code, phone, expected) => {
	expect(completeNumber(phone, code)).toBe(expected);
});

test('a mobile number of each country is completed in most spellings, and never to another number', () => {
	const wrong: string[] = [];
	const counts = { completed: 0, left: 0 };
	for (const country of getCountries()) {
		const example = getExampleNumber(country, examples);
		const { number = '', nationalNumber = '', countryCallingCode: code } = example ?? {};
		const dialled = example?.formatNational().replace(/\D/g, '') ?? '';
		for (const digits of [nationalNumber, dialled, number.slice(1)]) {
			const result = completeNumber(digits, `+${code}`);
			if (result !== number && result !== digits) wrong.push(`${country}: ${digits} → ${result}`);
			counts[result === number ? 'completed' : 'left']++;
		}
	}
	process.stdout.write(`\ncountry codes: ${JSON.stringify(counts)}\n`);
	expect(wrong).toEqual([]);
	expect(counts.completed / (counts.completed + counts.left)).toBeGreaterThan(0.8);
});

test.each<[string, string | number, string | null]>([
	['from', '612345678', '+34612345678'],
	['from', '123456', null],
	['from', '6123456', null],
	['caller_phone', 612345678, '+34612345678'],
	['customer_number', '612345678', null],
	['from', 'sip:612345678@pbx.example', null],
])('with +34, the %s %p of a call gives %p', (name, value, phone) => {
	const event = { call_id: 'C1', direction: 'inbound', [name]: value };
	expect(readCallDetails(event, { countryCode: '+34' }).customer.phone).toBe(phone);
});

test('the numbers of both ends of a call are completed', () => {
	const event = { call_id: 'C1', direction: 'inbound', from: '030 23125014', to: '030 23125010' };
	expect(readCallDetails(event, { countryCode: '+49' })).toMatchObject({
		customer: { phone: '+493023125014' },
		agent: { phone: '+493023125010' },
	});
});
