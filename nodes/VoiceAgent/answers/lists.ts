import type { IDataObject } from 'n8n-workflow';

import { catalogIn } from './catalog';
import { DEEPEST_FIELD, fieldsIn, isObject, isTotal, type Field } from '../matcher/fields';

/*
 * The contract shows no envelopes ("not shown", section 4), but it names fields: what came is known by
 * its fields, wherever it stands. Names of envelopes only break ties. What fits nothing is undefined,
 * which the caller turns into an error that shows what came.
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

/** The fields that show what has an `id` to be one of these (contract, section 2). */
const FIELDS = {
	apiKeys: ['key', 'prefix', 'scopes'],
	webhooks: ['url', 'events'],
	deliveries: [],
	eventTypes: [],
} as Record<Resource, string[]>;

/** What breaks ties: the list's own name, then what an envelope is often called. */
const OWN_NAMES: Record<Resource, RegExp> = {
	apiKeys: /keys?$/i,
	webhooks: /webhook|endpoint/i,
	deliveries: /deliver|attempt/i,
	eventTypes: /event|type/i,
};
const ENVELOPE = /^(data|items|results?|records|entries)$/i;
/** What may stand beside a list, and is empty for most of the time. */
const ASIDE = /^(errors|warnings|links|included)$/i;

/** A list as an answer holds it. */
export interface List {
	entries: unknown[];
	/** The objects that it is in, the outermost first: paging is told there. */
	holders: object[];
}

/** A record out of whatever envelope. */
export type Identified = IDataObject & { id: string };

/** A record as it was found. */
export interface Found {
	record: Identified;
	/** Whether its `id` stands beside its fields, and whether it is the only one of the answer. */
	isWhole: boolean;
	isOnly: boolean;
}

/**
 * Finds a list: the array, or the map by ids, whose entries have the most of the contract's fields; of
 * several, that of the best name, then the outermost. Where none has such fields, the list is empty
 * if an array is, or a count is zero, or `null` or an empty map stands in its place; else the only
 * array is the list.
 *
 * `{ "wh_1": { "id": "wh_1", "url": … } }` → `[{ "id": "wh_1", "url": … }]`
 *
 * @returns undefined where no list can be told, as in `{ "status": "ok" }`
 */
export function readList(body: unknown, resource: Resource): List | undefined {
	if (body === null) return { entries: [], holders: [] };
	const fields = fieldsIn({ '': body });
	const list =
		(resource === 'eventTypes' ? catalogIn(fields) : undefined) ??
		(Array.isArray(body) ? { entries: body, holders: [] } : listIn(fields, resource));
	return list && { ...list, entries: list.entries.map((entry) => unwrapped(entry, resource)) };
}

function listIn(fields: Field[], resource: Resource): List | undefined {
	const maps = new Set(fields.map(({ value }) => value).filter(isMapByIds));
	const rankOf = (name: string) =>
		OWN_NAMES[resource].test(name) ? 2 : ENVELOPE.test(name) ? 1 : 0;
	const lists = fields.flatMap(({ name, value, holders }) => {
		const entries = maps.has(value) ? Object.values(value as object) : value;
		const isList = Array.isArray(entries) && entries.every(isObject);
		const isOfEntry = FIELDS[resource].includes(name) || holders.some((outer) => maps.has(outer));
		if (!isList || isOfEntry) return [];
		return [{ name, entries, holders, rank: rankOf(name), fit: fitOf(entries, resource) }];
	});
	const best = (some: typeof lists) => {
		const worth = ({ fit, rank, holders }: (typeof lists)[number]) =>
			(fit * 3 + rank) * DEEPEST_FIELD * 2 - holders.length;
		const most = Math.max(...some.map(worth));
		const [list, ...alike] = some.filter((one) => worth(one) === most);
		return alike.length === 0 ? list : undefined;
	};
	const told = lists.filter(({ fit }) => fit > 0);
	if (told.length > 0) return best(told);

	const others = lists.filter(({ name }) => !ASIDE.test(name));
	const filled = others.filter(({ entries }) => entries.length > 0);
	const isFieldless = FIELDS[resource].length === 0 || filled.length === others.length;
	const top = Math.max(...others.map(({ rank }) => rank));
	const empty = fields.find(({ name, value }) => {
		// No catalog is an empty map.
		const isMap = isObject(value) && resource !== 'eventTypes';
		const isNothing = value === null || (isMap && Object.keys(value).length === 0);
		if (isNothing) return fields.length <= 2 || rankOf(name) > 0;
		return isTotal(name) && String(value) === '0';
	});
	const isHeld = filled.some(({ rank }) => rank === top && (rank > 0 || !empty));
	if (isFieldless && isHeld) return best(filled);
	const { holders } = others[0] ?? empty ?? {};
	return holders && { entries: [], holders };
}

/** Tells whether a value is an object of objects, each under its own `id`. */
function isMapByIds(value: unknown): boolean {
	const entries = isObject(value) ? Object.entries(value) : [];
	return (
		entries.length > 0 && entries.every(([id, entry]) => isObject(entry) && String(entry.id) === id)
	);
}

/** Takes an entry out of what is nothing but an envelope: `{ "cursor": "abc", "node": { … } }` */
function unwrapped(entry: unknown, resource: Resource): unknown {
	const fields = isObject(entry) ? Object.entries(entry) : [];
	const [inner, ...others] = fields.filter(([name]) => !/^(cursor|__typename)$/.test(name));
	// An entry of the catalog may have a name as the only key.
	const isEnvelope = resource !== 'eventTypes' || inner?.[0] === 'node';
	return inner && others.length === 0 && isObject(inner[1]) && isEnvelope ? inner[1] : entry;
}

/** All records of an answer, the outer ones first. */
export function recordsIn(body: unknown, resource: Resource): Found[] {
	const objects = objectsIn(body);
	const isOnly = objects.filter(hasId).length === 1;
	return objects.flatMap((object) => {
		const own = namesIn(object, FIELDS[resource]).length;
		const record = recordAt(object, FIELDS[resource]);
		return record ? [{ record, isWhole: hasId(object) && own > 0, isOnly }] : [];
	});
}

/**
 * Finds the record with an `id` and the most of the contract's fields; of several, the outermost. Where
 * nothing has such fields, it is the outermost object with an `id`.
 */
export function readRecord(body: unknown, resource: Resource): Identified | undefined {
	const fits = recordsIn(body, resource).map(({ record }) => ({
		record,
		fit: namesIn(record, FIELDS[resource]).length,
	}));
	const most = fits.reduce((fit, one) => Math.max(fit, one.fit), 0);
	const plain = fits.length > 0 ? undefined : objectsIn(body).find(hasId);
	return fits.find(({ fit }) => fit === most)?.record ?? (plain && identified(plain));
}

/** Merges what belongs to one record: the fields may stand one level below its `id`, or above it. */
function recordAt(object: IDataObject, fields: string[]): Identified | undefined {
	const parts = Object.entries(object).filter((entry): entry is [string, IDataObject] => {
		const part = entry[1];
		if (!isObject(part)) return false;
		const names = namesIn(part, fields);
		return hasId(object)
			? !hasId(part) && names.some((name) => !(name in object))
			: hasId(part) && names.length === 0;
	});
	// Which of several ids would be its own can't be told.
	if (!hasId(object) && parts.length !== 1) return undefined;
	const rest = Object.entries(object).filter(
		([, value]) => !parts.some(([, part]) => part === value),
	);
	const record: IDataObject = Object.assign({}, ...parts.map(([, part]) => part));
	Object.assign(record, Object.fromEntries(rest));
	return namesIn(record, fields).length > 0 ? identified(record) : undefined;
}

function identified(record: IDataObject): Identified {
	return { ...record, id: String(record.id) };
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}

function namesIn(object: IDataObject, names: string[]): string[] {
	return names.filter((name) => Object.hasOwn(object, name));
}

function objectsIn(body: unknown): IDataObject[] {
	return [body, ...fieldsIn(body, () => true).map(({ value }) => value)].filter(isObject);
}

/** How many of the contract's fields the entries have. */
function fitOf(entries: unknown[], resource: Resource): number {
	const records = entries.map((entry) => readRecord(entry, resource) ?? {});
	const fits = records.map((record) => namesIn(record, FIELDS[resource]).length);
	return fits.reduce((most, fit) => Math.max(most, fit), 0);
}
