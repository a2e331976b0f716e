import { isBesideFor, textOf } from './best';
import type { Call } from './calls';
import { readNumbers } from './numbers';
import {
	areSeveral,
	entryAround,
	isEnd,
	isInside,
	isSaid,
	isVariables,
	partyAround,
	readParties,
	Told,
	type PartyField,
} from './parties';
import { isSameNumber, isWithheldText, readAddress } from './phoneNumbers';
import { around, type CallRecord, type Records } from './records';
import { wordsOf } from '../../reading/words';

/** Whether there is a person to find, and if not, why. */
export type PersonState = 'found' | 'withheld' | 'web' | 'unknown';

/** The two sides of a call. */
export interface People {
	person: PersonState;
	customer: { phone: string | null; name: string | null; email: string | null };
	agent: { id: string | null; name: string | null; phone: string | null };
}

/** Reads who took part in a call. */
export function readPeople(records: Records, call: Call): People {
	const parties = readParties(records, call.direction);
	const kinds = kindsIn(records);
	const { person, ours, personField } = readNumbers(parties, call.direction);
	const home = personField && partyAround(personField.record);
	// A user without the person's number may be the service's own, but for a visitor on the web.
	const isUserPerson = personField?.side === 'user' || isWeb(records, kinds);
	const persons = parties.filter(({ owner, side, record }) => {
		if (side === 'user' && !isUserPerson) return false;
		if (owner !== 'untold') return owner === 'person';
		const isPersonsEnd = isEnd(side) && side === personField?.side;
		return isPersonsEnd || (home !== undefined && isInside(record, home));
	});
	const known = theOneOf(persons, person, ours);
	const agents = parties.filter(({ owner, told }) => owner === 'agent' && told !== Told.ByUser);
	const agent = { id: agentIdIn(agents), name: agentNameIn(agents), phone: ours };
	const name = personNameIn(known, parties);
	const customer = {
		phone: person,
		// A service that knows no name may put the agent's there.
		name: name === agent.name ? null : name,
		email: emailIn(known),
	};
	const isFound = customer.phone !== null || customer.email !== null;
	return {
		person: isFound ? 'found' : absenceOf(parties, records, kinds, call, ours),
		customer,
		agent,
	};
}

/** The persons' fields without those of records that hold our number, or in a list not the person's. */
function theOneOf(persons: PartyField[], number: string | null, ours: string | null): PartyField[] {
	const isSeveral = areSeveral(persons);
	const [withNumber, withOurs] = [number, ours].map((one) => recordsWith(one, persons));
	return persons.filter(({ record }) => {
		const entry = entryAround(record);
		const isOther = isSeveral && entry !== undefined && withNumber?.has(entry) !== true;
		return !isOther && (record.isSpine || withOurs?.has(record) !== true);
	});
}

/** The records that a number stands in, from the inside out. */
function recordsWith(number: string | null, fields: PartyField[]): Set<CallRecord> {
	const records = new Set<CallRecord>();
	for (const { record, part, value } of fields) {
		const address = part === 'phone' || part === 'self' ? readAddress(value) : undefined;
		if (number === null || address?.kind !== 'number') continue;
		if (!isSameNumber(address.number, number)) continue;
		for (let at: CallRecord | undefined = record; at && !records.has(at); at = at.parent) {
			records.add(at);
		}
	}
	return records;
}

/** Why there is nobody to find. */
function absenceOf(
	parties: PartyField[],
	records: Records,
	kinds: string[],
	{ direction }: Call,
	ours: string | null,
): PersonState {
	// Of the ends of a call without a direction, only that where it began is held back.
	const theirs = parties.filter(
		({ owner, side }) => owner === 'person' || (owner === 'untold' && side !== 'target'),
	);
	const addresses = theirs
		.filter(({ part }) => part === 'phone' || part === 'self')
		.filter(({ told, name }) => told !== Told.ByUser || (direction === 'inbound' && name.side))
		.flatMap(({ value, side }) => {
			const address = readAddress(value);
			return address === undefined ? [] : [{ ...address, side }];
		});
	if (addresses.some(({ kind }) => kind === 'withheld')) return 'withheld';
	const isFlagged = records.topics.withheld.some(
		({ value, record }) => String(value) === 'true' && !record.isBeside,
	);
	const isNumbered = addresses.some(({ kind }) => kind === 'number');
	const isNameless = theirs.some(
		({ part, owner, value }) =>
			part === 'name' && owner === 'person' && typeof value === 'string' && isWithheldText(value),
	);
	if (isFlagged || (isNameless && !isNumbered)) return 'withheld';
	const isUser = addresses.some(
		(address) => address.kind === 'other' && isEnd(address.side) && isUserName(address.text),
	);
	if (isUser || isWeb(records, kinds)) return 'web';
	if (isNumbered || records.strays.some((number) => ours === null || !isSameNumber(number, ours))) {
		return 'unknown';
	}
	const isEmpty = theirs.some(
		({ part, told, value }) =>
			(part === 'phone' || part === 'self') && told === Told.ByName && !isSaid(value),
	);
	// Somebody called, and the place of their number is empty, or our number stands there alone.
	if (direction === 'inbound' && isEmpty) return 'withheld';
	if (direction !== 'outbound' && ours !== null && kinds.some((word) => TELEPHONY.has(word))) {
		return 'withheld';
	}
	return isConversationOnly(records, kinds) ? 'web' : 'unknown';
}

function personNameIn(persons: PartyField[], parties: PartyField[]): string | null {
	const variables = parties.filter(
		({ owner, part, record }) => owner === 'untold' && part === 'first' && isVariables(record),
	);
	return best([...persons, ...variables], (field) => {
		const isNamed = field.part !== 'self' || (field.side === 'person' && !field.isEntry);
		const text = isNamed ? nameOf(field) : undefined;
		return text === undefined ? undefined : [text, rankOf(field)];
	});
}

function agentNameIn(agents: PartyField[]): string | null {
	return unanimous(agents, (field) => {
		const text = field.part === 'self' ? undefined : nameOf(field);
		return text === undefined
			? undefined
			: [text, (field.side === 'agent' ? 3 : 0) + rankOf(field)];
	});
}

function agentIdIn(agents: PartyField[]): string | null {
	return unanimous(agents, ({ part, value, side, told }) => {
		const id = typeof value === 'number' ? String(value) : textOf(value);
		if (part !== 'id' || id === undefined) return undefined;
		return [id, (side === 'agent' ? 3 : 2) - (told === Told.ByUser ? 1 : 0)];
	});
}

function emailIn(persons: PartyField[]): string | null {
	return best(persons, (field) => {
		const { part, value, record } = field;
		const isAddress =
			part === 'email' ||
			part === 'self' ||
			(part === 'phone' && around(record, (name) => name.part === 'email') !== undefined);
		const text = isAddress ? textOf(value) : undefined;
		return text === undefined || !isEmail(text) ? undefined : [text, rankOf(field)];
	});
}

function rankOf({ told, part }: PartyField): number {
	return (told === Told.ByUser ? 1 : 2) + (part === 'name' ? 0.5 : 0);
}

type Read = (field: PartyField) => [text: string, rank: number] | undefined;

/** What the first of the best fields says. */
function best(fields: PartyField[], read: Read): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const field of fields) {
		const [text, rank] = read(field) ?? [null, 0];
		if (rank > most) [found, most] = [text, rank];
	}
	return found;
}

/** What the best fields say, if they all say the same. */
function unanimous(fields: PartyField[], read: Read): string | null {
	let [texts, most] = [new Set<string>(), 0];
	for (const field of fields) {
		const [text, rank] = read(field) ?? ['', 0];
		if (rank > most) [texts, most] = [new Set(), rank];
		if (rank === most && rank > 0) texts.add(text);
	}
	return texts.size === 1 ? ([...texts][0] ?? null) : null;
}

/** A mask in place of a name or an e-mail. */
const MASKED = /\*{3}|redacted/i;

/** A name of somebody: not a number, an id, or a word for someone unknown. */
function nameOf({ part, value, record, name }: PartyField): string | undefined {
	if (part !== 'name' && part !== 'first' && part !== 'self') return undefined;
	const last = record.fields.find(
		(field) => field.name.part === 'last' && field.name.side === name.side,
	);
	const parts = part === 'first' ? [textOf(value), textOf(last?.value)] : [textOf(value)];
	const text = parts
		.filter((one) => one !== undefined)
		.join(' ')
		.replace(/\s+/g, ' ');
	if (text === '' || text.length > 120 || isWithheldText(text)) return undefined;
	const isNumber = text.replace(/\D/g, '').length > 4;
	return isNumber || MASKED.test(text) || /^[[{<]|[@_]|https?:/.test(text) || !/\p{L}/u.test(text)
		? undefined
		: text;
}

function isEmail(text: string): boolean {
	return (
		text.length < 255 &&
		!MASKED.test(text) &&
		!/^(unknown|none|no-?reply)@/i.test(text) &&
		/^[^\s@:]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,60}$/.test(text)
	);
}

/** A user of an app or a browser in place of a number. */
function isUserName(text: string): boolean {
	const isId = /^[\da-f-]{16,}$/i.test(text);
	return !isId && /^[^\s@]{3,}$/.test(text) && /[a-z]/i.test(text) && /[\d:_-]/.test(text);
}

const WEB = new Set([
	'web',
	'webcall',
	'webchat',
	'browser',
	'widget',
	'webrtc',
	'website',
	'websocket',
]);
const TELEPHONY = new Set(['sip', 'pstn']);
const TALK = new Set(['conversation', 'session', 'chat']);
const PHONE_TALK = new Set([
	...TELEPHONY,
	...[
		'phone',
		'telephony',
		'call',
		'dial',
		'ring',
		'hangup',
		'caller',
		'callee',
		'direction',
		'voice',
	],
]);

/** The kinds of things that an event says it is, in words. */
function kindsIn({ topics, all }: Records): string[] {
	const kinds = topics.kind.filter(
		(field) => typeof field.value === 'string' && !isBesideFor('kind', field),
	);
	return [
		...kinds.flatMap(({ value }) => wordsOf(String(value))),
		...all.flatMap(({ role, isBeside }) => (role === undefined || isBeside ? [] : role)),
	];
}

/** Tells whether an event says that it was no phone call. */
function isWeb(records: Records, kinds: string[]): boolean {
	const isNoPhoneCall = records.parties.some(
		({ name, value }) => value === null && name.phrase === 'phone call',
	);
	return isNoPhoneCall || kinds.some((word) => WEB.has(word));
}

/** Tells whether an event speaks of a chat, or of a conversation, and of a call or a phone not a word. */
function isConversationOnly(records: Records, kinds: string[]): boolean {
	const fields = [records.parties, ...Object.values(records.topics)]
		.flat()
		.filter(({ record }) => !record.isBeside && !record.isApart);
	const speaksOf = (words: ReadonlySet<string>) =>
		kinds.some((kind) => words.has(kind)) ||
		fields.some(({ name }) => name.words.some((word) => words.has(word)));
	return kinds.includes('chat') || (speaksOf(TALK) && !speaksOf(PHONE_TALK));
}
