/** Chooses the details of the customer and of the agent: which party is on which side of the call. */
import { choose, choiceUnless, type Candidate, type Choice } from '../matcher/choose';
import { isObject } from '../matcher/json';
import { isWithin, type CallFields, type CallRecord } from './callRecords';
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
	fields: PartyField[];
}

/** A field of a party. The value of a phone is its number, WITHHELD, or null. */
interface PartyField {
	part?: Part;
	path: string;
	value: unknown;
}

/** A limit for hostile events: the numbers of two parties are compared with each other. */
const MOST_FIELDS = 100;

/**
 * Chooses the details of both sides. `isWithheld`: the number of the customer is hidden.
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
	const [customers, agents] = [of('customer', customerEnd), of('agent', agentEnd)];
	const [phone, agentPhone] = [chooseNumber(customers), chooseNumber(agents)];
	const isWithheld = phone.value === WITHHELD;
	const isContradicted = isOneOf(numbersOf(agents), numbersOf(customers));
	const unlessHidden = (choice: Choice<string>) =>
		choiceUnless(
			isContradicted || choice.value === WITHHELD,
			'the number is hidden or on both sides',
			choice,
		);
	const people = customers.filter((one) => isOfCustomer(one, mapped ?? phone.value));
	const name = chooseName(people);
	const areTwo = name.value === null && name.candidates.some(({ value }) => readName(value));
	const email = chooseText(people, 'email', readEmail);
	// An outbound leg of another call may have been transferred to one of ours.
	const isLeg =
		direction === 'outbound' && call.of('parent').some(({ value }) => readPlainId(value));
	const unlessLeg = (choice: Choice<string>) =>
		choiceUnless(isLeg, 'the call is a leg of another call', choice);
	return {
		choices: {
			'customer.phone': unlessLeg(unlessHidden(phone)),
			'customer.name': unlessLeg(name),
			'customer.email': unlessLeg(choiceUnless(areTwo, 'the names are of two people', email)),
			'agent.id': chooseText(of('agent'), 'id', readPlainId),
			'agent.name': chooseName(of('agent')),
			'agent.phone': unlessHidden(agentPhone),
		},
		isWithheld,
	};

	/** Returns the end of the customer: by the direction, else a hidden caller, or a lone `caller`. */
	function customerEndOf(): 'caller' | 'callee' | undefined {
		if (direction !== null) return direction === 'inbound' ? 'caller' : 'callee';
		const callers = of('caller');
		const isHidden = chooseNumber(callers).value === WITHHELD;
		// Beside another number, a `caller` can be either side.
		const isLone = of('callee').length === 0 && callers.every(({ isPerson }) => isPerson);
		const isStated = numbersOf(of('customer')).length > 0;
		return !isStated && (isHidden || isLone) ? 'caller' : undefined;
	}
}

/** Finds the parties at the level of the call. Of metadata, only the numbers in flat fields count. */
function partiesIn({ kind, fields }: CallRecord): Party[] {
	const parties = new Map<unknown, Party>();
	const isMetadata = kind === 'metadata';
	for (const field of kind === 'part' ? [] : fields) {
		const { side, part, isPerson, path, place, value } = field;
		if (!side || !part) continue;
		const isNumber = part === 'phone' || part === 'self';
		if (isObject(value)) {
			const isParty = part === 'self' && (isPerson || isEnd(side)) && !isMetadata;
			if (isParty) parties.set(field, { side, isPerson, fields: fieldsOfParty(value, path, side) });
		} else if (isNumber || (isPerson && !isMetadata)) {
			const key = `${side} ${isPerson}`;
			const party = parties.get(key) ?? { side, isPerson, fields: [] };
			party.fields.push(isNumber ? { part: 'phone', path, value: readPhone(value, place) } : field);
			parties.set(key, party);
		}
	}
	return [...parties.values()];
}

/** Reads the direct fields of a party object. */
function fieldsOfParty(object: object, path: string, side: Side): PartyField[] {
	const fields = Object.entries(object).slice(0, MOST_FIELDS) as Array<[string, unknown]>;
	return fields.flatMap(([key, value]) => {
		const { part, side: other = side, place } = readFieldName(key);
		if (other !== side) return [];
		const here = isEnd(side) ? 'named' : place;
		return {
			part,
			path: pathTo(path, key),
			value: part === 'phone' ? readPhone(value, here) : value,
		};
	});
}

function chooseNumber(parties: Party[]): Choice<string> {
	const phones = candidatesOf(parties, 'phone');
	return choose(phones, ({ value }) => value as string | null, isSameNumber);
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
	const isInCall = party.fields.every(({ path }) => isWithin(path, call));
	return isInCall || party.side === 'agent' || isOneOf(numbersOf([party]), ends);
}

/** Whether the name and e-mail of a party are the customer's: its number is, or it is a person without one. */
function isOfCustomer(party: Party, phone: string | null): boolean {
	const numbers = numbersOf([party]);
	if (numbers.length === 0) return party.isPerson || phone === WITHHELD;
	return phone === null || phone === WITHHELD || isOneOf(numbers, [phone]);
}

/** The fields of a part. A number at an end of the call is surer than others. */
function candidatesOf(parties: Party[], wanted: Part): Candidate[] {
	return parties.flatMap(({ side, fields }) =>
		fields
			.filter(({ part }) => part === wanted)
			.map((field) => ({ ...field, confidence: wanted === 'phone' && isEnd(side) ? 2 : 1 })),
	);
}

/** Chooses a name: a full name, or first and last name of one party. */
function chooseName(parties: Party[]): Choice<string> {
	const candidates = parties.flatMap((party): Candidate[] => {
		const [first] = candidatesOf([party], 'first');
		const [last] = candidatesOf([party], 'last');
		const full = candidatesOf([party], 'name');
		if (!first || readName(first.value) === null) return full;
		const value = [first, last].flatMap((field) => readName(field?.value) ?? []).join(' ');
		return [...full, { ...first, value }];
	});
	return choose(candidates, ({ value }) => readName(value));
}

function chooseText(parties: Party[], part: Part, read: (value: unknown) => string | null) {
	return choose(candidatesOf(parties, part), ({ value }) => read(value));
}
