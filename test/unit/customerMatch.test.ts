import { strict as assert } from 'node:assert';
import type { IDataObject } from 'n8n-workflow';

import { withCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { readCustomer } from '../../nodes/VoiceAgent/customerMatch/call';
import { matchCustomers } from '../../nodes/VoiceAgent/customerMatch/match';
import { readCustomerRecord } from '../../nodes/VoiceAgent/customerMatch/record';
import { WRITTEN_NUMBERS } from '../support/events/numberWritings';
import { fc, runs, type ValueOf } from '../support/jest/random';

const [PHONE, OTHER] = ['+442079460321', '+442079460000'];
const verdictOf = (call: IDataObject, records: IDataObject[]) =>
	matchCustomers(
		[readCustomer({ call_id: '1', ...call })!],
		records.map((record) => readCustomerRecord(record)),
	)[0]!;

const ada = { id: 1, name: 'Ada Lovelace', phone: PHONE, email: 'ada@example.com' };
const byron = { id: 2, name: 'Byron Lovelace', phone: PHONE, email: 'byron@example.com' };
const nameless = { id: 3, phone: PHONE };
/** Records of Ada that differ in these fields. */
const adas = (...changes: IDataObject[]) => changes.map((change) => ({ ...ada, ...change }));

const REID = { name: '', last: 'Reid' };
const PARTS = { name: '', first: 'Ada', last: 'Lovelace' };
const CHILD = { name: '', Contact: 'Anna Reid' };
const EARLIER = { createdate: '2026-01-01T00:00:00Z' };
const LATER = { createdate: '2026-02-01T00:00:00Z' };

type Case = [string, IDataObject, IDataObject[], string, (number | string)?];

test.each<Case>([
	['one person fits', {}, [ada, { id: 9, phone: OTHER }], 'found', 1],
	['the e-mail alone fits', { customer_email: ada.email }, [{ ...ada, phone: OTHER }], 'found', 1],
	['the e-mail decides', { customer_email: byron.email }, [ada, byron], 'found', 2],
	['the name decides', { customer_name: 'lovelace, BYRON' }, [ada, byron], 'found', 2],
	['the first name decides', { customer_name: 'Ada' }, [ada, byron], 'found', 1],
	['a name of both', { customer_name: 'Lovelace' }, [ada, byron], 'unclear'],
	['one person twice', {}, adas({ id: 5 }, { name: 'LOVELACE ADA' }), 'found', 1],
	['the name beside a record without one', { customer_name: 'Ada' }, [nameless, ada], 'found', 1],
	['one record twice', {}, [nameless, nameless], 'found', 3],
	['a title beside the name', {}, [{ ...ada, id: 0, name: 'Dr. Ada Lovelace' }, ada], 'found', 0],
	['the same name of particles', { customer_name: 'Le Van' }, adas({ name: 'Le Van' }), 'found', 1],
	['another first name', { customer_name: 'Max Lovelace' }, [ada], 'found', 1],
	[
		'another first name and another address',
		{ customer_name: 'Max Lovelace', customer_email: 'max@example.com' },
		[ada],
		'unclear',
	],
	[
		'relatives with columns for the parts of a name',
		{},
		[
			{ id: 1, Nome: 'Ana', Sobrenome: 'Lima', Phone: PHONE },
			{ id: 2, Nome: 'Ana', Sobrenome: 'Reis', Phone: PHONE },
		],
		'unclear',
	],
	['children of one contact', {}, adas(CHILD, { ...CHILD, id: 2 }), 'unclear'],
	['one person by the parts', {}, adas({ ...PARTS, id: 2 }, PARTS), 'found', 1],
	['a last name alone', {}, adas({ ...REID, id: 8 }, REID), 'unclear'],
	['a column of the whole name', {}, adas({ name: '', 'Nome e cognome': ada.name }), 'found', 1],
	[
		'the address of the family, and the name of one of them',
		{ customer_email: ada.email, customer_name: byron.name },
		[ada, { ...byron, email: null }],
		'unclear',
	],
	['an archived record beside another', {}, [{ ...byron, archived: true }, ada], 'found', 1],
	['a record of a state beside another', {}, [{ ...byron, status: 'Merged' }, ada], 'found', 1],
	[
		'the name of an archived record',
		{ customer_name: byron.name },
		[{ ...byron, archived: true }, ada],
		'unclear',
	],
	[
		'the number of an archived record, and the address of another',
		{ customer_email: ada.email },
		[
			{ ...byron, archived: true },
			{ ...ada, phone: OTHER },
		],
		'found',
		1,
	],
	[
		'an older archived record of the person',
		{},
		[{ ...ada, id: 0, archived: true }, ada],
		'found',
		1,
	],
	['an archived record alone', {}, [{ ...byron, archived_at: '2026-01-01' }], 'found', 2],
	[
		'a record with a long text',
		{},
		[{ ...byron, archived: `${' '.repeat(2e5)}x` }, ada],
		'found',
		1,
	],
	['a record that is not archived', {}, [{ ...byron, archived_at: null }, ada], 'unclear'],
	['the whole name', { customer_name: 'Ada' }, [ada, { ...nameless, name: 'Ada' }], 'found', 3],
	[
		'a name like an id',
		{ customer_name: 'Ada Lovelace' },
		[{ ...byron, name: 'Bob_King 07' }],
		'unclear',
	],
	[
		'a first name like a title',
		{},
		[
			{ ...ada, name: 'Don Lee' },
			{ ...byron, name: 'Ann Lee' },
		],
		'unclear',
	],
	['the lower number in the ID', {}, adas({ id: '10' }, { id: '9' }, { id: '1a' }), 'found', '9'],
	['the oldest by its time', {}, adas(LATER, { id: 8, ...EARLIER }), 'found', 8],
	['the oldest, which comes first', {}, adas({ id: 8, ...EARLIER }, LATER), 'found', 8],
	[
		'the first name decides beside a name that is the last one',
		{ customer_name: 'Ada' },
		[{ ...ada, name: 'Lovelace', first_name: 'Ada', last_name: 'Lovelace' }, byron],
		'found',
		1,
	],
	['the first without time and number', {}, adas({ id: 'x' }, { id: 'a' }), 'found', 'x'],
	[
		'two records of one name that share neither',
		{ customer_email: 'ada@example.com' },
		[
			{ id: 1, name: 'Ada', phone: PHONE },
			{ id: 2, name: 'Ada', email: 'ada@example.com' },
		],
		'found',
		2,
	],
])('%s', (...[, call, records, result, id]) => {
	const decision = verdictOf({ customer_phone: PHONE, ...call }, records);
	expect(decision.result).toBe(result);
	expect(decision.record?.id).toBe(id);
});

test.each([
	['Dr. Ada King', 'Dr. Bob Ott', 'unclear'],
	['A. King', 'A. Ott', 'unclear'],
	['Maria de la Cruz', 'Juan de la Vega', 'unclear'],
	['John van Dyk', 'Piet van Gogh', 'unclear'],
	['李 先生', '李 小龍', 'found'],
])('%s and a record of %s: %s', (customer_name, name, result) => {
	const call = { customer_phone: PHONE, customer_name };
	expect(verdictOf(call, adas({ name })).result).toBe(result);
});

const peopleOf = (count: number) =>
	Array.from({ length: count }, (_, id) => ({ id, name: `Ada ${'ABCDEFGH'[id]}`, phone: PHONE }));

test.each<[IDataObject, IDataObject[], string]>([
	[{}, [ada, byron], 'Ada Lovelace and Byron Lovelace have this number.'],
	[{}, peopleOf(6), 'Ada A, Ada B, Ada C, Ada D and 2 others have this number.'],
	[{}, [nameless], 'A record without a name has this number.'],
	[{}, [nameless, ada], 'Ada Lovelace and a record without a name have this number.'],
	[{}, [nameless, { ...nameless, id: 2 }], '2 records without a name have this number.'],
	[{}, [ada, { ...ada, id: 9 }], 'Ada Lovelace has this number in 2 records: this is the oldest.'],
	[{ customer_email: ada.email }, [ada], 'Ada Lovelace has this number and this e-mail address.'],
	[{}, [], "No record has the customer's number or e-mail address."],
	[
		{ customer_email: byron.email },
		[ada, { ...byron, phone: OTHER }],
		'Ada Lovelace and Byron Lovelace have this number or this e-mail address.',
	],
	[
		{ customer_name: 'Max Ott' },
		[ada],
		'Ada Lovelace has this number, but the call states the name Max Ott.',
	],
	[{}, [{ data: { value: PHONE } }], 'The field value may hold'],
	[{}, [{ users: [{ phone: PHONE }] }], 'The field users.phone may hold'],
	[{}, [{ phone: `${OTHER} / ${PHONE} 9-17` }], 'correct it, so that it has the area code'],
	[{ customer_phone: null, person: 'web' }, [], 'It was no phone call, and the event states no'],
])('%j and %j: %s', (call, records, reason) => {
	expect(verdictOf({ customer_phone: PHONE, ...call }, records).reason).toContain(reason);
});

test.each(['withheld', 'web', 'unknown', undefined])('%s is no customer', (person) => {
	expect(verdictOf({ ...(person && { person }) }, [ada]).result).toBe('noCustomer');
});

test('a call is read from call details, whatever their name, and from the columns of a row', () => {
	const event = { call_id: '1', direction: 'inbound', from: PHONE, customer_name: 'Ada' };
	const expected = { emails: [], name: 'Ada', person: 'found' };
	const { callDetails } = withCallDetails(event);
	expect(readCustomer({ callDetails })).toMatchObject(expected);
	for (const ofEvent of ['a text', { person: 'found' }, { customer: {} }]) {
		const item = { callDetails: ofEvent, callDetails_12: callDetails };
		expect(readCustomer(item)).toMatchObject(expected);
	}
	for (const name of ['details', 'callDetailsBefore', 'oldcallDetails', 'callDetails_x']) {
		expect(readCustomer({ [name]: callDetails })).toBeUndefined();
	}
	const row = { call_id: '1', person: 'found', customer_phone: PHONE, customer_name: 'Ada' };
	expect(readCustomer(row)).toEqual(readCustomer(withCallDetails(event)));
	expect(readCustomer({ id: 1, phone: PHONE })).toBeUndefined();
});

describe('for random calls and records', () => {
	const emails = ['ada@example.com', 'grace@example.com', 'shared@example.com'];
	const number = fc
		.constantFrom(...WRITTEN_NUMBERS)
		.chain(({ withCountry, national }) =>
			fc.constantFrom(...withCountry, ...national).map((text) => ({ text, e164: withCountry[0] })),
		);
	const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
	const person = fc.record({
		number: optional(number),
		email: optional(fc.constantFrom(...emails)),
		name: optional(fc.constantFrom('Ada Lovelace', 'lovelace ada', 'Grace Hopper', 'Ada', 'N/A')),
	});
	type Person = ValueOf<typeof person>;
	const shapes: Array<(one: Person) => IDataObject> = [
		({ number: phone, email, name }) => ({ phone: phone?.text, email, name }),
		({ number: phone, email, name }) => ({
			properties: { mobilephone: phone?.text, email, name, owner: { phone: '+12025550123' } },
		}),
		({ number: phone, email, name }) => ({
			...{ name, company: { phone: '+12025550123' }, owner_email: 'owner@example.com' },
			phones: phone ? [{ value: phone.text }] : [],
			emails: email ? [{ value: email }] : [],
		}),
	];
	const records = fc
		.array(fc.record({ person, shape: fc.constantFrom(...shapes) }), { maxLength: 8 })
		.map((all) => all.map((one, id) => ({ ...one, json: { id, ...one.shape(one.person) } })));

	/** Whether a person has the number or address of the call. */
	const shares = (call: Person, one: Person) =>
		(call.number !== undefined && call.number.e164 === one.number?.e164) ||
		(call.email !== undefined && call.email === one.email);
	const itemOf = ({ number: phone, email, name }: Person) => ({
		...{ call_id: '1', customer_phone: phone?.text, customer_email: email, customer_name: name },
	});

	test('a record that is found shares a number or address, and no order matters', () => {
		const counts = { found: 0, new: 0, unclear: 0, noCustomer: 0 };
		fc.assert(
			fc.property(person, records, (call, all) => {
				const jsons = Array.from(all, ({ json }): IDataObject => json);
				const { result, record, candidates } = verdictOf(itemOf(call), jsons);
				counts[result]++;
				const fitting = jsons.filter((_, at) => shares(call, all[at]!.person));
				const isKnown = call.number !== undefined || call.email !== undefined;
				assert.deepEqual(candidates, fitting);
				assert.equal(result === 'noCustomer', !isKnown);
				assert.equal(result === 'new', isKnown && fitting.length === 0);
				assert.equal(result === 'found', record !== null);
				assert.ok(record === null || fitting.includes(record));
				for (const other of [jsons.toReversed(), [...jsons.slice(3), ...jsons.slice(0, 3)]]) {
					const turned = verdictOf(itemOf(call), other);
					assert.deepEqual([turned.result, turned.record], [result, record]);
					assert.deepEqual(new Set(turned.candidates), new Set(candidates));
				}
			}),
			{ numRuns: runs(2_000) },
		);
		for (const count of Object.values(counts)) expect(count).toBeGreaterThan(runs(20));
	});
});

/** A second, and a reserve for counted or mutated code. */
const MOST_CPU_MS = 5_000;

test('a thousand calls are compared with a thousand records in about a second', () => {
	const phoneOf = (index: number) => `+4420${String(index * 7_919 + 10_000_000).slice(0, 8)}`;
	const indices = Array.from({ length: 1000 }, (_, index) => index);
	const phones = indices.flatMap((index) => [`0${2e9 + index}`, `+44${1e9 + index}`]);
	const before = process.cpuUsage();
	const read = indices.map((id) =>
		readCustomerRecord({ id, name: `Person ${id}`, phone: phoneOf(id) }),
	);
	// One text with thousands of numbers.
	read.push(readCustomerRecord({ phone: [...phones, ...phones].join('; ') }));
	const found = matchCustomers(
		indices.map((id) => readCustomer({ call_id: `${id}`, customer_phone: phoneOf(id) })!),
		read,
	);
	expect(found.map(({ record }) => record?.id)).toEqual(indices);
	const added = indices.map((id) => ({ call_id: `${id}`, customer_phone: `+4530${100_000 + id}` }));
	const ofNew = matchCustomers(
		added.map((row) => readCustomer(row)!),
		read,
	);
	expect(ofNew.every(({ result }) => result === 'new')).toBe(true);
	// Microseconds, of this process only.
	expect(process.cpuUsage(before).user / 1000).toBeLessThan(MOST_CPU_MS);
});
