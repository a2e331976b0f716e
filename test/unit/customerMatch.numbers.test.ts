import type { IDataObject } from 'n8n-workflow';
import { parsePhoneNumber } from 'libphonenumber-js/max';

import { readCustomer } from '../../nodes/VoiceAgent/customerMatch/call';
import { matchCustomers } from '../../nodes/VoiceAgent/customerMatch/match';
import { readCustomerRecord } from '../../nodes/VoiceAgent/customerMatch/record';
import { WRITTEN_NUMBERS, type WrittenNumber } from '../support/events/numberWritings';

const resultOf = (phone: string, record: IDataObject) =>
	matchCustomers(
		[readCustomer({ call_id: '1', customer_phone: phone })!],
		[readCustomerRecord(record)],
	)[0]!.result;
const isFound = (...args: Parameters<typeof resultOf>) => resultOf(...args) === 'found';

const writingsOf = ({ withCountry, national }: WrittenNumber) => [...withCountry, ...national];
const all = WRITTEN_NUMBERS.flatMap((number) =>
	writingsOf(number).map((text) => ({ ...number, text, number: number.withCountry[0]! })),
);

test('libphonenumber reads all writings of a number as that number', () => {
	for (const { text, country, number } of all) {
		// libphonenumber dials abroad as in the country of the number.
		const dialled = text.replace(/^00(11 )?/, '+');
		expect([text, parsePhoneNumber(dialled, country).number]).toEqual([text, number]);
	}
});

test('each writing of a number in a call fits each writing of it in a record, and no other number', () => {
	const counts = { same: 0, missed: [] as string[], different: 0, wrong: [] as string[] };
	for (const call of all) {
		for (const record of all) {
			const isSame = call.number === record.number;
			counts[isSame ? 'same' : 'different']++;
			if (isFound(call.text, { phone: record.text }) === isSame) continue;
			counts[isSame ? 'missed' : 'wrong'].push(`${call.text} | ${record.text}`);
		}
	}
	const { same, different, missed, wrong } = counts;
	process.stdout.write(
		`\n${all.length} writings: ${same} pairs of one number, ${missed.length} missed; ${different} of two, ${wrong.length} wrong\n`,
	);
	expect({ missed, wrong }).toEqual({ missed: [], wrong: [] });
});

test.each([';', ', ', ' | ', '\n', ' or ', ' AND ', ' oder ', ' und ', '/'])(
	'each of two numbers with %j between them is found',
	(mark) => {
		const record = { phone: ['+44 20 7946 0321', '0171 2345678'].join(mark) };
		expect(isFound('+442079460321', record)).toBe(true);
		expect(isFound('+491712345678', record)).toBe(true);
		expect(isFound('+442079460322', record)).toBe(false);
	},
);

test('ten digits are no number of another country without its plus', () => {
	expect(isFound('4532123456', { phone: '32123456' })).toBe(false);
	expect(isFound('442079460321', { phone: '020 7946 0321' })).toBe(true);
	expect(isFound('+821064123456', { phone: '+86 (010) 6412 3456' })).toBe(false);
});

test.each<[string, string]>([
	...['+52 1 55 1234 5678', '+52 (01) 55 1234 5678', '044 55 1234 5678', '01 55 12345678'].map(
		(old): [string, string] => ['+525512345678', old],
	),
	['+14155550123', '(415) 555-0777 ::: (415) 555-0123'],
	['+14155550123', '14155550123@c.us'],
	['+380993456789', "'+380 99 345-67-89"],
	['+447700900123', 'Mobile: 07700 900123'],
	['+447700900123', '030 1234567, 07700 900123 after 5 pm'],
	['+966501234567', '٠٥٠١٢٣٤٥٦٧'],
	['+989123456789', '۰۹۱۲ ۳۴۵ ۶۷۸۹'],
	['+5511987654321', '+55 11 8765-4321'],
	['+551187654321', '(11) 98765-4321'],
	['+5491123456789', '011 15-2345-6789'],
	['+5491123456789', '+54 11 2345-6789'],
	['+5493512345678', '0351 15 234-5678'],
	['+5492966123456', '(02966) 15-123456'],
	['+525512345678', '5215512345678'],
	['+41446681801', '044.668.18.01'],
	['+442079460321', '011 44 20 7946 0321'],
])('%s in a call is %s in a record', (call, phone) => {
	expect(isFound(call, { phone })).toBe(true);
	expect(isFound(call.replace(/.$/, '0'), { phone })).toBe(false);
});

test.each([
	['+5511987654321', '98765-4321'],
	['+5491123456789', '15 2345-6789'],
	['+14155550123', '555-0123 x12'],
	['+14155550123', '555-0199, 555-0123'],
	['5550123', '+14155550123'],
	['+14155550123', '555-0123 / 555-0199'],
])('%s in a call may be %s, which lacks its area code', (call, phone) => {
	expect(resultOf(call, { phone })).toBe('unclear');
});

test('a calling code beside a number belongs to it', () => {
	const phones = { primaryPhoneNumber: '612345678', primaryPhoneCallingCode: '+33' };
	expect(isFound('+33612345678', { phones })).toBe(true);
	expect(isFound('+34612345678', { phones })).toBe(false);
	const other = {
		...phones,
		primaryPhoneCallingCode: null,
		faxCallingCode: '+33',
		primaryPhone: '+1',
	};
	expect(isFound('+34612345678', { phones: other })).toBe(true);
});
