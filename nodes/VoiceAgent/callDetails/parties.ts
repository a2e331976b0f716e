/** Finds the parties of the call, with the fields that hold their numbers, names and e-mail addresses. */
import type { Candidate } from '../text/topics';
import { isObject, pathTo, readText } from '../text/json';
import type { CallField, CallObject } from './callFields';
import { isEnd, readFieldName } from './fieldNames';
import { readPhone, type PhonePlace } from './phoneNumbers';
import type { Doubt, Part, Side } from './vocabulary/fieldWords';
import { DOUBTS, OPPOSITES, PARTICIPANTS, USES, VALUES } from './vocabulary/fieldWords';

/** One party of the call: an object (`customer`), or flat fields of one side (`customer_phone`). */
export interface Party {
	side: Side;
	/** Whether its name is a word for people: `caller`, but not `source`. */
	isPerson: boolean;
	/** Why it may not be the caller, if all of its fields say so. */
	doubt?: Doubt;
	/** Whether it is an entry of a list of participants. */
	isListed: boolean;
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
		const isListed = isEntry(path);
		const party = parties.get(key) ?? { side, isPerson, doubt, isListed, fields: [] };
		if (party.doubt !== doubt) party.doubt = undefined;
		parties.set(key, party);
		party.fields.push(...own.map((one) => readPartyField(one, countryCode)));
	}
	return [...parties.values()];
}

/**
 * Reads the two participants of a call as fields with the names of their roles: `{ role: 'customer', number }` as
 * `customer: { number }`. A list of others, such as that of a team, a transfer or a conference, has no party.
 */
function byRole(field: CallField): CallField[] {
	const { phrase, path, value } = field;
	if (!PARTICIPANTS.has(phrase) || !Array.isArray(value) || value.length !== 2) return [field];
	const parties = value.map((entry: unknown, at) => {
		return { ...field, ...readFieldName(roleOf(entry)), path: `${path}[${at}]`, value: entry };
	});
	const sides = parties.map(({ side, part, isPerson }) => isPerson && part === 'self' && side);
	return OPPOSITES.has(sides.sort().join(' ')) ? parties : [];
}

/** Returns the role that an entry of a list states; empty for none. */
function roleOf(entry: unknown): string {
	const { role, type, purpose = type, ...others } = isObject(entry) ? entry : {};
	return readText(role ?? others.participantType ?? others.participant_type ?? purpose);
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
	// `name: { first, last }`
	const own = isObject(object.name) ? { ...object, ...object.name } : object;
	const fields = Object.entries(own).slice(0, MOST_FIELDS);
	const confidence = isEnd(side) ? AT_AN_END : IN_AN_OBJECT;
	return fields.flatMap(([key, value]) => {
		const { part, side: other = side, place } = readFieldName(key);
		// The ID of an entry is that of a leg.
		if (!part || part === 'self' || other !== side || (part === 'id' && isEntry(path))) return [];
		const here = isEnd(side) && place === 'bare' ? 'end' : place;
		return { part, path: pathTo(path, key), value: plainValue(value), confidence, place: here };
	});
}

/** Takes the value out of a list of one, and of an object that says no more of it: `[{ label: 'Work', value }]` */
function plainValue(value: unknown): unknown {
	const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	if (!isObject(one)) return one;
	const isUse = (inner: unknown) => Number.isInteger(inner) || inner === true || USES.has(inner);
	const fields = Object.entries(one).filter(([, inner]) => !isUse(inner));
	const [[name, inner] = ['']] = fields;
	return fields.length === 1 && VALUES.has(readFieldName(name).phrase) ? inner : one;
}

/** Reads the number in a phone's field. All other fields have the same confidence. */
function readPartyField({ place, ...field }: RawField, countryCode?: string): PartyField {
	if (field.part !== 'phone') return { ...field, confidence: OF_A_PARTY };
	return { ...field, value: readPhone(field.value, place, countryCode) };
}
