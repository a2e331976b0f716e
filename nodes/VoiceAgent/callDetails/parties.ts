/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import type { Candidate } from '../text/topics';
import { isObject, pathTo } from '../text/json';
import type { CallField, CallObject } from './callFields';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import {
	DOUBTS,
	PARTICIPANTS,
	ROLE_FIELDS,
	type Doubt,
	type Part,
	type Side,
} from './vocabulary/fieldWords';

/** One party of the call: an object (`customer`), or flat fields of one side (`customer_phone`). */
export interface Party {
	side: Side;
	/** Whether its name is a word for people: `caller`, but not `source`. */
	isPerson: boolean;
	/** Why it may not be the caller, if all of its fields say so. */
	doubt?: Doubt;
	fields: PartyField[];
}

/** A field of a party. The value of a phone is its number: WITHHELD for a hidden one, null if it holds none. */
type PartyField = Candidate & { part: Part };
/** A field whose number is not read yet. */
type RawField = PartyField & { place: PhonePlace };

/** The confidence of a number: at an end of the call, in a flat field, in a party object, in metadata. */
const AT_AN_END = 3;
const FLAT = 2;
const IN_AN_OBJECT = 1;
const IN_METADATA = 0;
/** The confidence of all names, ids and e-mail addresses. */
const OF_A_PARTY = 1;
/** A limit for hostile events: the numbers of two parties are compared with each other. */
const MOST_FIELDS = 100;

/**
 * Finds the parties in an object of the call. Metadata has numbers in flat fields only.
 *
 * @param countryCode of national numbers
 */
export function readParties({ kind, fields }: CallObject, countryCode?: string): Party[] {
	if (kind !== 'envelope' && kind !== 'metadata') return [];
	const parties = new Map<string, Party>();
	for (const field of fields.flatMap(byRole)) {
		const { side, isPerson, path, value, words } = field;
		const own = side && readFieldsAt(field, side, kind === 'metadata');
		if (!own) continue;
		// An object is a party, and so are all flat fields of a side.
		const [doubt] = words.flatMap((word) => DOUBTS.get(word) ?? []);
		const key = typeof value === 'object' ? path : `${side} ${isPerson}`;
		const party = parties.get(key) ?? { side, isPerson, doubt, fields: [] };
		if (party.doubt !== doubt) party.doubt = undefined;
		parties.set(key, party);
		party.fields.push(...own.map((one) => readPartyField(one, countryCode)));
	}
	return [...parties.values()];
}

/**
 * Reads each entry of a list of participants as a field with the name of its role: `{ role: 'customer', number }` as
 * `customer: { number }`. A list with an entry without a role has no party.
 */
function byRole(field: CallField): CallField[] {
	const { phrase, path, value } = field;
	if (!PARTICIPANTS.has(phrase) || !Array.isArray(value)) return [field];
	const parties = value.slice(0, MOST_FIELDS).flatMap((entry: unknown, at) => {
		const fields = isObject(entry) ? Object.entries(entry) : [];
		const named = (name: string) => fields.find(([key]) => readFieldName(key).phrase === name)?.[1];
		const role = ROLE_FIELDS.map(named).find((one) => typeof one === 'string');
		if (role === undefined) return [];
		return { ...field, ...readFieldName(role), path: `${path}[${at}]`, value: entry };
	});
	return parties.length < value.length ? [] : parties;
}

/** Reads the fields of a party that a field of the call holds or is: `customer: { … }`, `customer_phone`. */
function readFieldsAt(field: CallField, side: Side, isMetadata: boolean): RawField[] | undefined {
	const { part, isPerson, place, path, value } = field;
	if (typeof value === 'object') return isMetadata ? undefined : readPartyObject(field, side);
	const own = part === 'self' ? 'phone' : part;
	if (!own || (own !== 'phone' && (isMetadata || !isPerson))) return undefined;
	const inCall = isEnd(side) ? AT_AN_END : FLAT;
	const confidence = isMetadata ? IN_METADATA : inCall;
	return [{ part: own, path, value, confidence, place }];
}

/** Reads the direct fields of a party object: `customer: { … }`, `from: { … }` */
function readPartyObject(field: CallField, side: Side): RawField[] | undefined {
	const { part: whole, isPerson, path, value: object } = field;
	const isParty = whole === 'phone' || (whole === 'self' && (isPerson || isEnd(side)));
	if (!isParty || !isObject(object)) return undefined;
	const fields = Object.entries(object).slice(0, MOST_FIELDS);
	const confidence = isEnd(side) ? AT_AN_END : IN_AN_OBJECT;
	return fields.flatMap(([key, value]) => {
		const { part, side: other = side, place } = readFieldName(key);
		// The ID of an entry is that of a leg.
		const isOfLeg = part === 'id' && path.endsWith(']');
		if (!part || part === 'self' || isOfLeg || other !== side) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		const rest = { path: pathTo(path, key), confidence, place: here };
		return valuesIn(value, part).map((one) => ({ ...one, ...rest }));
	});
}

/** Reads the values in a field of a party object: itself, `phones: [{ number }]`, or `name: { first, last }`. */
function valuesIn(value: unknown, part: Part): Array<Pick<RawField, 'part' | 'value'>> {
	const values = [value].flat().slice(0, MOST_FIELDS);
	const holders = values.map((one: unknown) => (isObject(one) ? one : { value: one }));
	return holders.flatMap(Object.entries<unknown>).flatMap(([key, inner]) => {
		const own = key === 'value' ? part : readFieldName(key).part;
		const isPart = own === part || (part === 'name' && (own === 'first' || own === 'last'));
		return isPart ? { part: own, value: inner } : [];
	});
}

/** Reads the number in a phone's field. All other fields have the same confidence. */
function readPartyField({ place, ...field }: RawField, countryCode?: string): PartyField {
	if (field.part !== 'phone') return { ...field, confidence: OF_A_PARTY };
	return { ...field, value: readPhone(field.value, place, countryCode) };
}
