import type { Direction } from './calls';
import type { Name } from './names';
import type { Part, Side } from './sides';
import { readAddress } from './phoneNumbers';
import { around, type CallRecord, type Field, type Records } from './records';

/** Whose something is: the person's, our agent's, our line's, a third party's, or not told. */
export type Owner = 'person' | 'agent' | 'line' | 'other' | 'untold';

/** How well it is told whose something is. */
export enum Told {
	/** By a value that users of the service define. */
	ByUser,
	/** By the record that it stands in. */
	ByRecord,
	/** By its own name. */
	ByName,
}

/** What an event says of one of those who took part. */
export interface PartyField extends Field {
	part: Part;
	side: Side | undefined;
	owner: Owner;
	told: Told;
}

/** Reads what an event says of those who took part, and whose it is. */
export function readParties(records: Records, direction: Direction | null): PartyField[] {
	const userIs = userOwnerIn(records, direction);
	const services = servicesIn(records);
	const parties: PartyField[] = [];
	for (const { name, value, record, isEntry } of records.parties) {
		const { brand } = name;
		const part = partOf(name, value);
		if (part === undefined || record.isBeside) continue;
		const side =
			brand === undefined ? sideOf(name, record) : sideOfBrand(brand, name, record, services);
		const owner = side === 'user' ? userIs(record, part) : ownerOf(side, direction);
		// Of ids only those of our side are read.
		if (part === 'id' && owner !== 'agent' && owner !== 'line') continue;
		parties.push({ name, value, record, isEntry, part, side, owner, told: toldOf(name, record) });
	}
	return parties;
}

/** What a field holds of a party; some write a number as an id: `from: { id: '+44…' }`. */
function partOf({ part }: Name, value: unknown): Part | undefined {
	if (part === 'source') return readAddress(value)?.kind === 'number' ? 'phone' : undefined;
	return part === 'id' && /^\+\d{7,15}$/.test(String(value)) ? 'phone' : part;
}

/** The most of a hostile event's fields that are compared with each other. */
const MOST = 100;

/** Tells whether a side is an end of the call's way, which the direction makes the person's or ours. */
export function isEnd(side: Side | undefined): boolean {
	return side === 'origin' || side === 'target';
}

function toldOf(name: Name, record: CallRecord): Told {
	if (record.isCustom) return Told.ByUser;
	return name.side === undefined ? Told.ByRecord : Told.ByName;
}

function ownerOf(side: Exclude<Side, 'user'> | undefined, direction: Direction | null): Owner {
	if (side === undefined) return 'untold';
	if (side !== 'origin' && side !== 'target') return side;
	if (direction === null) return 'untold';
	return (side === 'origin') === (direction === 'inbound') ? 'person' : 'line';
}

/**
 * Whose a user is. Services of voice agents call the person so, telephone systems their own staff: where
 * there is an agent and nobody else for the person, it is the person; where there is somebody else, it
 * is one of ours, unless an id is all that there is of the user, and the call has no direction.
 */
function userOwnerIn(
	{ parties, all }: Records,
	direction: Direction | null,
): (record: CallRecord, part: Part) => Owner {
	const isThere = (sides: Side[], counts: (record: CallRecord) => boolean) =>
		parties.some(
			({ name: { side }, value, record }) =>
				side !== undefined && sides.includes(side) && isSaid(value) && counts(record),
		) ||
		all.some(
			(record) =>
				record.name?.holder !== undefined &&
				sides.includes(record.name.holder) &&
				record.fields.some(({ value }) => isSaid(value)) &&
				counts(record),
		);
	const isOfCall = ({ isCustom }: CallRecord) => !isCustom;
	if (isThere(['agent'], () => true) && !isThere(['person'], isOfCall)) return () => 'person';
	const isBeside =
		isThere(['person'], isOfCall) ||
		isThere(['origin', 'target'], ({ isCustom, isEntry }) => !isCustom && !isEntry);
	const ofUser = parties.filter(
		({ name: { side }, record }) => (side ?? record.name?.holder) === 'user' && isOfCall(record),
	);
	const told = new Set(ofUser.map(({ name: { part } }) => part));
	// An agent without an id is there no more than a user.
	const isAgentAsked = parties.some(
		({ name: { side, part } }) => side === 'agent' && part === 'id',
	);
	const isKnown = [...told].some((part) => part !== 'id' && part !== 'self');
	return (record, part) => {
		const isId = part === 'id';
		const isOurs =
			(isBeside && (isKnown || !isId)) ||
			(direction !== null && (isId ? !isAgentAsked : !told.has('phone')));
		return isOurs && isOfCall(record) ? 'agent' : 'untold';
	};
}

/** Tells whether a value is there. */
export function isSaid(value: unknown): boolean {
	return value !== null && value !== '';
}

function sideOf(name: Name, record: CallRecord): Side | undefined {
	const holder = holderOf(record);
	if (name.side === undefined) {
		// A plain name in a flat event may be the event's own.
		return holder ?? (isPersonCard(record) && name.phrase !== 'name' ? 'person' : undefined);
	}
	// Who looks after a person, and their business, took no part.
	const isOurs = name.side === 'line' || name.side === 'agent';
	return isOurs && holder === 'person' ? 'other' : name.side;
}

/** Whose record this is, by its name, its role, or what is in it, or by those around it. */
function holderOf(record: CallRecord): Side | undefined {
	let named: CallRecord | undefined;
	for (let at: CallRecord | undefined = record; at && !at.isSpine; at = at.parent) {
		const isOfPerson =
			at.parent !== undefined &&
			around(at.parent, ({ holder }, { isSpine }) => holder === 'person' && !isSpine) !== undefined;
		const side = at.name?.holder ?? sideOfRole(at.role);
		if (side === 'person')
			return named !== undefined && named !== at && isNamed(at) ? 'other' : side;
		if (side !== undefined) return isOfPerson && side !== 'user' ? 'other' : side;
		if (isLine(at) && !isOfPerson) return 'line';
		if (isNamed(at)) named ??= at;
	}
	return undefined;
}

/** Tells whether a record has a name of its own: inside of a person's that has one, it is another's. */
function isNamed({ fields }: CallRecord): boolean {
	return fields.some(({ name: { part, side } }) => part === 'name' && side === undefined);
}

/** What a role or a type says of the record that it stands in. */
const ROLES: Array<[Side, RegExp]> = [
	['person', /^(external|customer|contact|lead|client|person|human|visitor)$/],
	['agent', /^(agent|assistant|bot|internal|operator|host)$/],
	['origin', /^caller$/],
	['user', /^user$/],
];

function sideOfRole(role: string[] | undefined): Side | undefined {
	if (role === undefined) return undefined;
	return ROLES.find(([, words]) => role.some((word) => words.test(word)))?.[0];
}

/** A number that has an id or a name of its own is one that the account has. */
function isLine({ name, fields, isEntry }: CallRecord): boolean {
	if (isEntry || name?.part !== 'phone' || name.side !== undefined) return false;
	return fields.some(
		({ name: { part, topics } }) => part === 'id' || part === 'name' || topics.id !== undefined,
	);
}

/** A flat event may hold the person's first name and number beside the call: lines have no first name. */
function isPersonCard({ isSpine, fields }: CallRecord): boolean {
	return isSpine && fields.some(({ name }) => name.part === 'first' && name.side === undefined);
}

/** Words for the service itself: those before `line`, and the hosts of its recordings. */
interface Services {
	lines: Set<string | undefined>;
	hosts: string[];
}

function servicesIn({ names, topics }: Records): Services {
	const lines = [...names].filter(({ words }) => words[1] === 'line').map(({ words }) => words[0]);
	return {
		lines: new Set(lines),
		hosts: topics.recording.slice(0, MOST).map(({ value }) => hostOf(value)),
	};
}

/**
 * `acme_number` is our line if the event speaks of an `acme_line` or of Acme's host, or if it names
 * the person's number beside `acme_phone`.
 */
function sideOfBrand(
	brand: string,
	name: Name,
	record: CallRecord,
	{ lines, hosts }: Services,
): Side {
	const isService = lines.has(brand) || hosts.some((host) => host.includes(brand));
	const isBesidePerson =
		name.words.includes('phone') &&
		record.fields.some(({ name: { part, side } }) => part === 'phone' && side === 'person');
	return isService || isBesidePerson ? 'line' : 'other';
}

function hostOf(url: unknown): string {
	return /^https?:\/\/([^/]{1,200})/i.exec(String(url).slice(0, 300))?.[1]?.toLowerCase() ?? '';
}

/** The record of one of those who took part, around a record, whose name does not say which. */
export function partyAround(record: CallRecord): CallRecord | undefined {
	for (let at: CallRecord | undefined = record; at; at = at.parent) {
		if (at.name?.isParty && at.name.holder === undefined) return at;
	}
	return undefined;
}

/** Who of a list's a record is, or is of; undefined for a list of numbers or e-mails of one. */
export function entryAround(record: CallRecord): CallRecord | undefined {
	let entry: CallRecord | undefined;
	for (let at: CallRecord | undefined = record; at && !at.isSpine; at = at.parent) {
		const { isEntry, name } = at;
		if (isEntry && (name?.part === undefined || name.part === 'self')) entry = at;
	}
	return entry;
}

/** Tells whether fields are of several of a list. */
export function areSeveral(fields: PartyField[]): boolean {
	const entries = new Set(fields.map(({ record }) => entryAround(record)));
	entries.delete(undefined);
	return entries.size > 1;
}

/** Tells whether a record is this one, or inside of it. */
export function isInside(record: CallRecord, outer: CallRecord): boolean {
	for (let at: CallRecord | undefined = record; at; at = at.parent) if (at === outer) return true;
	return false;
}

/** Tells whether a record is one of variables, which the service's users fill for each call. */
export function isVariables(record: CallRecord): boolean {
	return around(record, ({ words }) => words.includes('variable')) !== undefined;
}
