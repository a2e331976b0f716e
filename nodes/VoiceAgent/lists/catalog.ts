import { DEEPEST_FIELD, isNonEmpty, isObject } from '../text/json';

/*
 * The contract shows neither the envelope of the catalog nor its entries, but one name of an event type
 * (`call.completed`). The names of all event types stand in the same place as this name.
 */

/** A text that may be the name of an event type. */
type PlacedName = ReturnType<typeof placed>;

/** The contract's name in any spelling. */
export const KNOWN_NAME = /^call[._:/-]?completed$/i;

/** A form that only names of event types have: `chat.started`, `call.*`, `*` */
const DOTTED_NAME = /^(?!.*\/\/)(\*|[\w:*/-]+\.[a-z*][\w:*/.-]*)$/i;

/** A key that may be a name, rather than the name of a field. */
const NAME_IN_KEY = /[._:/*-]/;

/** The last letter of a group in the plural: `calls`. Names such as `events` are those of whole lists. */
const PLURAL_S = /(?<!^(event|item|type|name|topic|webhook))(?<=.)s$/;

/** Ends of the places of names in other forms, the surest first: `event_name`, a text in an array, an `id`. */
const NAME_PLACES = ['name', 'event', 'type', 'key', 'slug', 'value', 'code', '#', 'id'];

/**
 * Reads the event types of a catalog, or of an endpoint: texts, fields of objects, or keys, also in groups.
 * `[{ type: 'call.started' }, { type: 'call.completed' }]` → `call.started`, `call.completed`
 *
 * @returns the name of each event type once, with its description, if it has one
 */
export function readEventTypes(entries: unknown) {
	const all = namesIn(entries);
	const { place } = surestOf(all) ?? {};
	const firstOf = new Map<string, PlacedName>();
	for (const one of all) {
		if (one.place === place && !firstOf.has(one.name)) firstOf.set(one.name, one);
	}
	return [...firstOf.values()].map(({ name, named }) => {
		return { name, description: descriptionOf(named) };
	});
}

/** @returns how surely entries are event types, from 0 to 3 */
export function catalogConfidence(entries: unknown): number {
	const { name } = surestOf(namesIn(entries)) ?? {};
	if (name === undefined) return 0;
	if (KNOWN_NAME.test(name)) return 3;
	return DOTTED_NAME.test(name) ? 2 : 1;
}

/** Reads a catalog without a list: `{ 'call.completed': … }`, or groups such as `{ call: ['call.completed'] }` */
export function readCatalogMap(object: object) {
	const known = namesIn(object).find(({ name }) => KNOWN_NAME.test(name));
	return known?.place.startsWith('#') ? readEventTypes(object) : undefined;
}

/** Chooses by the contract's name. Of its places, the outermost counts: others may refer to event types. */
function surestOf(names: PlacedName[]): PlacedName | undefined {
	const endingIn = (end: string) => names.find(({ place }) => place.toLowerCase().endsWith(end));
	const byDepth = (one: PlacedName, other: PlacedName) => depthOf(one) - depthOf(other);
	return (
		names.filter(({ name }) => KNOWN_NAME.test(name)).toSorted(byDepth)[0] ??
		names.find(({ name }) => DOTTED_NAME.test(name)) ??
		NAME_PLACES.map(endingIn).find((name) => name !== undefined)
	);
}

const depthOf = ({ place }: PlacedName) => place.split('.').length;

function namesIn(holder: unknown, path: string[] = []): PlacedName[] {
	if (!isNonEmpty(holder) || path.length > DEEPEST_FIELD) return [];
	return Object.entries(holder).flatMap(([field, value]: [string, unknown]) => {
		// A pagination cursor is never a name.
		if (/cursor/i.test(field)) return [];
		const at = [...path, field];
		const own = NAME_IN_KEY.test(field) ? [placed(field, at, value)] : [];
		if (typeof value !== 'string') return [...own, ...namesIn(value, at)];
		return /^\S+$/.test(value) ? [...own, placed(value, at, holder)] : own;
	});
}

/**
 * Places a name by the fields that lead to it. An index, a field that the name begins with (also in the plural), and
 * the name as a key are `#`: `{ calls: [{ name: 'call.completed' }] }` → `#.#.name`
 *
 * @param named the object that it names: the value under a key, else the object or array that holds it
 */
function placed(name: string, path: string[], named: unknown) {
	const place = path.map((field, index) => {
		const group = field.toLowerCase().replace(PLURAL_S, '');
		const isGroup = index < path.length - 1 && name.toLowerCase().startsWith(group);
		return isGroup || field === name || /^\d+$/.test(field) ? '#' : field;
	});
	return { name, place: place.join('.'), named };
}

function descriptionOf(named: unknown): string | undefined {
	const { description, summary } = isObject(named) ? named : {};
	return [named, description, summary].find((text) => typeof text === 'string');
}
