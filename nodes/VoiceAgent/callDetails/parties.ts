import { wordsOf } from '../matcher/words';
import { readFieldName, type FieldName } from './names';
import { readPhone } from './phones';
import { isRecord, pathTo, type CallRecord } from './records';
import { PARTICIPANTS, ROLE_FIELDS, SIDES, type Part, type Side } from './vocabulary/parties';

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
export const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;
/** Ends what is hostile. */
const MOST_ENTRIES = 100;

/** Tells whether a side is an end of the call, which is the customer's or ours by the direction. */
export function isEnd(side: Side | undefined): boolean {
	return side === 'origin' || side === 'target';
}

/** Reads those who take part, from the call's level alone. */
export function readParties(records: CallRecord[]): Party[] {
	const parties: Party[] = [];
	for (const { kind, fields } of records) {
		if (kind !== 'spine' && kind !== 'annex') continue;
		const flat = new Map<string, Party>();
		for (const { name, path, value } of fields) {
			const { side, part, isPerson } = name;
			if (typeof value === 'object') {
				const isParty = part === 'phone' || (part === 'self' && (isPerson || isEnd(side)));
				if (kind === 'annex') continue;
				if (PARTICIPANTS.has(name.phrase)) parties.push(...participantsOf(value, path));
				else if (side && isParty && isRecord(value)) parties.push(partyOf(side, name, path, value));
				continue;
			}
			const isNumber = part === 'phone' || part === 'self';
			if (!side || !part || !(isNumber || (isPerson && kind === 'spine'))) continue;
			const key = `${side} ${isPerson}`;
			const party = flat.get(key) ?? {
				side,
				isPerson,
				confidence: confidenceOf(side, FLAT),
				fields: [],
			};
			if (!flat.has(key)) parties.push(party);
			flat.set(key, party);
			party.fields.push(...fieldsOf(isNumber ? 'phone' : part, path, value, name));
		}
	}
	return parties;
}

function confidenceOf(side: Side, otherwise: number): number {
	return isEnd(side) ? AT_AN_END : otherwise;
}

/** The entries of a list of those who take part, if each states its role. */
function participantsOf(list: unknown, path: string): Party[] {
	const entries: unknown[] = Array.isArray(list) ? list.slice(0, MOST_ENTRIES) : [];
	const parties = entries.map((entry, at) => {
		if (!isRecord(entry)) return undefined;
		const key = Object.keys(entry).find((one) => ROLE_FIELDS.has(readFieldName(one).phrase));
		const role = key === undefined ? undefined : entry[key];
		if (typeof role !== 'string') return undefined;
		const word = wordsOf(role).find((one) => SIDES.has(one)) ?? '';
		const side = SIDES.get(word);
		if (!side) return [];
		const party = partyOf(side, readFieldName(word), `${path}[${at}]`, entry);
		return [{ ...party, confidence: FLAT }];
	});
	return parties.includes(undefined) ? [] : parties.flatMap((party) => party ?? []);
}

/** Reads the direct fields of a party object. */
function partyOf(
	side: Side,
	{ isPerson }: FieldName,
	path: string,
	object: Record<string, unknown>,
): Party {
	const fields = Object.keys(object)
		.slice(0, MOST_ENTRIES)
		.flatMap((key) => {
			const name = readFieldName(key);
			if (name.part === undefined || name.part === 'self' || (name.side ?? side) !== side)
				return [];
			const place = isEnd(side) && name.place === 'bare' ? 'end' : name.place;
			return fieldsOf(name.part, pathTo(path, key), object[key], { ...name, place });
		});
	return { side, isPerson, confidence: confidenceOf(side, IN_AN_OBJECT), fields };
}

/** A field itself, `name.first` and `name.last`, or the entries of `phones[].number`. */
function fieldsOf(part: Part, path: string, value: unknown, name: FieldName): PartyField[] {
	if (Array.isArray(value)) {
		return value
			.slice(0, MOST_ENTRIES)
			.flatMap((entry, at) => fieldsOf(part, `${path}[${at}]`, entry, name));
	}
	if (!isRecord(value)) {
		return [{ part, path, value, phone: part === 'phone' ? readPhone(value, name.place) : null }];
	}
	return Object.keys(value)
		.slice(0, MOST_ENTRIES)
		.flatMap((key) => {
			const inner = key === 'value' ? part : readFieldName(key).part;
			const isPart = inner === part || (part === 'name' && (inner === 'first' || inner === 'last'));
			const isField = isPart && typeof value[key] !== 'object';
			return isField ? fieldsOf(inner, pathTo(path, key), value[key], name) : [];
		});
}
