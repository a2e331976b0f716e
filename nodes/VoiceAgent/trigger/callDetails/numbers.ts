import type { Direction } from './calls';
import { areSeveral, entryAround, isEnd, isSaid, Told, type PartyField } from './parties';
import { isSameNumber, readAddress } from './phoneNumbers';
import { around } from './records';
import type { Side } from './sides';
import { saysOneOf } from '../../reading/words';

/** More numbers than any event has are not compared with each other. */
const MOST = 200;

/** A number of an event, and where it stands. */
interface Numbered extends PartyField {
	number: string;
}

/** The numbers of the two sides. */
export interface Numbers {
	person: string | null;
	ours: string | null;
	/** Where the person's number stands. */
	personField?: PartyField;
}

/** Finds the person's number and ours; null rather than one that may be the other's. */
export function readNumbers(parties: PartyField[], direction: Direction | null): Numbers {
	const all = numbersIn(parties);
	const ends = all.filter(({ side }) => isEnd(side)).sort(byPlace);
	const named = all.filter(({ side }) => !isEnd(side));
	const ourEnd = ends.find(({ owner }) => owner === 'line');
	const ours = named.filter(({ owner }) => owner === 'agent' || owner === 'line');
	const staffed = staffedEnd(parties);
	const isOurs = (number: string) =>
		ends.some((one) => one.side === staffed && isSameNumber(one.number, number)) ||
		[...ours.filter(({ told }) => told !== Told.ByUser), ...(ourEnd ? [ourEnd] : [])].some((one) =>
			isSameNumber(one.number, number),
		);

	const told = named.filter(({ owner }) => owner === 'person');
	const persons = areSeveral(told)
		? told.filter(({ record }) => entryAround(record) === undefined)
		: told;
	const chosen =
		[
			...ends.filter(({ owner }) => owner === 'person').slice(0, 1),
			...persons.filter(({ told }) => told === Told.ByName),
			...persons.filter(({ told }) => told === Told.ByRecord),
			...persons.filter(({ told }) => told === Told.ByUser),
		].find(({ number }) => !isOurs(number)) ?? theOnlyOther();
	const person = chosen?.number ?? null;
	const notPerson = (one: Numbered) => person === null || !isSameNumber(one.number, person);
	const mine = ours.filter(notPerson);
	const ourNumber = [
		...agreed(mine.filter(({ told, owner }) => told === Told.ByName && owner === 'line')),
		...agreed(mine.filter(({ told }) => told === Told.ByName)),
		...[ourEnd, otherEnd()].filter((one) => one !== undefined).filter(notPerson),
		...agreed(mine.filter(({ told, owner }) => told === Told.ByRecord && owner === 'line')),
		...agreed(mine.filter(({ told }) => told === Told.ByRecord)),
		...agreed(mine.filter(({ told }) => told === Told.ByUser)),
	][0];
	return {
		person: fullest(person),
		ours: fullest(ourNumber?.number ?? null),
		personField: chosen,
	};

	/** Without a number that is told to be the person's: the one that is left beside ours. */
	function theOnlyOther(): Numbered | undefined {
		const open = openEnds();
		if (open.length > 0) {
			const others = open.filter(({ number }) => !isOurs(number));
			const isOneOurs = others.length < open.length || ours.length > 0 || parties.some(isAssistant);
			// Who is named a recipient alone was called by us.
			const isRecipient = open.length === 1 && isOfRecipient(open[0] as Numbered);
			return others.length === 1 && (isOneOurs || isRecipient) ? others[0] : undefined;
		}
		const others = named.filter(
			(one) => one.owner === 'untold' && isOfCall(one) && !isOurs(one.number),
		);
		const isOneTold =
			ours.length > 0 ||
			ourEnd !== undefined ||
			direction === 'outbound' ||
			(direction === 'inbound' && others.some(({ name }) => name.isParty));
		return isOneTold ? agreed(others)[0] : undefined;
	}

	/** The ends of the call's way, while the direction is not told. */
	function openEnds(): Numbered[] {
		const open = ends.filter(({ owner }) => owner === 'untold');
		const origin = open.find(({ side }) => side === 'origin');
		const target = open.find(({ side }) => side === 'target');
		return [origin, target].filter((one) => one !== undefined);
	}

	/** Where one end is the person's, the other is ours. */
	function otherEnd(): Numbered | undefined {
		if (person === null || direction !== null) return undefined;
		const open = openEnds();
		return open.some((one) => !notPerson(one)) ? open.find(notPerson) : undefined;
	}

	/** The same number as E.164, where the event has it so. */
	function fullest(number: string | null): string | null {
		if (number === null || number.startsWith('+')) return number;
		const full = all.find((one) => one.number.startsWith('+') && isSameNumber(one.number, number));
		return full?.number ?? number;
	}
}

function numbersIn(parties: PartyField[]): Numbered[] {
	const numbers: Numbered[] = [];
	for (const field of parties) {
		const { part, owner, value, name } = field;
		if (owner === 'other' || (part !== 'phone' && part !== 'self')) continue;
		const address = readAddress(value, name.isInternational);
		if (address?.kind === 'number') numbers.push({ ...field, number: address.number });
		if (numbers.length === MOST) break;
	}
	return numbers;
}

/** The end of the call that has an extension, and so is ours, where the other has none. */
function staffedEnd(parties: PartyField[]): Side | undefined {
	const ends = parties
		.filter(({ name, value }) => name.words.includes('extension') && isSaid(value))
		.map(({ name, record }) => name.end ?? record.name?.holder);
	return new Set(ends).size === 1 && isEnd(ends[0]) ? ends[0] : undefined;
}

/** The call's own record first, then what stands around it, then the rest from the outside in. */
function byPlace(a: Numbered, b: Numbered): number {
	const place = ({ record: { isSpine, depth } }: Numbered) => (isSpine ? -depth : 1000 + depth);
	return place(a) - place(b);
}

/** The first of numbers if all are writings of one, else none. */
function agreed(numbers: Numbered[]): Numbered[] {
	const [first] = numbers;
	const isOne =
		first !== undefined && numbers.every((one) => isSameNumber(one.number, first.number));
	return isOne ? [first] : [];
}

/** Tells whether a number stands with the call, or with one of those who took part. */
function isOfCall({ name, record }: Numbered): boolean {
	return record.isSpine || name.isParty || around(record, ({ isParty }) => isParty) !== undefined;
}

function isOfRecipient({ name, record }: Numbered): boolean {
	return [name, record.name].some((one) => one?.words.includes('recipient'));
}

const OURS = new Set(['assistant', 'agent', 'bot']);

/** Tells whether one end of the call is an address of an assistant's. */
function isAssistant({ side, value }: PartyField): boolean {
	return isEnd(side) && saysOneOf(value, OURS);
}
