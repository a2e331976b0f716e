import type { IDataObject } from 'n8n-workflow';

import type { Field } from './read';

/*
 * The contract shows neither what the catalog of event types stands in nor what its entries are, but
 * it gives one name (`call.completed`, section 6): a name is a text of such a form, wherever it stands.
 */

/** An event type of the catalog. */
export interface EventType {
	name: string;
	description?: string;
}

/** The one name that the contract gives, however it is spelled. */
const KNOWN_NAME = /^call[._:/-]completed$/i;

/** How the fields end that may hold a name, the likelier first: `event_name`, `slug`, … */
const NAME_ENDINGS = ['name', 'event', 'type', 'key', 'slug', 'value', 'code', 'id'];

/** What a list of event types may be called, beside what any list may be. */
const USUAL_LIST = /event|type|^(data|items|results?)$/i;

/**
 * Finds the entries of the catalog: of all arrays, and of all objects whose fields are names, those
 * that hold texts of the most telling form. Groups under names of their own are one catalog together.
 *
 * @param fields all fields outside of arrays, the body itself being one
 * @returns undefined where no list can be told
 */
export function readCatalog(fields: Field[]): unknown[] | undefined {
	const arrays = fields.flatMap(({ name, value, depth }) =>
		Array.isArray(value) ? [{ name, entries: value as unknown[], depth }] : [],
	);
	const maps = fields.flatMap(({ name, value, depth }) => {
		const names = Object.entries(fieldsOf(value)).filter(([key]) => isDotted(key));
		const entries = names.map(([key, about]) =>
			Array.isArray(about) ? key : { description: about, ...fieldsOf(about), name: key },
		);
		return entries.length > 0 ? [{ name, entries: entries as unknown[], depth }] : [];
	});
	// A group's name is part of its names where that makes the one that the contract gives.
	const join = (name: string, entry: unknown) =>
		typeof entry === 'string' ? `${name}.${entry}` : entry;
	const joined = arrays.find(({ name, entries }) =>
		entries.some((entry) => typeof entry === 'string' && KNOWN_NAME.test(`${name}.${entry}`)),
	);
	const lists = (maps.length > 0 ? maps : arrays).map(({ name, entries, depth }) => {
		const all = depth === joined?.depth ? entries.map((entry) => join(name, entry)) : entries;
		const names = all.flatMap(readEventTypes).map((type) => type.name);
		const hasParts = names.some((own) => /[:/_-]/.test(own));
		return {
			entries: all,
			form: names.some(isDotted) ? 3 : hasParts ? 2 : Math.min(names.length, 1),
			isUsual: USUAL_LIST.test(name),
			isKnown: names.some((own) => KNOWN_NAME.test(own)),
		};
	});
	const form = Math.max(0, ...lists.map((list) => list.form));
	const best = lists.filter((list) => list.form === form);
	const usual = best.filter(({ isUsual }) => isUsual);
	const isTold = form === 3 || best.some(({ isKnown }) => isKnown);
	const isInUsual = usual.some(({ isKnown }) => isKnown || !isTold);
	const chosen = isInUsual ? usual : best;
	// Plain words may be anything: of several lists of them, none is the catalog for sure.
	return isTold || chosen.length === 1 ? chosen.flatMap(({ entries }) => entries) : undefined;
}

/** Reads an entry of the catalog, which may be a group of event types. */
export function readEventTypes(entry: unknown): EventType[] {
	if (Array.isArray(entry)) return entry.flatMap(readEventTypes);
	const own = readEventType(entry);
	if (own && isDotted(own.name)) return [own];
	// The fields of what has a name say something of it, but for the arrays of a group.
	const held = Object.values(fieldsOf(entry)).filter((value) =>
		own ? Array.isArray(value) : typeof value === 'object',
	);
	const types = held.flatMap(readEventTypes);
	return own && !types.some(({ name }) => isDotted(name) || name === '*') ? [own] : types;
}

/** Reads an event type: a text, or an object that holds its name. */
export function readEventType(entry: unknown): EventType | undefined {
	if (typeof entry === 'string') return entry ? { name: entry } : undefined;
	const object = fieldsOf(entry);
	const candidates = Object.entries(object).flatMap(([field, text]) => {
		if (typeof text !== 'string' || !/^\S+$/.test(text)) return [];
		const place = NAME_ENDINGS.findIndex((ending) => field.toLowerCase().endsWith(ending));
		if (place < 0 && !isDotted(text)) return [];
		// A label begins with a capital letter.
		const weight = (isDotted(text) ? 0 : 200) + (/^[A-Z]/.test(text) ? 100 : 0);
		return [{ text, weight: weight + (place < 0 ? NAME_ENDINGS.length : place) }];
	});
	const [best] = candidates.sort((one, other) => one.weight - other.weight);
	if (!best) return undefined;
	const description = [object.description, object.summary].find((text) => typeof text === 'string');
	return { name: best.text, description: description as string | undefined };
}

function fieldsOf(value: unknown): IDataObject {
	return typeof value === 'object' && !Array.isArray(value) ? { ...(value as IDataObject) } : {};
}

/** Tells whether a text has parts, as the names of event types do: `call.completed`, `call.*`. */
function isDotted(text: string): boolean {
	return /^[\w:*/-]+(\.[\w:*/-]+)+$/.test(text) && /\.[a-z*]/i.test(text) && !text.includes('//');
}
