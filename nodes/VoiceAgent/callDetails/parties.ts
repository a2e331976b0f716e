/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import { isObject } from '../matcher/json';
import { pathTo, type CallRecord } from './callRecords';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import type { Part, Side } from './vocabulary/parties';

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
	const parties: Party[] = [];
	for (const { kind, fields } of records) {
		if (kind !== 'envelope' && kind !== 'metadata') continue;
		const flat = new Map<string, Party>();
		for (const { side, part, isPerson, place, path, value } of fields) {
			const isNumber = part === 'phone' || part === 'self';
			if (typeof value === 'object') {
				const isParty = part === 'phone' || (part === 'self' && (isPerson || isEnd(side)));
				if (kind !== 'metadata' && side && isParty && isObject(value)) {
					parties.push(partyOf(side, isPerson, readPartyObject(value, path, side), IN_AN_OBJECT));
				}
			} else if (side && part && (isNumber || (isPerson && kind === 'envelope'))) {
				const key = `${side} ${isPerson}`;
				const party = flat.get(key) ?? partyOf(side, isPerson, [], FLAT);
				if (!flat.has(key)) parties.push(party);
				flat.set(key, party);
				party.fields.push(readPartyField(isNumber ? 'phone' : part, path, value, place));
			}
		}
	}
	return parties;
}

function partyOf(side: Side, isPerson: boolean, fields: PartyField[], otherwise: number): Party {
	return { side, isPerson, confidence: isEnd(side) ? AT_AN_END : otherwise, fields };
}

/** Reads the direct fields of a party object. */
function readPartyObject(object: Record<string, unknown>, path: string, side: Side): PartyField[] {
	const fields = Object.entries(object).slice(0, MOST_FIELDS);
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
