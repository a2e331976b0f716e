import { Metadata, type CountryCode } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';

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
	['+1', '14155550123', '+14155550123'],
	// Ten digits, with a 0.
	['+1', '04155550123', '+14155550123'],
	['+1', '5550123', '5550123'],
	['+34', '6123456789', '6123456789'],
	// A network or an area that is spelled like the code.
	['+91', '9112345678', '+919112345678'],
	['+55', '55987654321', '+5555987654321'],
	['+1', '41555501234', '41555501234'],
	['+36', '06201234567', '+36201234567'],
	['+52', '015512345678', '+525512345678'],
	['+52', '0445512345678', '+525512345678'],
	['+52', '14155550123', '14155550123'],
	// A carrier before the number.
	['+55', '01511987654321', '01511987654321'],
	// The leading 0 stays.
	['+39', '0612345678', '+390612345678'],
	['+39', '3912345678', '+393912345678'],
	['+39', '39061234567', '+39061234567'],
	// Not national, or without a country.
	['+49', '+14155550123', '+14155550123'],
	['+49', '0014155550123', '0014155550123'],
	['+49', '14155550123', '14155550123'],
	// Dialled abroad.
	['+1', '011442079460321', '+442079460321'],
	['+81', '010442079460321', '+442079460321'],
	['+49', '011442079460321', '011442079460321'],
	['+1', '01144207', '01144207'],
	['+41', '491512345678', '491512345678'],
	['+999', '0301234567', '0301234567'],
	['+49', '0123456789012345', '0123456789012345'],
])('with %s, %j becomes %j', (code, phone, expected) => {
	expect(completeNumber(phone, code)).toBe(expected);
});

describe('by libphonenumber,', () => {
	const plans = new Metadata(metadata);
	const codes = [metadata.country_calling_codes, metadata.nonGeographic].flatMap(Object.keys);
	/** The lengths of national numbers by country code, up to the 15 digits of E.164. */
	const lengths = new Map(
		codes.map((code) => {
			plans.selectNumberingPlan(code as CountryCode);
			const all = plans.numberingPlan?.possibleLengths() ?? [];
			return [code, all.filter((length) => code.length + length <= 15)];
		}),
	);
	const isPossible = (national: string, code: string) =>
		lengths.get(code)?.includes(national.length) === true;
	const begins = (digits: string, code: string) =>
		digits.startsWith(code) && isPossible(digits.slice(code.length), code);

	test('digits are completed if they are possible in the country, and only then', () => {
		const wrong: string[] = [];
		for (const code of codes) {
			for (const digits of manyDigits()) {
				const result = completeNumber(digits, `+${code}`);
				const national = result.slice(1 + code.length);
				const isCompleted = result === `+${code}${national}` && digits.endsWith(national);
				const isForeign = digits.length > 10 && codes.some((other) => begins(digits, other));
				const isRight = isCompleted
					? isPossible(national, code)
					: result === digits && (isForeign || !isPossible(digits, code));
				if (!isRight) wrong.push(`+${code}: ${digits} → ${result}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	test('a mobile number of each country is completed in each spelling', () => {
		const wrong = getCountries().flatMap((country) => {
			const example = getExampleNumber(country, examples);
			const { number = '', nationalNumber = '', countryCallingCode: code } = example ?? {};
			const dialled = example?.formatNational().replace(/\D/g, '') ?? '';
			const spellings = [nationalNumber, dialled, number.slice(1)];
			const left = spellings.filter((digits) => completeNumber(digits, `+${code}`) !== number);
			return left.map((digits) => `${country}: ${digits}`);
		});
		// Argentina has a 15 in the middle.
		expect(wrong).toEqual(['AR: 0111523456789']);
	});

	/** Digits of each length, and with each first digit. */
	function manyDigits(): string[] {
		return [...'123456789'].flatMap((first) =>
			Array.from({ length: 15 }, (_, more) => first + '23456789123456'.slice(0, more)),
		);
	}
});

test.each<[string, string | number, string | null]>([
	['from', '612345678', '+34612345678'],
	['from', '123456', null],
	['from', '61234567', null],
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
