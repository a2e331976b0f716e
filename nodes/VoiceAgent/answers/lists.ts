import type { IDataObject } from 'n8n-workflow';

import { catalogFit, readCatalogMap } from './catalog';
import { choose, chooseFirst } from '../matcher/choose';
import { fieldsIn, type Field } from '../matcher/bodyFields';
import { isId, isObject } from '../matcher/json';

/*
 * The contract shows no envelopes ("not shown", section 4), but it names fields: lists and records are
 * recognised by those fields, wherever they stand. Names of envelopes only break ties. An answer that
 * fits nothing gives undefined, and the caller's error shows the answer.
 */

/** The lists of the service. */
export type Resource = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

/** The path of each list (contract, section 4), and its name for the user. */
export const LISTS: Record<Resource, { path: string; noun: string }> = {
	apiKeys: { path: '/workspace/api-keys', noun: 'API keys' },
	webhooks: { path: '/webhooks', noun: 'webhooks' },
	deliveries: { path: '/webhooks/ID/deliveries', noun: 'deliveries' },
	eventTypes: { path: '/webhooks/event-types', noun: 'event types' },
};

/** The fields of a record beside its `id` (contract, section 2). */
const FIELDS: Record<Resource, string[]> = {
	apiKeys: ['key', 'prefix', 'scopes'],
	webhooks: ['url', 'events'],
	deliveries: [],
	eventTypes: [],
};

/** Names of the list that break ties. */
const OWN_NAME: Record<Resource, RegExp> = {
	apiKeys: /keys?$/i,
	webhooks: /webhook|endpoint/i,
	deliveries: /deliver|attempt/i,
	eventTypes: /event|type/i,
};
/** Usual names of envelopes, which break ties too. */
const LIST_ENVELOPE = /^(data|items|results?|records|entries)$/i;
/** Arrays that answers have beside their list. */
const ASIDE = /^(errors|warnings|links|included)$/i;

/** A list as an answer holds it. */
export interface FoundList {
	entries: unknown[];
	/** The objects around the list, the outermost first. `api/paging.ts` looks there for the next page. */
	holders: object[];
}

/** A record without its envelope. */
export type Identified = IDataObject & { id: string };

/** A record as an answer holds it. */
interface FoundRecord {
	record: Identified;
	/** How many of the contract's fields it has. */
	confidence: number;
	/** Whether one object holds both the `id` and the other fields. */
	isWhole: boolean;
}

/**
 * Finds the list in an answer: the array, or the map by ids, whose entries have the most of the contract's
 * fields. Of several, the best name wins, then a filled one, then the outermost. If no entry has such a
 * field, an empty array is an empty list, and so are `null` and an empty map as the body or under a usual name.
 *
 * `{ "wh_1": { "id": "wh_1", "url": … } }` → `[{ "id": "wh_1", "url": … }]`
 *
 * @returns undefined for an answer without a list, such as `{ "status": "ok" }`
 */
export function findList(body: unknown, resource: Resource): FoundList | undefined {
	const isEnvelope = ({ value }: Field) => isObject(value) && !isMapByIds(value);
	const lists = fieldsIn({ '': body }, isEnvelope).flatMap((field) => listAt(field, resource));
	const isSame = (one: FoundList, other: FoundList) =>
		one.entries.length + other.entries.length === 0;
	return choose(lists, ({ value }) => value, isSame).value ?? undefined;
}

/** Reads a field as the list; none if it is surely another thing. */
function listAt({ name, value, holders }: Field, resource: Resource) {
	const entries = entriesOf(value, resource);
	// An array of that name is part of a record.
	if (!entries || FIELDS[resource].includes(name)) return [];
	const rank = OWN_NAME[resource].test(name) ? 2 : Number(LIST_ENVELOPE.test(name));
	const fit = fitOf(entries, resource);
	const isUsual = rank > 0 || name === '';
	const isEmpty = Array.isArray(value) ? !ASIDE.test(name) : isUsual;
	const isFieldless = (isUsual || resource === 'deliveries') && entries.every(isObject);
	if (fit === 0 && !(entries.length === 0 ? isEmpty : isFieldless)) return [];
	const confidence = (fit * 3 + rank) * 2 + Number(entries.length > 0) - holders.length / 100;
	// Records of other lists are found by their fields.
	const records = resource === 'deliveries' ? entries.map(unwrapped) : entries;
	return [{ path: name, value: { entries: records, holders }, confidence }];
}

function entriesOf(value: unknown, resource: Resource): unknown[] | undefined {
	if (Array.isArray(value) || value === null) return value ?? [];
	if (!isObject(value)) return undefined;
	if (isMapByIds(value)) return Object.values(value);
	return resource === 'eventTypes' ? readCatalogMap(value) : undefined;
}

/** @returns true for an object of objects, each under its own `id` */
function isMapByIds(object: object): boolean {
	return Object.entries(object).every(([id, one]) => isObject(one) && String(one.id) === id);
}

/** Takes a record out of its envelope: `{ "cursor": "abc", "node": { … } }` → the node */
function unwrapped(entry: unknown): unknown {
	const fields = isObject(entry) ? Object.keys(entry).filter((name) => name !== 'cursor') : [];
	const [inner] = fields.map((name) => (entry as IDataObject)[name]);
	return fields.length === 1 && isObject(inner) ? inner : entry;
}

/** Finds all records of an answer, the outer ones first. */
export function recordsIn(body: unknown, resource: Resource): FoundRecord[] {
	return objectsIn(body).flatMap((object) => recordAt(object, FIELDS[resource]) ?? []);
}

/**
 * Finds the record with an `id` and the most of the contract's fields; of several, the outermost. If
 * nothing has such fields, the outermost object with an `id` is the record.
 */
export function readRecord(body: unknown, resource: Resource): Identified | undefined {
	const plain = objectsIn(body).find(hasId);
	return (
		chooseFirst(recordsIn(body, resource), ({ record }) => record) ?? (plain && identified(plain))
	);
}

/** Merges the parts of one record: `{ id: 'wh_1', config: { url: … } }` → `{ id: 'wh_1', url: … }` */
function recordAt(object: IDataObject, fields: string[]): FoundRecord | undefined {
	const isIdentified = hasId(object);
	const parts = Object.values(object).filter((part): part is IDataObject => {
		if (!isObject(part) || hasId(part) === isIdentified) return false;
		const names = ownNames(part, fields);
		return isIdentified ? names.some((name) => !(name in object)) : names.length === 0;
	});
	// Several ids contradict each other.
	if (!isIdentified && parts.length !== 1) return undefined;
	const own = Object.entries(object).filter(([, value]) => !parts.includes(value as IDataObject));
	const record = Object.assign({}, ...parts, Object.fromEntries(own)) as IDataObject;
	const confidence = ownNames(record, fields).length;
	if (confidence === 0) return undefined;
	const isWhole = isIdentified && ownNames(object, fields).length > 0;
	return { record: identified(record), confidence, isWhole };
}

function identified(record: IDataObject): Identified {
	return { ...record, id: String(record.id) };
}

function hasId({ id }: IDataObject): boolean {
	return isId(id);
}

function ownNames(object: IDataObject, names: string[]): string[] {
	return names.filter((name) => Object.hasOwn(object, name));
}

function objectsIn(body: unknown): IDataObject[] {
	return [body, ...fieldsIn(body, () => true).map(({ value }) => value)].filter(isObject);
}

/** The number of the contract's fields in the entries: the most that one entry has. */
function fitOf(entries: unknown[], resource: Resource): number {
	if (resource === 'eventTypes') return catalogFit(entries);
	const records = entries.flatMap((entry) => recordsIn(entry, resource));
	return Math.max(0, ...records.map(({ confidence }) => confidence));
}
