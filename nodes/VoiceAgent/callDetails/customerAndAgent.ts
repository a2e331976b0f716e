/** Chooses the details of the customer and of the agent: which party is on which side of the call. */
import { choose, type Candidate } from '../text/topics';
import { isWithin } from '../text/json';
import type { CallFields } from './callFields';
import { isWebCall } from './callValues';
import type { DetailValues } from './details';
import { isEnd } from './fieldNames';
import { isBetterName, isSameName, readName, readPersonName } from './names';
import { readParties, type Party } from './parties';
import { isOfWhatsApp, readPhone, WITHHELD } from './phoneNumbers';
import { isSameNumber } from './sameNumber';
import { readEmail, readPlainId } from './values';
import { hasAny } from '../text/words';
import { ELSEWHERE, type Part, type Side } from './vocabulary/fieldWords';
import type { Direction } from './vocabulary/valueWords';

/** More numbers than any call has. A limit for hostile events, since each is compared with each. */
const MOST_NUMBERS = 10;

/**
 * Chooses the details of both sides. `isWithheld`: the number of the customer is hidden.
 *
 * @param phone the customer's number by the user's mapping: a party with another one is no customer
 * @param countryCode of national numbers
 */
export function chooseSides(
	call: CallFields,
	direction: Direction | null,
	{ phone: mapped, countryCode }: { phone?: string | null; countryCode?: string } = {},
) {
	const found = call.objects.flatMap((one) => readParties(one, countryCode));
	const stated = numbersOf(found.filter((one) => isEnd(one.side) && !one.isListed));
	// Who is in a list without a number of the call may take no part in it.
	const isPresent = (own: string[]) => isOneOf(own, stated.length > 0 ? stated : own);
	const all = found.filter((one) => !one.isListed || isPresent(numbersOf([one])));
	const isIn = ({ fields }: Party) => fields.every(({ path }) => isWithin(path, call.place));
	// A call may state its customer in place of its ends. A web call has none.
	const ends = all.filter((one) => isEnd(one.side) || (one.side === 'customer' && isIn(one)));
	const hasEnds = ends.length > 0 || isWebCall(call);
	const known = [...numbersOf(ends), mapped ?? []].flat();
	const parties = all.filter((one) => isIn(one) || isOfCall(one, known, hasEnds));
	const { customers, agents } = divideParties(call, parties, direction);
	const phone = chooseNumber(customers);
	const isOnBoth = isOneOf(numbersOf(agents), numbersOf(customers));
	const unlessUnsure = (number: string | null) => (isOnBoth || number === WITHHELD ? null : number);
	const isOurs = (one: Party) => {
		const numbers = numbersOf([one]);
		return numbers.length > 0 && numbers.every((number) => isOneOf([number], numbersOf(agents)));
	};
	const people = customers.filter((one) => isOfCustomer(one, mapped ?? phone) && !isOurs(one));
	const customer = { 'customer.phone': unlessUnsure(phone), ...chooseCustomer(people) };
	const staff = agents.filter(({ side, isPerson }) => side === 'agent' && isPerson);
	// Its caller may be the one who was passed on.
	const isLeg = isLegOf(call, direction);
	const values: Partial<DetailValues> = {
		...(!isLeg && customer),
		'agent.id': choose(candidatesOf(staff, 'id'), ({ value }) => readPlainId(value)),
		'agent.name': chooseName(namesOf(staff, readName)),
		'agent.phone': isLeg || hasAppAtAnEnd(call) ? null : unlessUnsure(chooseNumber(agents)),
	};
	return { values, isWithheld: phone === WITHHELD };
}

/** Divides the parties of a call: one of its ends is the customer's, and the other one the agent's. */
function divideParties(call: CallFields, parties: Party[], direction: Direction | null) {
	const ofSide = (...sides: Array<Side | undefined>) =>
		parties.filter(({ side }) => sides.includes(side));
	const ofDirection = direction === 'inbound' ? 'caller' : 'callee';
	const customerEnd = direction === null ? findCustomerEnd(call, ofSide) : ofDirection;
	const agents = ofSide('agent', customerEnd && (customerEnd === 'caller' ? 'callee' : 'caller'));
	// Beside a customer, a lone callee with another number is that of a transfer.
	const stated = numbersOf(ofSide('customer'));
	const isOther = numbersOf(ofSide('callee')).some((one) => !isOneOf([one], stated));
	const isTransfer = stated.length > 0 && isOther && numbersOf(agents).length === 0;
	return { customers: ofSide('customer', isTransfer ? undefined : customerEnd), agents };
}

/** Finds the end of the customer in a call without a direction: an end has the number of a known side. */
function findCustomerEnd(call: CallFields, ofSide: (side: Side) => Party[]) {
	const [from, to] = [chooseNumber(ofSide('caller')), chooseNumber(ofSide('callee'))];
	const customers = numbersOf(ofSide('customer'));
	const agents = customers.length > 0 ? [] : numbersOf(ofSide('agent'));
	// A lone `caller` is the customer; beside another number it can be either side.
	const isLone =
		ofSide('caller').every(({ isPerson }) => isPerson) &&
		ofSide('callee').length + customers.length === 0 &&
		!hasOtherNumber(call, from);
	const isCaller =
		isLone || isOneOf([from], customers) || isOneOf([to], agents) || from === WITHHELD;
	const isCallee = isOneOf([to], customers) || isOneOf([from], agents);
	if (isCaller === isCallee) return undefined;
	return isCaller ? 'caller' : 'callee';
}

/** Whether the call is an outbound leg of another call, whose callee may be an agent. */
function isLegOf(call: CallFields, direction: Direction | null): boolean {
	const own = call.get('id').map(({ value }) => readPlainId(value));
	const parents = call.get('parent').map(({ value }) => readPlainId(value));
	return direction === 'outbound' && parents.some((id) => id !== null && !own.includes(id));
}

/** Whether an end is an app, which either side may use: `client:nora`. The direction may be that of the app. */
function hasAppAtAnEnd({ objects }: CallFields): boolean {
	const isApp = (value: unknown) =>
		isOfWhatsApp(value) || (typeof value === 'string' && /^client:/i.test(value));
	return objects.some(({ fields }) =>
		fields.some(({ side, value }) => isEnd(side) && isApp(value)),
	);
}

function chooseNumber(parties: Party[]): string | null {
	const candidates = candidatesOf(parties, 'phone');
	const number = choose(candidates, ({ value }) => value as string | null, isSameNumber);
	const isFull = (one: string) => one.startsWith('+') && isOneOf([number], [one]);
	return numbersOf(parties).find(isFull) ?? number;
}

function numbersOf(parties: Party[]): string[] {
	const phones = candidatesOf(parties, 'phone').map(({ value }) => value);
	const numbers = phones.filter((phone) => typeof phone === 'string' && phone !== WITHHELD);
	return [...new Set(numbers as string[])].slice(0, MOST_NUMBERS);
}

function isOneOf(numbers: Array<string | null>, others: string[]): boolean {
	return numbers.some((one) => one !== null && others.some((other) => isSameNumber(one, other)));
}

/** Whether a field that names no side has another number: `{ caller: '+1415…', answered_by: '+4420…' }` */
function hasOtherNumber({ objects }: CallFields, number: string | null): boolean {
	const all = objects.flatMap((one) => one.fields);
	const fields = all.filter(({ side, words }) => !side && !hasAny(words, ELSEWHERE));
	const numbers = fields.map(({ value, place, part }) =>
		readPhone(value, part === 'phone' ? 'phone' : place),
	);
	return numbers.some((other) => other !== null && !isOneOf([number], [other]));
}

/**
 * Whether a party beside the object of the call takes part in it. A customer is that of a number: one of its ends, or
 * where no end is stated, unless it may be a tenant of the service.
 */
function isOfCall(party: Party, known: string[], hasEnds: boolean): boolean {
	const numbers = numbersOf([party]);
	const isOnly = !hasEnds && party.doubt !== 'tenant' && numbers.length > 0;
	return party.side !== 'customer' || isOnly || isOneOf(numbers, known);
}

/** Whether the name and e-mail of a party are the customer's: its number is, or it is a person without one. */
function isOfCustomer(party: Party, phone: string | null): boolean {
	const numbers = numbersOf([party]);
	const isHidden = candidatesOf([party], 'phone').some(({ value }) => value === WITHHELD);
	if (numbers.length === 0) return party.isPerson || isHidden;
	return phone === null || phone === WITHHELD || isOneOf(numbers, [phone]);
}

function candidatesOf(parties: Party[], part: Part): Candidate[] {
	return parties.flatMap(({ fields }) => fields.filter((field) => field.part === part));
}

/** Chooses the name of the customer, its parts, and the e-mail address: none for two people. */
function chooseCustomer(everyone: Party[]): Partial<DetailValues> {
	// A `patient` without a number may be somebody else than a named caller.
	const isCaller = (one: Party) => isEnd(one.side) || numbersOf([one]).length > 0;
	const isNamed = namesOf(everyone.filter(isCaller)).length > 0;
	const mayBeCaller = (one: Party) => one.doubt !== 'role' || isCaller(one);
	const people = isNamed ? everyone.filter(mayBeCaller) : everyone;
	const names = namesOf(people);
	const name = chooseName(names);
	if (name === null && names.length > 0) return {};
	return {
		'customer.name': name,
		'customer.firstName': chooseName(candidatesOf(people, 'first')),
		'customer.lastName': chooseName(candidatesOf(people, 'last')),
		'customer.email': choose(candidatesOf(people, 'email'), ({ value }) => readEmail(value)),
	};
}

function chooseName(candidates: Candidate[]): string | null {
	return choose(candidates, ({ value }) => readName(value), isSameName, isBetterName);
}

/**
 * The candidates of a name: full names, and first and last name of one party.
 *
 * @param read reads a full name
 */
function namesOf(parties: Party[], read = readPersonName): Candidate[] {
	return parties.flatMap((party): Candidate[] => {
		const [first] = candidatesOf([party], 'first');
		const [last] = candidatesOf([party], 'last');
		const full = candidatesOf([party], 'name').filter(({ value }) => read(value) !== null);
		if (!first || readName(first.value) === null) return full;
		const value = [first, last].flatMap((field) => readName(field?.value) ?? []).join(' ');
		return [...full, { ...first, value }];
	});
}
