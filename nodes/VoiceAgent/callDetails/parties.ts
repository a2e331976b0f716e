import { wordsOf } from '../matcher/words';
import { isEnd, readFieldName } from './names';
import { readPhone, type PhonePlace } from './phones';
import { isRecord, pathTo, type CallRecord } from './records';
import {
	PARTICIPANTS,
	PEOPLE,
	ROLE_FIELDS,
	SIDES,
	type Part,
	type Side,
} from './vocabulary/parties';

/** One of those who take part: an object, or the flat fields of one side in a record. */
export interface Party {
	side: Side;
	/** Its name is one of people, not of a line or a place: `caller`, but not `source`. */
	isPerson: boolean;
	/** How sure its numbers are. */
	confidence: number;
	fields: PartyField[];
}

/** A field of a party, with its phone number; WITHHELD for a hidden one. */
export interface PartyField {
	part: Part;
	path: string;
	value: unknown;
	phone: string | null;
}

/** How sure a number is: at an end of the call, in a field of the call or of a role, in a party object. */
const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;
/** Ends what is hostile. */
const MOST_ENTRIES = 100;

/** Reads those who take part, from the call's level alone. */
export function readParties(records: CallRecord[]): Party[] {
	const parties: Party[] = [];
	for (const { kind, fields } of records.filter(
		({ kind }) => kind === 'spine' || kind === 'annex',
	)) {
		const flat = new Map<string, Party>();
		for (const { name, path, value } of fields) {
			const { side, part, isPerson } = name;
			const isNumber = part === 'phone' || part === 'self';
			if (typeof value === 'object') {
				const isParty = part === 'phone' || (part === 'self' && (isPerson || isEnd(side)));
				if (kind === 'annex') continue;
				if (PARTICIPANTS.has(name.phrase)) parties.push(...participantsOf(value, path));
				else if (side && isParty && isRecord(value)) {
					parties.push(partyOf(side, isPerson, fieldsIn(value, path, side), IN_AN_OBJECT));
				}
			} else if (side && part && (isNumber || (isPerson && kind === 'spine'))) {
				const key = `${side} ${isPerson}`;
				const party = flat.get(key) ?? partyOf(side, isPerson, [], FLAT);
				if (!flat.has(key)) parties.push(party);
				flat.set(key, party);
				party.fields.push(...fieldsOf(isNumber ? 'phone' : part, path, value, name.place));
			}
		}
	}
	return parties;
}

function partyOf(side: Side, isPerson: boolean, fields: PartyField[], otherwise: number): Party {
	return { side, isPerson, confidence: isEnd(side) ? AT_AN_END : otherwise, fields };
}

/** The entries of a list of those who take part, if each states its role. */
function participantsOf(list: unknown, path: string): Party[] {
	const entries = Array.isArray(list) ? list.slice(0, MOST_ENTRIES).filter(isRecord) : [];
	const roles = entries.map((entry) => {
		const field = Object.keys(entry).find((key) => ROLE_FIELDS.has(readFieldName(key).phrase));
		return field === undefined ? undefined : entry[field];
	});
	if (!roles.every((role) => typeof role === 'string')) return [];
	return roles.flatMap((role, at) => {
		const word = wordsOf(role).find((one) => SIDES.has(one)) ?? '';
		const side = SIDES.get(word);
		const fields = side && fieldsIn(entries[at]!, `${path}[${at}]`, side);
		return fields ? [{ side, isPerson: PEOPLE.has(word), confidence: FLAT, fields }] : [];
	});
}

/** Reads the direct fields of a party object. */
function fieldsIn(object: Record<string, unknown>, path: string, side: Side): PartyField[] {
	const keys = Object.keys(object).slice(0, MOST_ENTRIES);
	return keys.flatMap((key) => {
		const { part, side: other = side, place } = readFieldName(key);
		if (part === undefined || part === 'self' || other !== side) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		return fieldsOf(part, pathTo(path, key), object[key], here);
	});
}

/** A field itself, `name.first` and `name.last`, or the entries of `phones[].number`. */
function fieldsOf(part: Part, path: string, value: unknown, place: PhonePlace): PartyField[] {
	if (Array.isArray(value)) {
		const entries: unknown[] = value.slice(0, MOST_ENTRIES);
		return entries.flatMap((entry, at) => fieldsOf(part, `${path}[${at}]`, entry, place));
	}
	if (!isRecord(value)) {
		return [{ part, path, value, phone: part === 'phone' ? readPhone(value, place) : null }];
	}
	const keys = Object.keys(value).slice(0, MOST_ENTRIES);
	return keys.flatMap((key) => {
		const inner = key === 'value' ? part : readFieldName(key).part;
		const isPart = inner === part || (part === 'name' && (inner === 'first' || inner === 'last'));
		const isField = isPart && typeof value[key] !== 'object';
		return isField ? fieldsOf(inner, pathTo(path, key), value[key], place) : [];
	});
}
