/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import type { Candidate } from '../text/topics';
import { isObject, pathTo } from '../text/json';
import type { CallField, CallObject } from './callFields';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import type { Doubt, Part, Side } from './vocabulary/fieldWords';
import { DOUBTS, PARTICIPANTS, ROLE_FIELDS } from './vocabulary/fieldWords';
import { OF_OTHERS } from './vocabulary/valueWords';
import { hasAny, wordsOf } from '../text/words';

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
/** Limits for hostile events, in which numbers are compared with each other. */
const MOST_FIELDS = 100;
/** More numbers, and participants, than any call has. */
export const MOST_NUMBERS = 10;

/** Whether a path is that of an entry of a list. */
const isEntry = (path: string) => /\[\d+\]$/.test(path);

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
		const read = own.map((one) => readPartyField(one, countryCode));
		const hasNumber = read.some((one) => one.part === 'phone' && one.value !== null);
		// Who is in a list without a number may take no part in the call.
		if (isEntry(path) && !hasNumber) continue;
		parties.set(key, party);
		party.fields.push(...read);
	}
	return [...parties.values()];
}

/**
 * Reads each entry of a list of participants as a field with the name of its role: `{ role: 'customer', number }` as
 * `customer: { number }`. A list with an entry without a role has no party.
 */
function byRole(field: CallField): CallField[] {
	const { phrase, path, value } = field;
	const isList = PARTICIPANTS.has(phrase) && Array.isArray(value);
	if (!isList || value.length > MOST_NUMBERS) return [field];
	const parties = value.flatMap((entry: unknown, at) => {
		const role = roleOf(entry);
		const place = { path: `${path}[${at}]`, value: entry };
		return role === undefined ? [] : { ...field, ...readFieldName(role), ...place };
	});
	return parties.length < value.length ? [] : parties;
}

/** Returns what an entry of a list is by its own words: `{ role: 'customer' }`, `{ type: 'fax' }` */
function roleOf(entry: unknown): string | undefined {
	const fields = isObject(entry) ? Object.entries(entry).slice(0, MOST_FIELDS) : [];
	const named = new Map(fields.map(([key, value]) => [readFieldName(key).phrase, value]));
	return ROLE_FIELDS.map((name) => named.get(name)).find((role) => typeof role === 'string');
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
		if (!part || part === 'self' || other !== side || (part === 'id' && isEntry(path))) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		const rest = { path: pathTo(path, key), confidence, place: here };
		return valuesIn(value, part).map((one) => ({ ...one, ...rest }));
	});
}

/** Reads the values in a field of a party object: itself, `phones: [{ number }]`, or `name: { first, last }`. */
function valuesIn(value: unknown, part: Part): Array<Pick<RawField, 'part' | 'value'>> {
	const values: unknown[] = [value].flat().slice(0, MOST_FIELDS);
	const own = values.filter((one) => !hasAny(wordsOf(roleOf(one)), OF_OTHERS));
	const holders = own.map((one) => (isObject(one) ? one : { value: one }));
	return holders.flatMap(Object.entries<unknown>).flatMap(([key, inner]) => {
		const inside = key === 'value' ? part : readFieldName(key).part;
		const isPart = inside === part || (part === 'name' && /^(first|last)$/.test(inside ?? ''));
		return inside && isPart ? { part: inside, value: inner } : [];
	});
}

/** Reads the number in a phone's field. All other fields have the same confidence. */
function readPartyField({ place, ...field }: RawField, countryCode?: string): PartyField {
	if (field.part !== 'phone') return { ...field, confidence: OF_A_PARTY };
	return { ...field, value: readPhone(field.value, place, countryCode) };
}
