/** Chooses the details of the customer and of the agent: which party is on which side of the call. */
import { choose, choiceUnless, type Candidate, type Choice } from '../matcher/choose';
import { isObject } from '../matcher/json';
import { isWithin, type CallField, type CallFields, type CallRecord } from './callRecords';
import { isEnd, readFieldName } from './fieldNames';
import { pathTo } from './mapping';
import { isSameNumber, readPhone, WITHHELD } from './phoneNumbers';
import { readEmail, readName, readPlainId, type Direction } from './values';
import type { Part, Side } from './vocabulary/partyNames';

/** One party of the call: an object (`customer`), or flat fields of one side (`customer_phone`). */
interface Party {
	side: Side;
	/** Whether its name is a word for people: `caller`, but not `source`. */
	isPerson: boolean;
	/** The path of the record that holds it. */
	place: string;
	fields: PartyField[];
}

interface PartyField {
	part?: Part;
	path: string;
	/** Of a phone, its number: WITHHELD for a hidden one, null if it holds none. */
	value: unknown;
}

/** The readers of the parts that are chosen. */
const READERS = {
	phone: (value: unknown) => value as string | null,
	name: readName,
	email: readEmail,
	id: readPlainId,
};
/** A limit for hostile events: the numbers of two parties are compared with each other. */
const MOST_FIELDS = 100;

/**
 * Chooses the details of both sides. A hidden number is WITHHELD.
 *
 * @param mapped the customer's number by the user's mapping: a party with another one is no customer
 */
export function chooseSides(call: CallFields, direction: Direction | null, mapped?: string | null) {
	const all = call.records.flatMap(partiesIn);
	const known = [...numbersOf(all.filter(({ side }) => isEnd(side))), ...(mapped ? [mapped] : [])];
	const parties = all.filter((party) => isOfCall(party, known, call.main?.path ?? ''));
	const of = (...sides: Array<Side | undefined>) =>
		parties.filter(({ side }) => sides.includes(side));
	const customerEnd = customerEndOf();
	const agentEnd = customerEnd && (customerEnd === 'caller' ? 'callee' : 'caller');
	// An outbound leg of another call may have been transferred to one of ours.
	const isLeg =
		direction === 'outbound' && call.of('parent').some(({ value }) => readPlainId(value));
	const customers = isLeg ? [] : of('customer', customerEnd);
	const agents = of('agent', agentEnd);
	const isContradicted = isOneOf(numbersOf(agents), numbersOf(customers));
	const unlessContradicted = (choice: Choice<string>) =>
		choiceUnless(isContradicted, 'the number is on both sides', choice);
	const phone = choosePart(customers, 'phone');
	const people = customers.filter((one) => isOfCustomer(one, mapped ?? phone.value));
	const name = choosePart(people, 'name');
	const areTwo = name.value === null && name.candidates.some(({ value }) => readName(value));
	const email = choosePart(people, 'email');
	return {
		'customer.phone': unlessContradicted(phone),
		'customer.name': name,
		'customer.email': choiceUnless(areTwo, 'the names are of two people', email),
		'agent.id': choosePart(of('agent'), 'id'),
		'agent.name': choosePart(of('agent'), 'name'),
		'agent.phone': unlessContradicted(choosePart(agents, 'phone')),
	};

	/** Returns the end of the customer: by the direction, else a hidden caller, or a lone `caller`. */
	function customerEndOf(): 'caller' | 'callee' | undefined {
		if (direction !== null) return direction === 'inbound' ? 'caller' : 'callee';
		const callers = of('caller');
		const isHidden = choosePart(callers, 'phone').value === WITHHELD;
		// Beside another number, a `caller` can be either side.
		const isLone = of('callee').length === 0 && callers.every(({ isPerson }) => isPerson);
		const isStated = numbersOf(of('customer')).length > 0;
		return !isStated && (isHidden || isLone) ? 'caller' : undefined;
	}
}

/** Finds the parties at the level of the call. Of metadata, and of lines, only the numbers count. */
function partiesIn({ kind, path: place, fields }: CallRecord): Party[] {
	const parties = new Map<unknown, Party>();
	for (const field of kind === 'part' ? [] : fields) {
		const { side, isPerson, value } = field;
		if (!side) continue;
		const hasNames = kind === 'envelope' && (isPerson || isObject(value));
		const key = isObject(value) ? field : `${side} ${isPerson}`;
		const party = parties.get(key) ?? { side, isPerson, place, fields: [] };
		party.fields.push(...partyFields(field).filter(({ part }) => part === 'phone' || hasNames));
		if (party.fields.length > 0) parties.set(key, party);
	}
	return [...parties.values()];
}

/** Reads a flat field, or the direct fields of an object that is a party. */
function partyFields(field: Omit<CallField, 'record'>): PartyField[] {
	const { side, part, isPerson, place, path, value } = field;
	if (!isObject(value))
		return [{ part, path, value: part === 'phone' ? readPhone(value, place) : value }];
	if (part !== 'phone' || !(isPerson || isEnd(side))) return [];
	return Object.entries(value)
		.slice(0, MOST_FIELDS)
		.flatMap(([key, inner]) => {
			const name = readFieldName(key);
			const isOther = isObject(inner) || (name.side && name.side !== side);
			const innerPlace = isEnd(side) ? 'named' : name.place;
			return isOther
				? []
				: partyFields({ ...name, place: innerPlace, path: pathTo(path, key), value: inner });
		});
}

/** The fields of a part. A number at an end of the call is surer than others. */
function candidatesOf(parties: Party[], wanted: Part): Candidate[] {
	return parties.flatMap(({ side, fields }) => {
		const confidence = wanted === 'phone' && isEnd(side) ? 2 : 1;
		const all = wanted === 'name' ? [...fields, ...joinedName(fields)] : fields;
		return all.filter(({ part }) => part === wanted).map((field) => ({ ...field, confidence }));
	});
}

/** Joins the first and the last name of a party. A last name alone is no name. */
function joinedName(fields: PartyField[]): PartyField[] {
	const first = fields.find(({ part }) => part === 'first');
	const last = fields.find(({ part }) => part === 'last');
	const names = [first, last].flatMap((field) => readName(field?.value) ?? []);
	return first && readName(first.value) ? [{ ...first, part: 'name', value: names.join(' ') }] : [];
}

function choosePart(parties: Party[], part: keyof typeof READERS): Choice<string> {
	const isSame = part === 'phone' ? isSameNumber : undefined;
	return choose(candidatesOf(parties, part), ({ value }) => READERS[part](value), isSame);
}

function numbersOf(parties: Party[]): string[] {
	const phones = candidatesOf(parties, 'phone').map(({ value }) => value as string | null);
	return phones.filter((phone) => phone !== null && phone !== WITHHELD) as string[];
}

function isOneOf(numbers: string[], others: string[]): boolean {
	return numbers.some((one) => others.some((other) => isSameNumber(one, other)));
}

/**
 * Whether a party takes part in the call: a `customer` beside the object of the call may be a tenant of the
 * service, unless one of its numbers is an end of the call.
 */
function isOfCall(party: Party, ends: string[], call: string): boolean {
	const { side, place } = party;
	return side === 'agent' || isWithin(place, call) || isOneOf(numbersOf([party]), ends);
}

/** Whether the name and e-mail of a party are the customer's: its number is, or it is a person without one. */
function isOfCustomer(party: Party, phone: string | null): boolean {
	const numbers = numbersOf([party]);
	if (numbers.length === 0) return party.isPerson || phone === WITHHELD;
	return phone === null || phone === WITHHELD || isOneOf(numbers, [phone]);
}
