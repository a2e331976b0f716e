import { choose, without, type Candidate, type Choice } from '../matcher/choose';
import type { Call } from './call';
import type { Direction } from './details';
import { readParties, type Party } from './parties';
import { isSameNumber, WITHHELD } from './phones';
import { isSameText, readEmail, readId, readName } from './values';
import type { Part, Side } from './vocabulary/parties';

/** Reads the customer and our side. The direction says which end of the call is whose; `isWithheld`: the customer's number is hidden. */
export function readPeople(call: Call, direction: Direction | null) {
	const parties = readParties(call.records);
	const of = (...sides: Array<Side | undefined>) =>
		parties.filter(({ side }) => sides.includes(side));
	const customerEnd = customerEndOf();
	const ourEnd = customerEnd && (customerEnd === 'origin' ? 'target' : 'origin');
	// A lone `caller` is the customer; beside another number either can be.
	const isLone = customerEnd === undefined && numbersOf(of('target', 'customer')).length === 0;
	const lone = isLone ? of('origin').filter(({ isPerson }) => isPerson) : [];

	const sides = [...of('customer', customerEnd), ...lone];
	const phone = chooseNumber(sides);
	const isFlagged = call.of('withheld').some(({ value }) => value === true || value === 'true');
	const isWithheld = phone.value === WITHHELD || (isFlagged && direction !== 'outbound');
	const [theirs, ours] = [of('customer', customerEnd), of('agent', ourEnd)].map(numbersOf);
	const isContradicted = isOneOf(ours!, theirs!);
	const veto = (choice: Choice<string>, isHidden: boolean) => {
		if (isHidden) return without(choice, 'the number is hidden');
		return isContradicted ? without(choice, 'a number is of both sides') : choice;
	};
	const agentPhone = chooseNumber(of('agent', ourEnd));
	const people = sides.filter((party) => isOfCustomer(party, phone.value));
	const agents = of('agent').filter(({ isPerson }) => isPerson);
	return {
		choices: {
			'customer.phone': veto(phone, isWithheld),
			'customer.name': chooseName(people),
			'customer.email': choose(
				candidatesOf(people, 'email'),
				({ value }) => readEmail(value),
				isSameText,
			),
			'agent.id': choose(candidatesOf(agents, 'id'), ({ value }) => readId(value)),
			'agent.name': chooseName(agents),
			'agent.phone': veto(agentPhone, agentPhone.value === WITHHELD),
		},
		isWithheld,
	};

	/** The customer's end: as the direction says, or because an end is stated to be of a side. */
	function customerEndOf(): 'origin' | 'target' | undefined {
		if (direction !== null) return direction === 'inbound' ? 'origin' : 'target';
		const [from, to] = [chooseNumber(of('origin')).value, chooseNumber(of('target')).value];
		const [customers, agents] = [numbersOf(of('customer')), numbersOf(of('agent'))];
		const isOrigin = isOneOf([from], customers) || isOneOf([to], agents) || from === WITHHELD;
		const isTarget = isOneOf([to], customers) || isOneOf([from], agents);
		return isOrigin === isTarget ? undefined : isOrigin ? 'origin' : 'target';
	}
}

function chooseNumber(parties: Party[]): Choice<string> {
	const candidates = parties.flatMap(({ confidence, fields }) =>
		fields
			.filter(({ part }) => part === 'phone')
			.map(({ path, phone }) => ({ path, value: phone, confidence })),
	);
	return choose(candidates, ({ value }) => value, isSameNumber);
}

function numbersOf(parties: Party[]): string[] {
	const phones = parties.flatMap(({ fields }) => fields.map(({ phone }) => phone));
	return phones.filter((phone): phone is string => phone !== null && phone !== WITHHELD);
}

function isOneOf(numbers: Array<string | null>, others: string[]): boolean {
	return numbers.some((one) => one !== null && others.some((other) => isSameNumber(one, other)));
}

/** A party's name and e-mail are the customer's if its number is; an end that is no person needs one. */
function isOfCustomer(party: Party, phone: string | null): boolean {
	const numbers = numbersOf([party]);
	if (numbers.length === 0) return party.isPerson || phone === WITHHELD;
	return phone === null || phone === WITHHELD || isOneOf(numbers, [phone]);
}

function candidatesOf(parties: Party[], part: Part): Candidate[] {
	const fields = parties.flatMap((party) => party.fields);
	return fields
		.filter((field) => field.part === part)
		.map((field) => ({ ...field, confidence: 2 }));
}

/** Chooses a name: a full one, first and last name of one party, else a first name alone. */
function chooseName(parties: Party[]): Choice<string> {
	const candidates = parties.flatMap((party): Candidate[] => {
		const [first, last] = (['first', 'last'] as const).map(
			(part) => candidatesOf([party], part)[0],
		);
		const names = [first, last].flatMap((field) => readName(field?.value) ?? []);
		const full = candidatesOf([party], 'name');
		if (!first || readName(first.value) === null) return full;
		return [...full, { path: first.path, value: names.join(' '), confidence: names.length }];
	});
	return choose(candidates, ({ value }) => readName(value), isSameText);
}
