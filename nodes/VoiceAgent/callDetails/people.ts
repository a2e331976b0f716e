import { choose, without, type Candidate, type Choice } from '../matcher/choose';
import type { Call } from './call';
import type { DetailKey, Direction } from './details';
import { readParties, type PartyField } from './parties';
import { isSameNumber, WITHHELD } from './phones';
import { readEmail, readId, readName } from './values';

export type PeopleChoices = Record<Extract<DetailKey, `${string}.${string}`>, Choice<string>>;

/** What an event says of the two sides. */
export interface People {
	choices: PeopleChoices;
	/** The customer's number is hidden. */
	isWithheld: boolean;
}

type End = 'origin' | 'target';

/** How sure a number is: at an end of the call, in a field of the call or of a role, in a party object. */
const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;

/** Reads the customer and our side. The direction says which end of the call is whose. */
export function readPeople(call: Call, direction: Direction | null): People {
	const fields = readParties(call.records);
	const numbers = fields.filter(({ part }) => part === 'phone');
	const ends: Record<End, Choice<string>> = {
		origin: chooseNumber(numbers.filter(({ side }) => side === 'origin')),
		target: chooseNumber(numbers.filter(({ side }) => side === 'target')),
	};
	const customers = numbersOf(fields, 'customer');
	const ours = numbersOf(fields, 'agent');
	const customerEnd = customerEndOf(direction, ends, customers, ours);
	const ourEnd = customerEnd && (customerEnd === 'origin' ? 'target' : 'origin');
	// A lone `caller` is a person that called; beside a `callee` either can be the customer.
	const isLone = customerEnd === undefined && !numbers.some(({ side }) => side === 'target');

	const isCustomer = ({ side, owner }: PartyField) =>
		side === 'customer' || side === customerEnd || (isLone && side === 'origin' && owner.isPerson);
	const atCustomer = customerEnd && numberAt(ends[customerEnd]);
	const atOurs = ourEnd && numberAt(ends[ourEnd]);
	const phones = {
		customer: chooseNumber(numbers.filter(isCustomer)),
		agent: chooseNumber(numbers.filter(({ side }) => side === 'agent' || side === ourEnd)),
	};
	const customer = numberAt(phones.customer);
	const people = fields.filter((field) => isCustomer(field) && isOfCustomer(field, customer));
	const agents = fields.filter(({ side, owner }) => side === 'agent' && owner.isPerson);

	const isHidden =
		phones.customer.value === WITHHELD ||
		(direction !== 'outbound' && call.of('withheld').some(({ value }) => isTrue(value)));
	const isContradicted =
		isOneOf(atOurs, customers) ||
		isOneOf(atCustomer, [...ours, ...(atOurs ? [atOurs] : [])]) ||
		customers.some((number) => isOneOf(number, ours));
	const veto = (choice: Choice<string>) =>
		isContradicted ? without(choice, 'a number is the customer’s and ours') : visible(choice);
	return {
		choices: {
			'customer.phone': isHidden
				? without(phones.customer, 'the number is hidden')
				: veto(phones.customer),
			'customer.name': chooseName(people),
			'customer.email': chooseValue(people, 'email', readEmail),
			'agent.id': chooseValue(agents, 'id', readId),
			'agent.name': chooseName(agents),
			'agent.phone': veto(phones.agent),
		},
		isWithheld: isHidden,
	};
}

function isTrue(value: unknown): boolean {
	return value === true || value === 'true' || value === 1 || value === '1';
}

function chooseNumber(fields: PartyField[]): Choice<string> {
	const candidates = fields.map((field) => {
		const isEnd = field.side === 'origin' || field.side === 'target';
		const named = field.owner.isObject && !field.owner.hasRole ? IN_AN_OBJECT : FLAT;
		return { path: field.path, value: field.phone, confidence: isEnd ? AT_AN_END : named };
	});
	return choose(candidates, ({ value }) => value as string | null, isSameNumber);
}

/** A hidden number is no number. */
function visible(choice: Choice<string>): Choice<string> {
	return choice.value === WITHHELD ? without(choice, 'the number is hidden') : choice;
}

function numberAt({ value }: Choice<string>): string | undefined {
	return value === null || value === WITHHELD ? undefined : value;
}

/** The numbers that fields say to be of a side. */
function numbersOf(fields: PartyField[], side: 'customer' | 'agent'): string[] {
	return fields.flatMap(({ side: own, phone }) =>
		own === side && phone !== null && phone !== WITHHELD ? [phone] : [],
	);
}

function isOneOf(number: string | undefined, numbers: string[]): boolean {
	return number !== undefined && numbers.some((other) => isSameNumber(number, other));
}

/** The end that is the customer's: as the direction says, or because one end is stated to be of a side. */
function customerEndOf(
	direction: Direction | null,
	ends: Record<End, Choice<string>>,
	customers: string[],
	ours: string[],
): End | undefined {
	if (direction !== null) return direction === 'inbound' ? 'origin' : 'target';
	const [origin, target] = [numberAt(ends.origin), numberAt(ends.target)];
	const isOrigin = isOneOf(origin, customers) || isOneOf(target, ours);
	const isTarget = isOneOf(target, customers) || isOneOf(origin, ours);
	if (isOrigin !== isTarget) return isOrigin ? 'origin' : 'target';
	return ends.origin.value === WITHHELD ? 'origin' : undefined;
}

/** Tells whether a field of a party is the customer's: an end that is an object must hold a number, and the right one. */
function isOfCustomer({ owner, side }: PartyField, customer: string | undefined): boolean {
	const numbers = owner.fields.flatMap(({ phone }) => (phone === null ? [] : [phone]));
	if (numbers.length === 0) return owner.isPerson;
	const isSame = customer === undefined || isOneOf(customer, numbers);
	return isSame || (side === 'customer' && numbers.includes(WITHHELD));
}

function chooseValue(
	fields: PartyField[],
	part: 'email' | 'id',
	read: (value: unknown) => string | null,
): Choice<string> {
	return choose(
		fields.filter((field) => field.part === part).map((field) => ({ ...field, confidence: 1 })),
		({ value }) => read(value),
		(a, b) => a.toLowerCase() === b.toLowerCase(),
	);
}

/** Chooses a name: a full one, first and last name of one owner, else a first name alone. */
function chooseName(fields: PartyField[]): Choice<string> {
	const owners = new Set(fields.map(({ owner }) => owner));
	const candidates = [...owners].flatMap((owner): Candidate[] => {
		const of = (part: PartyField['part']) => owner.fields.filter((field) => field.part === part);
		const [first] = of('first');
		const [last] = of('last');
		const full = of('name').map(({ path, value }) => ({ path, value, confidence: 2 }));
		if (first === undefined || readName(first.value) === null) return full;
		const names = [first.value, last?.value].map(readName).filter((name) => name !== null);
		return [...full, { path: first.path, value: names.join(' '), confidence: names.length }];
	});
	return choose(
		candidates,
		({ value }) => readName(value),
		(a, b) => a.toLowerCase() === b.toLowerCase(),
	);
}
