import type { IDataObject } from 'n8n-workflow';

import { catalogIn } from './catalog';
import { choose, chooseFirst } from '../matcher/choose';
import { DEEPEST_FIELD, fieldsIn, isTotal, type Field } from '../matcher/fields';
import { isId, isObject } from '../matcher/json';

/*
 * The contract shows no envelopes ("not shown", section 4), but it names fields: lists and records are
 * recognised by those fields, wherever they stand. Names of envelopes only break ties. An answer that
 * fits nothing gives undefined, and the caller's error shows the answer.
 */

/** The lists of the service. */
export type Resource = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

/** The lists in words for the user. */
export const LIST_NAMES: Record<Resource, string> = {
	apiKeys: 'API keys',
	webhooks: 'webhooks',
	deliveries: 'deliveries',
	eventTypes: 'event types',
};

/** The fields of each kind of record beside its `id` (contract, section 2). */
const FIELDS: Record<Resource, string[]> = {
	apiKeys: ['key', 'prefix', 'scopes'],
	webhooks: ['url', 'events'],
	deliveries: [],
	eventTypes: [],
};

/** Names that break ties: the list's own name, then the usual names of envelopes. */
const OWN_NAMES: Record<Resource, RegExp> = {
	apiKeys: /keys?$/i,
	webhooks: /webhook|endpoint/i,
	deliveries: /deliver|attempt/i,
	eventTypes: /event|type/i,
};
const LIST_ENVELOPE = /^(data|items|results?|records|entries)$/i;
/** Arrays that answers have beside their list. */
const ASIDE = /^(errors|warnings|links|included)$/i;

/** A list as an answer holds it. */
interface FoundList {
	entries: unknown[];
	/** The objects around the list, the outermost first. `api/paging.ts` looks there for the next page. */
	holders: object[];
}

/** A record without its envelope. */
export type Identified = IDataObject & { id: string };

/** A record as an answer holds it. */
interface FoundRecord {
	record: Identified;
	/** Whether one object holds both the `id` and the other fields. */
	isWhole: boolean;
	/** Whether no other object of the answer has an `id`. */
	isOnly: boolean;
}

/**
 * Finds the list in an answer: the array, or the map by ids, whose entries have the most of the contract's
 * fields. Of several, the best name wins, then the outermost. If no entry has such a field, an empty array,
 * a count of zero, `null` or an empty map is an empty list. Otherwise the only array is the list.
 *
 * `{ "wh_1": { "id": "wh_1", "url": … } }` → `[{ "id": "wh_1", "url": … }]`
 *
 * @returns undefined for an answer without a list, such as `{ "status": "ok" }`
 */
export function findList(body: unknown, resource: Resource): FoundList | undefined {
	if (body === null) return { entries: [], holders: [] };
	const fields = fieldsIn({ '': body });
	const list =
		(resource === 'eventTypes' ? catalogIn(fields) : undefined) ??
		(Array.isArray(body) ? { entries: body, holders: [] } : listIn(fields, resource));
	return list && { ...list, entries: list.entries.map((entry) => unwrapped(entry, resource)) };
}

function listIn(fields: Field[], resource: Resource): FoundList | undefined {
	const maps = new Set(fields.map(({ value }) => value).filter(isMapByIds));
	const rankOf = (name: string) =>
		OWN_NAMES[resource].test(name) ? 2 : LIST_ENVELOPE.test(name) ? 1 : 0;
	const lists = fields.flatMap(({ name, value, holders }) => {
		const entries = maps.has(value) ? Object.values(value as object) : value;
		const isList = Array.isArray(entries) && entries.every(isObject);
		const isOfEntry = FIELDS[resource].includes(name) || holders.some((outer) => maps.has(outer));
		if (!isList || isOfEntry) return [];
		const [rank, fit] = [rankOf(name), fitOf(entries, resource)];
		const confidence = (fit * 3 + rank) * DEEPEST_FIELD * 2 - holders.length;
		return [{ path: name, value: { entries, holders }, rank, fit, confidence }];
	});
	const surest = (some: typeof lists) => choose(some, ({ value: list }) => list).value ?? undefined;
	const fitting = lists.filter(({ fit }) => fit > 0);
	if (fitting.length > 0) return surest(fitting);

	const others = lists.filter(({ path }) => !ASIDE.test(path));
	const filled = others.filter(({ value }) => value.entries.length > 0);
	const isFieldless = FIELDS[resource].length === 0 || filled.length === others.length;
	const top = Math.max(...others.map(({ rank }) => rank));
	const empty = fields.find(({ name, value }) => {
		// An empty map is no catalog.
		const isMap = isObject(value) && resource !== 'eventTypes';
		const isNothing = value === null || (isMap && Object.keys(value).length === 0);
		// `null` or an empty map is a list only as the body's single field, or under a usual name of lists.
		if (isNothing) return fields.length <= 2 || rankOf(name) > 0;
		return isTotal(name) && String(value) === '0';
	});
	// A filled list counts only if no empty list has a better name: `{ deliveries: [], tags: [{ … }] }` → `[]`
	const isHeld = filled.some(({ rank }) => rank === top && (rank > 0 || !empty));
	if (isFieldless && isHeld) return surest(filled);
	const { holders } = others[0]?.value ?? empty ?? {};
	return holders && { entries: [], holders };
}

/** @returns true for an object of objects, each under its own `id` */
function isMapByIds(value: unknown): boolean {
	const entries = isObject(value) ? Object.entries(value) : [];
	return (
		entries.length > 0 && entries.every(([id, entry]) => isObject(entry) && String(entry.id) === id)
	);
}

/** Takes an entry out of its envelope: `{ "cursor": "abc", "node": { … } }` → the node */
function unwrapped(entry: unknown, resource: Resource): unknown {
	const fields = isObject(entry) ? Object.entries(entry) : [];
	const [inner, ...others] = fields.filter(([name]) => !/^(cursor|__typename)$/.test(name));
	// An entry of the catalog may be keyed by its name.
	const isEnvelope = resource !== 'eventTypes' || inner?.[0] === 'node';
	return inner && others.length === 0 && isObject(inner[1]) && isEnvelope ? inner[1] : entry;
}

/** Finds all records of an answer, the outer ones first. */
export function recordsIn(body: unknown, resource: Resource): FoundRecord[] {
	const objects = objectsIn(body);
	const isOnly = objects.filter(hasId).length === 1;
	return objects.flatMap((object) => {
		const own = ownNames(object, FIELDS[resource]).length;
		const record = recordAt(object, FIELDS[resource]);
		return record ? [{ record, isWhole: hasId(object) && own > 0, isOnly }] : [];
	});
}

/**
 * Finds the record with an `id` and the most of the contract's fields; of several, the outermost. If
 * nothing has such fields, the outermost object with an `id` is the record.
 */
export function readRecord(body: unknown, resource: Resource): Identified | undefined {
	const fields = FIELDS[resource];
	const fits = recordsIn(body, resource).map(({ record }) => ({
		record,
		confidence: ownNames(record, fields).length,
	}));
	const plain = fits.length > 0 ? undefined : objectsIn(body).find(hasId);
	return chooseFirst(fits, ({ record }) => record) ?? (plain && identified(plain));
}

/** Merges the parts of one record: `{ id: 'wh_1', config: { url: … } }` → `{ id: 'wh_1', url: … }` */
function recordAt(object: IDataObject, fields: string[]): Identified | undefined {
	const parts = Object.entries(object).filter((entry): entry is [string, IDataObject] => {
		const part = entry[1];
		if (!isObject(part)) return false;
		const names = ownNames(part, fields);
		return hasId(object)
			? !hasId(part) && names.some((name) => !(name in object))
			: hasId(part) && names.length === 0;
	});
	// Several ids contradict each other.
	if (!hasId(object) && parts.length !== 1) return undefined;
	const rest = Object.entries(object).filter(
		([, value]) => !parts.some(([, part]) => part === value),
	);
	const record: IDataObject = Object.assign({}, ...parts.map(([, part]) => part));
	Object.assign(record, Object.fromEntries(rest));
	return ownNames(record, fields).length > 0 ? identified(record) : undefined;
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
	return entries.reduce<number>((most, entry) => {
		const record = readRecord(entry, resource) ?? {};
		return Math.max(most, ownNames(record, FIELDS[resource]).length);
	}, 0);
}
