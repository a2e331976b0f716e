/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import { isObject } from '../matcher/json';
import { pathTo, type CallRecord } from './callRecords';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import { PARTICIPANTS, ROLE_FIELDS, type Part, type Side } from './vocabulary/parties';

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

/** The confidence of a number: at an end of the call, in a flat field or a role, in a party object. */
const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;
/** A limit for hostile events. */
const MOST_ENTRIES = 100;

/** Finds the parties at the level of the call. */
export function readParties(records: CallRecord[]): Party[] {
	const parties: Party[] = [];
	for (const { kind, fields } of records) {
		if (kind !== 'envelope' && kind !== 'metadata') continue;
		const flat = new Map<string, Party>();
		for (const { phrase, side, part, isPerson, place, path, value } of fields) {
			const isNumber = part === 'phone' || part === 'self';
			if (typeof value === 'object') {
				const isParty = part === 'phone' || (part === 'self' && (isPerson || isEnd(side)));
				if (kind === 'metadata') continue;
				if (PARTICIPANTS.has(phrase)) parties.push(...readParticipants(value, path));
				else if (side && isParty && isObject(value)) {
					parties.push(partyOf(side, isPerson, readPartyObject(value, path, side), IN_AN_OBJECT));
				}
			} else if (side && part && (isNumber || (isPerson && kind === 'envelope'))) {
				const key = `${side} ${isPerson}`;
				const party = flat.get(key) ?? partyOf(side, isPerson, [], FLAT);
				if (!flat.has(key)) parties.push(party);
				flat.set(key, party);
				party.fields.push(...readPartyField(isNumber ? 'phone' : part, path, value, place));
			}
		}
	}
	return parties;
}

function partyOf(side: Side, isPerson: boolean, fields: PartyField[], otherwise: number): Party {
	return { side, isPerson, confidence: isEnd(side) ? AT_AN_END : otherwise, fields };
}

/**
 * Reads a list of participants. A list with an entry without a role has no party. A role with an unknown
 * word is no side: `customer_service`
 */
function readParticipants(list: unknown, path: string): Party[] {
	const entries = Array.isArray(list) ? list.slice(0, MOST_ENTRIES).filter(isObject) : [];
	const roles = entries.map((entry) => {
		const field = Object.keys(entry).find((key) => ROLE_FIELDS.has(readFieldName(key).phrase));
		return field === undefined ? undefined : entry[field];
	});
	if (!roles.every((role) => typeof role === 'string')) return [];
	return roles.flatMap((role, at) => {
		const { side, part, isPerson } = readFieldName(role);
		if (side === undefined || part !== 'self') return [];
		return partyOf(side, isPerson, readPartyObject(entries[at]!, `${path}[${at}]`, side), FLAT);
	});
}

/** Reads the direct fields of a party object. */
function readPartyObject(object: Record<string, unknown>, path: string, side: Side): PartyField[] {
	const keys = Object.keys(object).slice(0, MOST_ENTRIES);
	return keys.flatMap((key) => {
		const { part, side: other = side, place } = readFieldName(key);
		if (part === undefined || part === 'self' || other !== side) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		return readPartyField(part, pathTo(path, key), object[key], here);
	});
}

/** Reads a field of a party: its value, `name.first` and `name.last`, or entries as `phones[].number`. */
function readPartyField(part: Part, path: string, value: unknown, place: PhonePlace): PartyField[] {
	if (Array.isArray(value)) {
		const entries: unknown[] = value.slice(0, MOST_ENTRIES);
		return entries.flatMap((entry, at) => readPartyField(part, `${path}[${at}]`, entry, place));
	}
	if (!isObject(value)) {
		return [{ part, path, value: part === 'phone' ? readPhone(value, place) : value }];
	}
	const keys = Object.keys(value).slice(0, MOST_ENTRIES);
	return keys.flatMap((key) => {
		const inner = key === 'value' ? part : readFieldName(key).part;
		const isPart = inner === part || (part === 'name' && (inner === 'first' || inner === 'last'));
		const isField = isPart && typeof value[key] !== 'object';
		return isField ? readPartyField(inner, pathTo(path, key), value[key], place) : [];
	});
}
