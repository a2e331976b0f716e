/**
 * Decides which record of a CRM is a call's customer. In this folder,
 * - call.ts reads the customer of a call, and record.ts the person of a record;
 * - fields.ts decides whose a field is, by the words of vocabulary.ts;
 * - reasons.ts says in a sentence why a call has its result.
 */
import { isSameName, PARTICLE } from '../callDetails/names';
import type { CallCustomer } from './call';
import {
	areEqual,
	FEWEST_LOCAL_DIGITS,
	type ReadNumber,
	withPlus,
} from '../callDetails/sameNumber';
import { REASONS } from './reasons';
import { nameKeyOf, type Fit, type ReadField, type ReadRecord } from './record';

/** The results, in the order of the node's outputs. */
export const RESULTS = ['found', 'new', 'unclear', 'noCustomer'] as const;

/** Decides which record is the customer of each call. Of several calls of a new customer, one is new. */
export function matchCustomers(customers: CallCustomer[], records: ReadRecord[]) {
	const added: CallCustomer[] = [];
	// A search may find a record twice.
	const unique = [...new Map(records.map((one) => [JSON.stringify(one.json), one])).values()];
	return customers.map((customer) => {
		const match = matchCustomer(customer, unique);
		if (match.result !== 'new') return match;
		if (added.some((other) => compare(other, customer))) return resultOf('unclear', REASONS.again);
		added.push(customer);
		return match;
	});
}

/**
 * Decides which record is the customer of a call.
 *
 * @param records in any order; each is compared with the call
 */
function matchCustomer(customer: CallCustomer, records: ReadRecord[]) {
	if (customer.numbers.length + customer.emails.length === 0) {
		return resultOf('noCustomer', REASONS.noCustomer(customer.person));
	}
	const all = records.flatMap((record): Fit[] => {
		const shared = compare(record, customer);
		return shared ? [{ record, ...shared }] : [];
	});
	if (all.length === 0) return matchUnsure(customer, records);
	const unclear = (reason: string) => resultOf('unclear', reason, all);
	const present = all.filter(({ record }) => !record.isInactive);
	const used = present.length > 0 ? present : all;
	const ofPerson = choosePerson(all, customer) ?? choosePerson(used, customer);
	const person = ofPerson?.filter((fit) => used.includes(fit));
	if (!person?.length || areOfTwo(used)) return unclear(REASONS.people(all));
	if (isAnother(person, customer, all)) return unclear(REASONS.otherName(person, customer));
	const oldest = person.map(({ record }) => record).reduce(older);
	return resultOf('found', REASONS.person(person), all, oldest);
}

/**
 * @param reason a sentence for a person
 * @param fitting the records that fit
 * @param found the customer's record
 */
function resultOf(
	result: (typeof RESULTS)[number],
	reason: string,
	fitting: Array<Pick<Fit, 'record'>> = [],
	found?: ReadRecord,
) {
	const candidates = fitting.map(({ record }) => record.json);
	const { json: record = null, recordId = null } = found ?? {};
	return { result, record, recordId, candidates, reason };
}

/** The result if no field fits that is surely the person's: one that may be another's or holds more, or none. */
function matchUnsure(customer: CallCustomer, records: ReadRecord[]) {
	const finders = customer.numbers.map(digitFinder);
	const fitting = records.flatMap((record) => {
		const field = record.fields.find(
			(one) => (!one.isOwn && compare(one, customer)) || finders.some((finds) => finds(one)),
		);
		return field ? [{ record, field }] : [];
	});
	const [first] = fitting;
	if (!first) return resultOf('new', REASONS.nobody);
	return resultOf('unclear', REASONS.field(first.field, customer), fitting);
}

/** Digits in front of these are an area code, or the mark of a mobile number in Brazil and Argentina. */
const MOST_LOCAL_DIGITS = 8;

/**
 * Finds a number whose digits a text has among others, as with another number or the hours behind it; or their end, as
 * without the area code. `555-0187`, `+14155550187` → true
 */
function digitFinder(number: ReadNumber): (field: ReadField) => boolean {
	const { text, code = '' } = withPlus(number);
	const isForeign = (one: ReadNumber) => code && one.code && one.code !== code;
	const national = text.slice(code.length).replace(/^0/, '');
	const wanted = national.length >= FEWEST_LOCAL_DIGITS ? national : text.slice(1);
	const isEnd = (end: string) =>
		end.length >= FEWEST_LOCAL_DIGITS && wanted.endsWith(end.slice(-MOST_LOCAL_DIGITS));
	return ({ digits, numbers }) => {
		if (numbers.length > 0 && numbers.every(isForeign)) return false;
		return digits.includes(wanted) || isEnd(digits) || numbers.some((one) => isEnd(one.text));
	};
}

/** Numbers and addresses of a customer or a record. */
type Values = Pick<CallCustomer, 'numbers' | 'emails'>;

/** Returns whether values share a number and an address with the customer; undefined if they share neither. */
function compare({ numbers, emails }: Values, customer: CallCustomer) {
	const hasNumber = numbers.some((one) => customer.numbers.some((other) => areEqual(one, other)));
	const hasEmail = emails.some((email) => customer.emails.includes(email));
	return hasNumber || hasEmail ? { hasNumber, hasEmail } : undefined;
}

/** Whether the number is one person's, and the address another's. */
function areOfTwo(fitting: Fit[]): boolean {
	const ofNumber = fitting.filter(({ hasNumber }) => hasNumber);
	const ofEmail = fitting.filter(({ hasEmail }) => hasEmail);
	const isOne = ofNumber.some((one) => ofEmail.some((other) => haveOneName([one, other])));
	return ofNumber.length > 0 && ofEmail.length > 0 && !isOne;
}

/** Whether records have one name. A record without a name may be anybody's. */
function haveOneName([first, ...others]: Fit[]): boolean {
	const key = first?.record.nameKey;
	return others.every(({ record }) => record === first!.record || (key && record.nameKey === key));
}

/**
 * Chooses the records of one person: those with the stated e-mail address, else all that fit, else those with
 * the stated name. `Ada` and `Byron` share a phone, and the call states `Ada` → the records of `Ada`
 */
function choosePerson(fitting: Fit[], { name }: CallCustomer): Fit[] | undefined {
	const ofEmail = fitting.filter(({ hasEmail }) => hasEmail);
	const ofName = fitting.filter(({ record }) => name && record.nameKey === nameKeyOf(name));
	const ofPart = fitting.filter(({ record }) => name && isSameName(record.name, name));
	return [ofEmail, fitting, ofName, ofPart].find(isOnePerson);
}

/** Whether records are of one person: they share the number or the address, and all names among them are one. */
function isOnePerson(group: Fit[]): boolean {
	const sharesOne =
		group.every(({ hasNumber }) => hasNumber) || group.every(({ hasEmail }) => hasEmail);
	return group.length > 0 && sharesOne && haveOneName(group);
}

/**
 * Whether the call is another person's: it states another name, also of another record that fits, or a name and an
 * address that both differ.
 */
function isAnother(person: Fit[], { name: stated, emails }: CallCustomer, all: Fit[]): boolean {
	const name = person.map(({ record }) => record.name).find(Boolean);
	if (stated === null || name === undefined) return false;
	if (isSameName(nameKeyOf(name), nameKeyOf(stated))) return false;
	if (all.some(({ record }) => isSameName(record.name, stated))) return true;
	const words = new Set(nameKeyOf(name).split(' '));
	// Different people: `A. King`, `A. Ott`; `de la Cruz`, `de la Vega`
	const isShared = (word: string) =>
		words.has(word) && !/^\p{Ll}$/u.test(word) && !PARTICLE.test(word);
	if (!nameKeyOf(stated).split(' ').some(isShared)) return true;
	const hasOther = person.some(({ record }) => record.emails.length > 0);
	return emails.length > 0 && hasOther && !person.some(({ hasEmail }) => hasEmail);
}

/** The older of two records: by its time of creation, else by its numeric ID; else the first. */
function older(a: ReadRecord, b: ReadRecord): ReadRecord {
	const [idA, idB] = [a, b].map(({ recordId }) =>
		/^\d+$/.test(`${recordId}`) ? Number(recordId) : Infinity,
	);
	const isOlder = b.created === a.created ? idB! < idA! : b.created < a.created;
	return isOlder ? b : a;
}
