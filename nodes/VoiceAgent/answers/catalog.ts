import type { IDataObject } from 'n8n-workflow';

import { DEEPEST_FIELD, fieldsIn, type Field } from '../matcher/fields';

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
 * Finds the entries of the catalog: arrays, or the fields of objects, that hold names. Groups, each
 * under a name of its own, are one catalog together.
 *
 * @param fields all fields outside of arrays, the body itself being one
 * @returns the entries, and the objects they are in; undefined where no list can be told
 */
export function catalogIn(fields: Field[]): { entries: unknown[]; holders: object[] } | undefined {
	// An API key has scopes (contract, section 2), which look much like event types.
	const arrays = fields
		.filter(({ name, value }) => Array.isArray(value) && name !== 'scopes')
		.map((field) => ({ ...field, entries: field.value as unknown[] }));
	const maps = fields
		.map((field) => ({ ...field, entries: entriesOfMap(fieldsOf(field.value)) }))
		.filter(({ entries }) => entries.length > 0);
	// A group's name is part of its names where that makes the one that the contract gives.
	const joined = arrays.find(({ name, entries }) =>
		entries.some((entry) => typeof entry === 'string' && KNOWN_NAME.test(`${name}.${entry}`)),
	);
	const lists = (maps.length > 0 ? maps : arrays).map(({ name, holders, entries }) => {
		const depth = holders.length;
		const isJoined = depth === joined?.holders.length;
		const all = entries.map((entry) =>
			isJoined && typeof entry === 'string' ? `${name}.${entry}` : entry,
		);
		const names = readEventTypes(all).map((type) => type.name);
		const isGroup = names.every((own) => own.toLowerCase().startsWith(name.toLowerCase()));
		const isKnown = names.some((own) => KNOWN_NAME.test(own));
		const isTold = names.length > 0 && (isGroup || names.some(isTelling));
		return { name, names, entries: all, isKnown, isTold, depth, holders };
	});
	const isUsual = ({ name }: Pick<Field, 'name'>) => USUAL_LIST.test(name);
	const known = lists.filter((list) => list.isKnown && isUsual(list));
	const told = lists.filter(({ isKnown, isTold }) => isKnown || isTold);
	// Plain words may be anything: of several lists of them, none is the catalog for sure.
	const named = lists.filter(({ names }) => names.length > 0);
	const outer = Math.min(...named.map(({ depth }) => depth));
	const usual = named.filter(isUsual);
	const outermost = named.filter(({ depth }) => depth === outer);
	const plain = [usual, outermost].find((some) => some.length === 1) ?? [];
	const chosen = [known, told, plain].find((some) => some.length > 0);
	return chosen?.[0] && { ...chosen[0], entries: chosen.flatMap(({ entries }) => entries) };
}

/** Reads the entries of the catalog, of which some may be groups of event types. */
export function readEventTypes(entries: unknown[]): EventType[] {
	// In the field that holds the one name that is known, the other entries have theirs.
	const field = fieldsIn(entries, () => true).find(
		({ name, value }) =>
			!/^\d+$/.test(name) && [value].flat().some((text) => KNOWN_NAME.test(textOf(text))),
	)?.name;
	return entries.flatMap((entry) => typesIn(entry, field));
}

/** Reads an event type: a text, or an object that holds its name. */
export function readEventType(entry: unknown, nameField?: string): EventType | undefined {
	const object = fieldsOf(entry);
	const candidates = Object.entries(object).flatMap(([field, value]) => {
		const text = textOf(value);
		const place = NAME_ENDINGS.findIndex((ending) => field.toLowerCase().endsWith(ending));
		if (!/^\S+$/.test(text) || (place < 0 && !isTelling(text))) return [];
		// A label begins with a capital letter.
		const weight = (isTelling(text) ? 0 : 200) + (/^[A-Z]/.test(text) ? 100 : 0);
		return [{ text, weight: weight + (place < 0 ? NAME_ENDINGS.length : place) }];
	});
	const [best] = candidates.sort((one, other) => one.weight - other.weight);
	const name = textOf(entry) || textOf(nameField && object[nameField]) || best?.text;
	if (!name) return undefined;
	const description = [object.description, object.summary].find((text) => typeof text === 'string');
	return { name, description: description as string | undefined };
}

function typesIn(entry: unknown, nameField: string | undefined, depth = 0): EventType[] {
	if (depth > DEEPEST_FIELD) return [];
	if (Array.isArray(entry)) return entry.flatMap((one) => typesIn(one, nameField, depth + 1));
	const fields = fieldsOf(entry);
	const there = nameField === undefined ? undefined : fields[nameField];
	if (Array.isArray(there)) return typesIn(there, nameField, depth + 1);
	const own = readEventType(entry, nameField);
	if (own && (isTelling(own.name) || there === own.name)) return [own];
	// What has a name of its own may be a group, which has an array; what has an ID, an envelope.
	const others = Object.entries(fields).filter(([name]) => name !== 'id' && name !== 'type');
	const isEnvelope = others.length === 1 && !Array.isArray(others[0]?.[1]);
	const isOpen = !own || isEnvelope || nameField !== undefined;
	const types = others
		.map(([, value]) => value)
		.filter((value) => typeof value === 'object' && (isOpen || Array.isArray(value)))
		.flatMap((value) => typesIn(value, nameField, depth + 1));
	const isHeld = isOpen ? types.length > 0 : types.some(({ name }) => isTelling(name));
	return own && !isHeld ? [own] : types;
}

/** The fields of an object whose names are event types, as entries; none where there are none. */
function entriesOfMap(object: IDataObject): unknown[] {
	const fields = Object.entries(object);
	const known = fields.find(([name]) => KNOWN_NAME.test(name));
	return fields
		.filter(([name, about]) => isTelling(name) || (known && typeof about === typeof known[1]))
		.map(([name, about]) => ({ description: about, ...fieldsOf(about), name }));
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function fieldsOf(value: unknown): IDataObject {
	return typeof value === 'object' && !Array.isArray(value) ? { ...(value as IDataObject) } : {};
}

/** Tells whether a text is what only names of event types are: `call.completed`, `call.*`, `*`. */
function isTelling(text: string): boolean {
	const hasParts = /^[\w:*/-]+(\.[\w:*/-]+)+$/.test(text) && /\.[a-z*]/i.test(text);
	return text === '*' || (hasParts && !text.includes('//'));
}
