/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import { isObject } from '../matcher/json';
import { pathTo, type CallField, type CallRecord } from './callRecords';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import type { Part, Side } from './vocabulary/partyNames';

/** One party of the call: an object (`customer`), or flat fields of one side (`customer_phone`). */
export interface Party {
	side: Side;
	/** Whether its name is a word for people: `caller`, but not `source`. */
	isPerson: boolean;
	/** The confidence of its numbers. */
	confidence: number;
	fields: PartyField[];
}

/** A field of a party. */
interface PartyField {
	part: Part;
	path: string;
	/** Of a phone, its number: WITHHELD for a hidden one, null if it holds none. */
	value: unknown;
}

/** The confidence of a number: at an end of the call, in a flat field, in a party object. */
const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;
/** A limit for hostile events: the numbers of two parties are compared with each other. */
const MOST_FIELDS = 100;

/** Finds the parties at the level of the call. */
export function readParties(records: CallRecord[]): Party[] {
	return records
		.filter(({ kind }) => kind === 'envelope' || kind === 'metadata')
		.flatMap(({ kind, fields }) => partiesIn(fields, kind === 'metadata'));
}

/** Finds the parties in the fields of a record. Metadata has numbers in flat fields only. */
function partiesIn(fields: CallField[], isMetadata: boolean): Party[] {
	const parties: Party[] = [];
	const flat = new Map<string, Party>();
	for (const field of fields) {
		const { side, isPerson, value } = field;
		if (!side) continue;
		if (typeof value === 'object') {
			if (!isMetadata && isPartyObject(field)) {
				const own = readPartyObject(value as object, field.path, side);
				parties.push(partyOf(side, isPerson, own, IN_AN_OBJECT));
			}
			continue;
		}
		const own = readFlatField(field, isMetadata);
		if (!own) continue;
		const key = `${side} ${isPerson}`;
		const party = flat.get(key) ?? partyOf(side, isPerson, [], FLAT);
		if (!flat.has(key)) parties.push(party);
		flat.set(key, party);
		party.fields.push(own);
	}
	return parties;
}

/** `customer: { … }`, `from: { … }` */
function isPartyObject({ side, part, isPerson, value }: CallField): boolean {
	return isObject(value) && (part === 'phone' || (part === 'self' && (isPerson || isEnd(side))));
}

/** `customer_phone`, `caller_name` */
function readFlatField(
	{ part, isPerson, place, path, value }: CallField,
	isMetadata: boolean,
): PartyField | undefined {
	if (part === 'phone' || part === 'self') return readPartyField('phone', path, value, place);
	return part && isPerson && !isMetadata ? readPartyField(part, path, value, place) : undefined;
}

function partyOf(side: Side, isPerson: boolean, fields: PartyField[], otherwise: number): Party {
	return { side, isPerson, confidence: isEnd(side) ? AT_AN_END : otherwise, fields };
}

/** Reads the direct fields of a party object. */
function readPartyObject(object: object, path: string, side: Side): PartyField[] {
	const fields = Object.entries(object as Record<string, unknown>).slice(0, MOST_FIELDS);
	return fields.flatMap(([key, value]) => {
		const { part, side: other = side, place } = readFieldName(key);
		if (part === undefined || part === 'self' || other !== side) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		return readPartyField(part, pathTo(path, key), value, here);
	});
}

function readPartyField(part: Part, path: string, value: unknown, place: PhonePlace): PartyField {
	return { part, path, value: part === 'phone' ? readPhone(value, place) : value };
}
