import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';

import { readCustomer } from '../../nodes/VoiceAgent/customerMatch/call';
import { matchCustomers } from '../../nodes/VoiceAgent/customerMatch/match';
import { readCustomerRecord } from '../../nodes/VoiceAgent/customerMatch/record';

/** A record in which the number or the address of the customer stands, in a field of whom. */
interface Case {
	whose: 'own' | 'other' | 'unknown';
	record: IDataObject;
	system?: string;
}

const casesIn = (file: string) =>
	JSON.parse(readFileSync(`test/payloads/records/${file}.json`, 'utf8')) as Case[];
const customer = readCustomer({
	...{ call_id: '1', customer_phone: '+442079460321', customer_email: 'ada@example.com' },
})!;
const resultOf = (record: IDataObject) =>
	matchCustomers([customer], [readCustomerRecord(record)])[0]!.result;

/** The results that are not wrong. A field that is the customer's may be unclear. */
const RIGHT: Record<Case['whose'], string[]> = {
	own: ['found', 'unclear'],
	other: ['new', 'unclear'],
	unknown: ['unclear'],
};

test.each([
	['systems', 340, 40],
	['misleading', 70, 0],
])('records of %s: none is wrongly found, and none with the own number is new', (...args) => {
	const [file, fewest, mostUnclear] = args;
	const cases = casesIn(file).map((one) => ({ ...one, result: resultOf(one.record) }));
	const unclear = cases.filter(({ whose, result }) => whose === 'own' && result === 'unclear');
	const wrong = cases.filter(({ whose, result }) => !RIGHT[whose].includes(result));
	const systems = new Set(cases.map(({ system }) => system));
	process.stdout.write(
		`\n${cases.length} records (${file}), ${systems.size} systems: ${wrong.length} wrong, ${unclear.length} unclear although more is known\n`,
	);
	expect(cases.length).toBeGreaterThanOrEqual(fewest);
	expect(wrong).toEqual([]);
	expect(unclear.length).toBeLessThanOrEqual(mostUnclear);
});

test('a misleading record is found where the number is also the own one', () => {
	for (const { record } of casesIn('misleading')) {
		expect(resultOf({ ...record, mobile: '+442079460321' })).toBe('found');
	}
});
