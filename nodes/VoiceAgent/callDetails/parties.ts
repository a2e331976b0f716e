import type { CallRecord, Field } from './records';
import { isRecord, pathTo } from './records';
import { readFieldName } from './names';
import { readPhone, type PhonePlace } from './phones';
import {
	AGENT_ROLES,
	CUSTOMER_ROLES,
	PARTICIPANTS,
	ROLE_FIELDS,
	type Part,
	type Side,
} from './vocabulary/parties';
import { wordsOf } from '../matcher/words';

/** A field of one of those who take part. */
export interface PartyField {
	side: Side;
	part: Exclude<Part, 'self'>;
	path: string;
	value: unknown;
	/** Its phone number; WITHHELD for a hidden one; null for none. */
	phone: string | null;
	owner: Owner;
}

/** Fields that belong together: those of an object, or those of one side in a record. */
export interface Owner {
	path: string;
	isObject: boolean;
	/** It states its role in the call. */
	hasRole: boolean;
	/** Its name is one of people, not of a line or a place: `caller`, but not `source`. */
	isPerson: boolean;
	fields: PartyField[];
}

/** Ends what is hostile. */
const MOST_ENTRIES = 20;

/** Reads the fields of those who take part, from the call's level alone. */
export function readParties(records: CallRecord[]): PartyField[] {
	return records
		.filter(({ kind }) => kind === 'spine' || kind === 'annex')
		.flatMap((record) => {
			const flat = new Map<string, Owner>();
			const objects = record.fields.flatMap((field) => ownersOf(field, record, flat));
			return [...flat.values(), ...objects].flatMap(({ fields }) => fields);
		});
}

/** The party objects that a field holds; a flat field goes to those of its side. */
function ownersOf(
	field: Field,
	{ kind, path: around }: CallRecord,
	flat: Map<string, Owner>,
): Owner[] {
	const { name, path, value } = field;
	const { side, part, isPerson, place } = name;
	const isSpine = kind === 'spine';
	if (typeof value === 'object') {
		if (!isSpine) return [];
		if (PARTICIPANTS.has(name.phrase) || name.phrase === 'user') return withRoles(value, path);
		const isEnd = side === 'origin' || side === 'target';
		const isParty = part === 'phone' || (part === 'self' && (isPerson || isEnd));
		return side && isParty && isRecord(value) ? [objectOf(side, isPerson, path, value)] : [];
	}
	if (side === undefined || part === undefined) return [];
	const isNumber = part === 'phone' || part === 'self';
	if (!isNumber && (!isPerson || !isSpine)) return [];
	const key = `${side} ${isPerson}`;
	const owner = flat.get(key) ?? {
		path: around,
		isObject: false,
		hasRole: false,
		isPerson,
		fields: [],
	};
	flat.set(key, owner);
	add(owner, side, isNumber ? 'phone' : part, path, value, place);
	return [];
}

function add(
	owner: Owner,
	side: Side,
	part: PartyField['part'],
	path: string,
	value: unknown,
	place: PhonePlace,
): void {
	const phone = part === 'phone' ? readPhone(value, place) : null;
	owner.fields.push({ side, part, path, value, phone, owner });
}

/** Those of a list who take part, if each entry states its role. */
function withRoles(value: unknown, path: string): Owner[] {
	const isList = Array.isArray(value);
	const entries: unknown[] = isList ? value.slice(0, MOST_ENTRIES) : [value];
	const owners = entries.map((entry, at) => {
		if (!isRecord(entry)) return undefined;
		const role = Object.keys(entry).find((key) => ROLE_FIELDS.has(readFieldName(key).phrase));
		const words = role === undefined ? [] : wordsOf(String(entry[role]));
		const has = (roles: ReadonlySet<string>) => words.some((word) => roles.has(word));
		const side = has(CUSTOMER_ROLES) ? 'customer' : has(AGENT_ROLES) ? 'agent' : undefined;
		const place = isList ? `${path}[${at}]` : path;
		return role === undefined
			? undefined
			: side === undefined
				? []
				: [objectOf(side, true, place, entry, true)];
	});
	return owners.includes(undefined) ? [] : owners.flatMap((owner) => owner ?? []);
}

/** Reads the direct fields of a party object, `name.first` and `phones[].number`. */
function objectOf(
	side: Side,
	isPerson: boolean,
	path: string,
	object: Record<string, unknown>,
	hasRole = false,
): Owner {
	const owner: Owner = { path, isObject: true, hasRole, isPerson, fields: [] };
	const isEnd = side === 'origin' || side === 'target';
	for (const key of Object.keys(object).slice(0, 100)) {
		const { side: own = side, part, place } = readFieldName(key);
		const value = object[key];
		if (part === undefined || part === 'self' || own !== side || value === null) continue;
		for (const inner of innerOf(value, part, pathTo(path, key))) {
			add(
				owner,
				side,
				inner.part,
				inner.path,
				inner.value,
				isEnd && place === 'bare' ? 'end' : place,
			);
		}
	}
	return owner;
}

/** A value itself, the parts of a name, or the numbers and addresses of a list. */
function innerOf(
	value: unknown,
	part: PartyField['part'],
	path: string,
): Array<Pick<PartyField, 'part' | 'path' | 'value'>> {
	if (typeof value !== 'object') return [{ part, path, value }];
	if (part === 'name' && isRecord(value)) {
		return Object.keys(value).flatMap((key) => {
			const inner = readFieldName(key).part;
			const isName = inner === 'first' || inner === 'last' || inner === 'name';
			return isName ? [{ part: inner, path: pathTo(path, key), value: value[key] }] : [];
		});
	}
	if (!Array.isArray(value) || (part !== 'phone' && part !== 'email')) return [];
	return value.slice(0, MOST_ENTRIES).flatMap((entry, at) => {
		const place = `${path}[${at}]`;
		if (!isRecord(entry)) return [{ part, path: place, value: entry }];
		const key = Object.keys(entry).find(
			(one) => one === 'value' || readFieldName(one).part === part,
		);
		return key === undefined ? [] : [{ part, path: pathTo(place, key), value: entry[key] }];
	});
}
