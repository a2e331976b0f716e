import type { IDataObject } from 'n8n-workflow';

import { catalogConfidence, readCatalogMap } from './catalog';
import { chooseFirst } from '../text/topics';
import { fieldsIn, isId, isObject, type Field } from '../text/json';
import { setOf, wordsOf, ENVELOPES } from '../text/words';

/*
 * The contract shows no envelopes, but it names fields: lists and records are
 * recognised by those fields, wherever they stand. Names of envelopes only break ties. An answer that
 * fits nothing gives undefined, and the caller's error shows the answer.
 */

/** The lists of the service. */
export type Resource = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

/**
 * Of each list: its path, its name for the user, and the fields of a record beside the `id` (docs/the-service.md,
 * "What is fixed").
 */
export const LISTS: Record<Resource, { path: string; noun: string; fields: string[] }> = {
	apiKeys: { path: '/workspace/api-keys', noun: 'API keys', fields: ['key', 'prefix', 'scopes'] },
	webhooks: { path: '/webhooks', noun: 'webhooks', fields: ['url', 'events'] },
	deliveries: { path: '/webhooks/ID/deliveries', noun: 'deliveries', fields: [] },
	eventTypes: { path: '/webhooks/event-types', noun: 'event types', fields: [] },
};

/** Names of each list, which break ties. */
const OWN_NAMES: Record<Resource, RegExp> = {
	apiKeys: /keys?$/i,
	webhooks: /webhook|endpoint/i,
	deliveries: /deliver|attempt/i,
	eventTypes: /event|type/i,
};

/** Usual names of envelopes, which break ties too. */
const LIST_ENVELOPES = setOf(`data, ${ENVELOPES.record}`);
/** Arrays that answers have beside their list. */
const ASIDE = /^(errors|warnings|links|included)$/i;

/** A record without its envelope. */
export type Identified = IDataObject & { id: string };

/**
 * Finds the list in an answer: the array whose entries have the most of the contract's fields. Of several, the best
 * name wins, then a filled one, then the outermost. If no entry has such a field, an empty array is an empty list, and
 * so are `null` and an empty map as the body or under a usual name.
 *
 * `{ "data": [{ "id": "wh_1", "url": … }], "next": null }` → `[{ "id": "wh_1", "url": … }]`
 *
 * @returns the entries, and the objects around the list, the outermost first, where `lists/paging.ts` looks for the
 *   next page; undefined for an answer without a list, such as `{ "status": "ok" }`
 */
export function findList(body: unknown, resource: Resource) {
	const lists = fieldsIn({ '': body }, ({ value }) => isObject(value)).flatMap((field) =>
		listAt(field, resource),
	);
	const [best, ...others] = lists.toSorted((one, other) => compareOrders(other.order, one.order));
	if (!best) return undefined;
	const equal = others.filter(({ order }) => compareOrders(order, best.order) === 0);
	// Several lists that fit equally contradict each other, unless all of them are empty.
	const areEmpty = [best, ...equal].every(({ entries }) => entries.length === 0);
	return equal.length === 0 || areEmpty ? best : undefined;
}

/** What a list is compared by: the first figure that differs decides. */
type Order = [confidence: number, byName: number, isFilled: number, outermost: number];

function compareOrders(one: Order, other: Order): number {
	return one.map((figure, at) => figure - other[at]!).find((difference) => difference !== 0) ?? 0;
}

/** Whether an array stands neither beside a list nor in a record. */
function isOwnArray({ name, value, holders }: Omit<Field, 'keys'>, resource: Resource): boolean {
	const isRecord = (holder: object) => namesOf(holder as IDataObject, resource).length > 0;
	return Array.isArray(value) && !ASIDE.test(name) && !holders.some(isRecord);
}

/** Reads a field as the list; none if it is surely another thing. */
function listAt({ name, value, holders }: Field, resource: Resource) {
	const all = entriesOf(value, resource);
	// An array of that name is part of a record.
	if (!all || LISTS[resource].fields.includes(name)) return [];
	const byName = OWN_NAMES[resource].test(name)
		? 2
		: Number(LIST_ENVELOPES.has(wordsOf(name).join(' ')));
	const confidence = confidenceOf(all, resource);
	const isUsual = byName > 0 || name === '';
	const mayBeEmpty = isUsual || isOwnArray({ name, value, holders }, resource);
	const mayLackFields = (isUsual || resource === 'deliveries') && all.every(isObject);
	const isList = confidence > 0 || (all.length === 0 ? mayBeEmpty : mayLackFields);
	if (!isList) return [];
	const order: Order = [confidence, byName, Number(all.length > 0), -holders.length];
	return { entries: resource === 'eventTypes' ? all : all.map(unwrapped), holders, order };
}

function entriesOf(value: unknown, resource: Resource): unknown[] | undefined {
	if (Array.isArray(value) || value === null) return value ?? [];
	if (!isObject(value)) return undefined;
	if (Object.keys(value).length === 0) return [];
	return resource === 'eventTypes' ? readCatalogMap(value) : undefined;
}

/** Takes an entry out of its envelope: `{ "cursor": "abc", "node": { … } }` → the node */
function unwrapped(entry: unknown): unknown {
	const fields = isObject(entry) ? Object.entries(entry) : [];
	const [inner, ...others] = fields.filter(([name]) => !/^(cursor|__typename)$/.test(name));
	return inner && others.length === 0 && isObject(inner[1]) ? inner[1] : entry;
}

/** Finds all records of an answer, the outer ones first: those with the contract's fields, and objects with an `id`. */
export function recordsIn(body: unknown, resource: Resource) {
	const objects = [body, ...fieldsIn(body, () => true).map(({ value }) => value)].filter(isObject);
	return objects.flatMap((object) => recordAt(object, resource) ?? []);
}

/**
 * Finds the record with an `id` and the most of the contract's fields; of several, the outermost. If
 * nothing has such fields, the outermost object with an `id` is the record.
 */
export function readRecord(body: unknown, resource: Resource): Identified | undefined {
	return chooseFirst(recordsIn(body, resource), ({ record }) => record) ?? undefined;
}

/** Merges the parts of one record: `{ id: 'wh_1', config: { url: … } }` → `{ id: 'wh_1', url: … }` */
function recordAt(object: IDataObject, resource: Resource) {
	const hasId = isId(object.id);
	const parts = Object.values(object).filter((part): part is IDataObject => {
		if (!isObject(part)) return false;
		const names = namesOf(part, resource);
		if (!hasId) return isId(part.id) && names.length === 0;
		return !isId(part.id) && names.some((name) => !(name in object));
	});
	// Several ids contradict each other.
	if (!hasId && parts.length !== 1) return undefined;
	const ofParts = new Set<unknown>(parts);
	const own = Object.entries(object).filter(([, value]) => !ofParts.has(value));
	const merged = Object.fromEntries([...parts.flatMap(Object.entries), ...own]) as IDataObject;
	const confidence = namesOf(merged, resource).length;
	if (!hasId && confidence === 0) return undefined;
	const record: Identified = { ...merged, id: String(merged.id) };
	return {
		record,
		/** How many of the contract's fields it has. */
		confidence,
		/** Whether one object holds both the `id` and the other fields. */
		isWhole: hasId && namesOf(object, resource).length > 0,
	};
}

/** @returns the names of the contract's fields that an object has */
function namesOf(object: IDataObject, resource: Resource): string[] {
	return LISTS[resource].fields.filter((name) => Object.hasOwn(object, name));
}

/** The number of the contract's fields in the entries: the most that one entry has. */
function confidenceOf(entries: unknown[], resource: Resource): number {
	if (resource === 'eventTypes') return catalogConfidence(entries);
	const records = entries.flatMap((entry) => recordsIn(entry, resource));
	return chooseFirst(records, ({ confidence }) => confidence) ?? 0;
}
