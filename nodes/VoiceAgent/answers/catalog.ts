import type { IDataObject } from 'n8n-workflow';

import { chooseFirst } from '../matcher/choose';
import { DEEPEST_FIELD, fieldsIn, type Field } from '../matcher/fields';

/*
 * The contract shows neither the envelope of the catalog nor its entries, but one name of an event type
 * (`call.completed`, section 6). A text of the same form is a name in any place.
 */

/** An event type of the catalog. */
export interface CatalogEntry {
	name: string;
	description?: string;
}

/** The contract's name in any spelling. */
const KNOWN_NAME = /^call[._:/-]completed$/i;

/** Last words of the fields that may hold a name, the surest first: `event_name`, `slug`. */
const NAME_ENDINGS = ['name', 'event', 'type', 'key', 'slug', 'value', 'code', 'id'];

/** Names of a list of event types, and of any list. */
const USUAL_LIST = /event|type|^(data|items|results?)$/i;

/**
 * Finds the entries of the catalog: arrays, or maps, that hold names. Groups with names of their own
 * are one catalog: `{ call: ['call.started'], chat: ['chat.started'] }` → both
 *
 * @param fields all fields outside of arrays; the body itself is the first
 * @returns the entries and the objects that hold them; undefined for an answer without a list
 */
export function catalogIn(fields: Field[]): { entries: unknown[]; holders: object[] } | undefined {
	// Scopes of an API key (contract, section 2) look like event types.
	const arrays = fields
		.filter(({ name, value }) => Array.isArray(value) && name !== 'scopes')
		.map((field) => ({ ...field, entries: field.value as unknown[] }));
	const maps = fields
		.map((field) => ({ ...field, entries: entriesOfMap(objectOf(field.value)) }))
		.filter(({ entries }) => entries.length > 0);
	// `{ call: ['completed'] }` → `call.completed`
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
		const isSure = names.length > 0 && (isGroup || names.some(isDotted));
		return { name, names, entries: all, isKnown, isSure, depth, holders };
	});
	const isUsual = ({ name }: Pick<Field, 'name'>) => USUAL_LIST.test(name);
	const known = lists.filter((list) => list.isKnown && isUsual(list));
	const sure = lists.filter(({ isKnown, isSure }) => isKnown || isSure);
	// Plain words may be anything, so two lists of plain words contradict each other.
	const named = lists.filter(({ names }) => names.length > 0);
	const outer = Math.min(...named.map(({ depth }) => depth));
	const usual = named.filter(isUsual);
	const outermost = named.filter(({ depth }) => depth === outer);
	const plain = [usual, outermost].find((some) => some.length === 1) ?? [];
	const chosen = [known, sure, plain].find((some) => some.length > 0);
	return chosen?.[0] && { ...chosen[0], entries: chosen.flatMap(({ entries }) => entries) };
}

/** Reads the entries of the catalog, and of the groups in it. */
export function readEventTypes(entries: unknown[]): CatalogEntry[] {
	// The field with the contract's name, `call.completed`, holds the names of all entries.
	const field = fieldsIn(entries, () => true).find(
		({ name, value }) =>
			!/^\d+$/.test(name) && [value].flat().some((text) => KNOWN_NAME.test(stringOf(text))),
	)?.name;
	return entries.flatMap((entry) => typesIn(entry, field));
}

/** Reads an event type: a text, or an object with its name. */
export function readEventType(entry: unknown, nameField?: string): CatalogEntry | undefined {
	const object = objectOf(entry);
	const candidates = Object.entries(object).flatMap(([field, value]) => {
		const text = stringOf(value);
		const rank = NAME_ENDINGS.findIndex((ending) => field.toLowerCase().endsWith(ending));
		if (!/^\S+$/.test(text) || (rank < 0 && !isDotted(text))) return [];
		// A text with a capital letter may be a label, so its confidence is lower.
		const confidence = (isDotted(text) ? 200 : 0) - (/^[A-Z]/.test(text) ? 100 : 0);
		return { text, confidence: confidence - (rank < 0 ? NAME_ENDINGS.length : rank) };
	});
	const surest = chooseFirst(candidates, ({ text }) => text);
	const name = stringOf(entry) || stringOf(nameField && object[nameField]) || surest;
	if (!name) return undefined;
	const description = [object.description, object.summary].find((text) => typeof text === 'string');
	return { name, description: description as string | undefined };
}

function typesIn(entry: unknown, nameField: string | undefined, depth = 0): CatalogEntry[] {
	if (depth > DEEPEST_FIELD) return [];
	if (Array.isArray(entry)) return entry.flatMap((one) => typesIn(one, nameField, depth + 1));
	const fields = objectOf(entry);
	const named = nameField === undefined ? undefined : fields[nameField];
	if (Array.isArray(named)) return typesIn(named, nameField, depth + 1);
	const own = readEventType(entry, nameField);
	if (own && (isDotted(own.name) || named === own.name)) return [own];
	// An entry with a name and an array may be a group; an entry with an ID, an envelope.
	const others = Object.entries(fields).filter(([name]) => name !== 'id' && name !== 'type');
	const isEnvelope = others.length === 1 && !Array.isArray(others[0]?.[1]);
	const isOpen = !own || isEnvelope || nameField !== undefined;
	const types = others
		.map(([, value]) => value)
		.filter((value) => typeof value === 'object' && (isOpen || Array.isArray(value)))
		.flatMap((value) => typesIn(value, nameField, depth + 1));
	const isHeld = isOpen ? types.length > 0 : types.some(({ name }) => isDotted(name));
	return own && !isHeld ? [own] : types;
}

/** The entries of a map by event types: `{ 'call.started': 'A call began' }` */
function entriesOfMap(object: IDataObject): unknown[] {
	const fields = Object.entries(object);
	const known = fields.find(([name]) => KNOWN_NAME.test(name));
	return fields
		.filter(([name, about]) => isDotted(name) || (known && typeof about === typeof known[1]))
		.map(([name, about]) => ({ description: about, ...objectOf(about), name }));
}

function stringOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function objectOf(value: unknown): IDataObject {
	return typeof value === 'object' && !Array.isArray(value) ? { ...(value as IDataObject) } : {};
}

/** @returns true for a text in a form that only names of event types have: `call.completed`, `call.*`, `*` */
function isDotted(text: string): boolean {
	const hasParts = /^[\w:*/-]+(\.[\w:*/-]+)+$/.test(text) && /\.[a-z*]/i.test(text);
	return text === '*' || (hasParts && !text.includes('//'));
}
