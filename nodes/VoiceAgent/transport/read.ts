import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from './callbackUrl';

/*
 * The contract shows no envelopes ("not shown", sections 4 and 7), but it names fields. So what came
 * is known by its fields, wherever it stands and whatever the envelope around it is called. Names of
 * envelopes only break ties. What fits nothing is undefined: the caller's error shows what came.
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
const FIELDS: Record<Resource, string[]> = {
	apiKeys: ['key', 'prefix', 'scopes'],
	webhooks: ['url', 'events'],
	deliveries: [],
	eventTypes: [],
};

/** What breaks ties between lists: the thing's own name, then what an envelope is often called. */
const NAMED: Record<Resource, RegExp> = {
	apiKeys: /keys?$/i,
	webhooks: /webhook|endpoint|subscription/i,
	deliveries: /deliver|attempt/i,
	eventTypes: /event|type/i,
};
const ENVELOPE = /^(data|items|results?|records|entries)$/i;
const ASIDE = /^(errors|warnings|links|included)$/i;

/** Where an entry of the catalog has its name, the likelier first: `event_name`, `slug`, … */
const NAME_ENDINGS = ['name', 'event', 'type', 'key', 'slug', 'value', 'code', 'id'];
/** The one event type that the contract names (section 6), however it is spelled. */
const KNOWN_EVENT = /^call[._:/-]completed$/i;

const SECRET_NAME = /(secret|signing[_-]?key)$/i;
const MASK = /[*•●…]|\.\.|x{4}|X{4}/;
/** Deeper than any envelope: ends what is nested without end. */
const DEEPEST = 8;

/** A field of an answer, and how many objects it is in. */
export interface Field {
	name: string;
	value: unknown;
	depth: number;
}

/** A record out of whatever envelope. */
export type Identified = IDataObject & { id: string };

/** An endpoint as far as the connector needs it. */
export interface Endpoint {
	id: string;
	/** As the list shows it: its query may be masked or gone. Empty where it shows none. */
	url: string;
	/** The subscription as the list shows it; undefined where it shows none. */
	events?: string[];
	/** Whether the service says itself that it does not deliver to it. */
	isDisabled: boolean;
}

/** An event type of the catalog. */
export interface EventType {
	name: string;
	description?: string;
}

/** @returns true for a JSON object, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All fields of an answer, the outer ones first; those of the objects in arrays only where asked for. */
export function fieldsIn(body: unknown, intoArrays = false): Field[] {
	let fields: Field[] = [];
	let level = [body];
	for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
		const own = level
			.filter((value) => isObject(value) || (intoArrays && Array.isArray(value)))
			.flatMap((value) => Object.entries(value as object))
			.map(([name, value]: [string, unknown]) => ({ name, value, depth }));
		fields = fields.concat(own);
		level = own.map(({ value }) => value);
	}
	return fields;
}

/**
 * Finds the entries of a list: the array whose entries have the most of the contract's fields; of
 * several, that of the best name, then the outermost. Where no entry has such fields, the list is
 * empty if an array is, or a count is zero, or `null` stands in its place; else the only array is it.
 *
 * @returns undefined where no list can be told, as in `{}` or in what says that it failed
 */
export function readList(body: unknown, resource: Resource): unknown[] | undefined {
	if (body === null) return [];
	if (!(isObject(body) || Array.isArray(body)) || saysFailed(body) !== undefined) return undefined;
	if (resource === 'eventTypes') return readCatalog(body);
	if (Array.isArray(body)) return body;
	const fields = fieldsIn(body);
	const arrays = fields.flatMap(({ name, value, depth }) =>
		Array.isArray(value) && value.every(isObject) && !FIELDS[resource].includes(name)
			? [{ value, likeness: [fitOf(value, resource), rankOf(name, resource), -depth], name }]
			: [],
	);
	const told = arrays.filter(({ likeness: [fit] }) => fit);
	if (told.length > 0) return mostLike(told);
	const others = arrays.filter(({ name }) => !ASIDE.test(name));
	const held = others.filter(({ value }) => value.length > 0);
	const named = others.some(({ name, value }) => value.length === 0 && rankOf(name, resource) > 0);
	const mayHold = FIELDS[resource].length === 0 || held.length === others.length;
	if (held.length > 0 && mayHold && !named) return mostLike(held);
	return others.length > 0 || saysEmpty(fields, resource) ? [] : undefined;
}

/** Reads an entry of the list of endpoints. */
export function readEndpoint(entry: unknown): Endpoint | undefined {
	const record = readRecord(entry, 'webhooks');
	if (!record) return undefined;
	return {
		id: record.id,
		url: typeof record.url === 'string' ? record.url : '',
		events: readEvents(record),
		isDisabled: Object.entries(record).some(([name, value]) =>
			/^(is_?)?(enabled|active)$/i.test(name)
				? value === false
				: /^(is_?)?disabled$/i.test(name)
					? value === true
					: /^(status|state)$/i.test(name) && /^(disabled|paused|suspended)$/i.test(String(value)),
		),
	};
}

/**
 * Finds the record that has an `id` and the most of the contract's fields; of several, the outermost.
 * Its fields may stand one level below the `id` or above it. Where nothing has such fields, it is the
 * outermost object with an `id`.
 */
export function readRecord(
	body: unknown,
	resource: 'apiKeys' | 'webhooks',
): Identified | undefined {
	const fields = FIELDS[resource];
	const fit = (record: IDataObject) => fields.filter((name) => name in record).length;
	const objects = objectsIn(body);
	const records = objects.flatMap((object) => recordAt(object, fields) ?? []);
	const [first, ...others] = records;
	const best = others.reduce((a, b) => (a && fit(b) > fit(a) ? b : a), first);
	return best ?? objects.filter(hasId).map(identified)[0];
}

/**
 * Finds the endpoint that was just created: the record whose `url` is the one that was sent.
 *
 * @param url as it was sent
 * @returns the id; its URL as it is shown, which is undefined where the answer does not tie it to
 *   the id for sure, so that the list must confirm it; undefined where nothing has an id
 */
export function readCreatedEndpoint(
	body: unknown,
	url: string,
): { id: string; url?: string; events?: string[]; record: IDataObject } | undefined {
	const objects = objectsIn(body);
	const records = objects.flatMap((object) => {
		const record = recordAt(object, FIELDS.webhooks);
		const shown = record?.url;
		if (!record || typeof shown !== 'string' || !isSameAddress(shown, url)) return [];
		const isWhole = hasId(object) && object.url === shown;
		const isSure = isWhole || objects.filter(hasId).length === 1;
		return [{ record, isSure, isExact: new URL(shown).href === new URL(url).href, isWhole }];
	});
	const found =
		records.find(({ isExact, isWhole }) => isExact && isWhole) ??
		records.find(({ isWhole }) => isWhole) ??
		records[0];
	const record = found?.record ?? objects.filter(hasId).map(identified)[0];
	if (!record) return undefined;
	return {
		id: record.id,
		url: found?.isSure ? (found.record.url as string) : undefined,
		events: readEvents(record),
		record: { ...secretsIn(body), ...record },
	};
}

/**
 * Finds the value of an API key that was just created, and the record that it belongs to.
 *
 * @returns the record with the value as its `key`; undefined where no value can be found
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const texts = [{ name: '', value: body }, ...fieldsIn(body, true)].filter(
		(field): field is Field & { value: string } =>
			typeof field.value === 'string' && !MASK.test(field.value),
	);
	const prefixes = texts.flatMap(({ name, value }) => (name === 'prefix' ? value : []));
	const live = texts
		.map(({ value }) => value)
		.filter((value) => value.startsWith('svc_live_') && !prefixes.includes(value))
		.sort((a, b) => b.length - a.length);
	const key = live[0] ?? texts.find(({ name, value }) => name === 'key' && value)?.value;
	if (!key) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key);
	return { ...(Object.fromEntries(others) as IDataObject), key };
}

/** Reads an entry of the catalog, which may be a group of event types. */
export function readEventTypes(entry: unknown): EventType[] {
	if (Array.isArray(entry)) return entry.flatMap(readEventTypes);
	const own = eventTypeOf(entry);
	if (!isObject(entry) || (own && isDotted(own.name))) return own ? [own] : [];
	const held = Object.values(entry).filter((value) => (own ? Array.isArray(value) : true));
	const types = held.filter((value) => typeof value === 'object').flatMap(readEventTypes);
	// What has a name of its own is only a group of what is named more fully.
	return own && !types.some(({ name }) => isDotted(name)) ? [own] : types;
}

/** Reads the signing secret that creating an endpoint may return, wherever it stands. */
export function readSigningSecret(body: unknown): string | undefined {
	const secrets = Object.values(secretsIn(body));
	return secrets.find((secret) => secret.startsWith('whsec_')) ?? secrets[0];
}

/** @returns a copy of a record in which signing secrets, wherever they stand, are `***` */
export function hideSigningSecrets(record: IDataObject): IDataObject {
	const hide = (name: string, value: unknown) => (isSecret(name, value) ? '***' : value);
	return JSON.parse(JSON.stringify(record, hide)) as IDataObject;
}

/**
 * Tells whether the body of a success says at its top level that it failed. Not to be asked of the
 * answer to a test event, which reports on a delivery.
 *
 * @returns what it says of the failure
 */
export function saysFailed(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const isSaid = ({ ok, success }: IDataObject) => ok === false || success === false;
	const errors = [body.error, body.errors].filter((error) =>
		typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : error,
	);
	if (!isSaid(body) && errors.length === 0) return undefined;
	return messageIn(body) ?? beginning(JSON.stringify(body));
}

/** Finds what an answer says of an error, in JSON of any of the usual shapes, HTML or text. */
export function readErrorMessage(text: string): string {
	const found = isHtml(text) ? /<title[^>]*>([^<]+)/i.exec(text)?.[1] : messageIn(parseJson(text));
	return beginning(found ?? text);
}

/** @returns true for a page that a person should see, which an API does not send */
export function isHtml(text: string): boolean {
	return /^\s*<(!doctype|html|head|body)/i.test(text);
}

/** @returns the JSON value, or undefined */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** The first characters of a text on one line, for an error that shows what came. */
export function beginning(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Merges what belongs to one record: the object with the `id`, and the fields one level off. */
function recordAt(object: IDataObject, fields: string[]): Identified | undefined {
	const holds = (place: IDataObject) => fields.some((name) => name in place);
	const below = Object.entries(object).filter((entry): entry is [string, IDataObject] =>
		isObject(entry[1]),
	);
	const parts = below.filter(([, part]) =>
		hasId(object)
			? !hasId(part) && fields.some((name) => name in part && !(name in object))
			: hasId(part) && !holds(part),
	);
	if (!hasId(object) && (!holds(object) || parts.length !== 1)) return undefined;
	const rest = Object.entries(object).filter(([name]) => !parts.some(([part]) => part === name));
	const record = Object.assign({}, ...parts.map(([, part]) => part), Object.fromEntries(rest));
	return holds(record as IDataObject) ? identified(record as IDataObject) : undefined;
}

/** What tells an entry of a list from the others: its id, or all of it. */
export function idOf(entry: unknown, resource: Resource): string {
	const record =
		resource === 'apiKeys' || resource === 'webhooks' ? readRecord(entry, resource) : undefined;
	return record?.id ?? JSON.stringify(entry);
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}

function identified(record: IDataObject): Identified {
	return { ...record, id: String(record.id) };
}

function objectsIn(body: unknown): IDataObject[] {
	return [body, ...fieldsIn(body, true).map(({ value }) => value)].filter(isObject);
}

function fitOf(entries: unknown[], resource: Resource): number {
	if (resource !== 'apiKeys' && resource !== 'webhooks') return 0;
	const fits = entries.map((entry) => {
		const record = readRecord(entry, resource) ?? {};
		return FIELDS[resource].filter((name) => name in record).length;
	});
	return fits.reduce((a, b) => Math.max(a, b), 0);
}

function rankOf(name: string, resource: Resource): number {
	return NAMED[resource].test(name) ? 2 : ENVELOPE.test(name) ? 1 : 0;
}

/** @returns the list that is more like it than all others, or undefined where two are alike */
function mostLike(lists: Array<{ value: unknown[]; likeness: number[] }>): unknown[] | undefined {
	const compare = (a: number[], b: number[]) =>
		b.map((part, index) => part - (a[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
	const [first, second] = lists.sort((a, b) => compare(a.likeness, b.likeness));
	return second && first && compare(first.likeness, second.likeness) === 0
		? undefined
		: first?.value;
}

function saysEmpty(fields: Field[], resource: Resource): boolean {
	return fields.some(({ name, value }) =>
		value === null
			? fields.length === 1 || rankOf(name, resource) > 0
			: isTotal(name) && String(value) === '0',
	);
}

/** Tells whether a field counts the entries of a list: `total`, `totalItems`, `x-total-count`, … */
export function isTotal(name: string): boolean {
	return /^x?(total)?(count|items|results|records|entries|elements|hits)?(count|total)?$/.test(
		name.toLowerCase().replace(/[^a-z]/g, ''),
	);
}

function readCatalog(body: unknown): unknown[] | undefined {
	const fields = fieldsIn({ '': body });
	const arrays = fields.flatMap(({ name, value }) =>
		Array.isArray(value) ? [{ name, entries: value as unknown[] }] : [],
	);
	const maps = fields.flatMap(({ name, value }) => {
		const entries = Object.entries(isObject(value) ? value : {})
			.filter(([key]) => isDotted(key))
			.map(([key, about]) => ({
				...(isObject(about) ? about : { description: about }),
				name: key,
			}));
		return entries.length > 0 ? [{ name, entries: entries as unknown[] }] : [];
	});
	// A group's name is part of its event types' where that makes the one that the contract names.
	const isJoined = arrays.some(({ name, entries }) =>
		entries.some((entry) => KNOWN_EVENT.test(`${name}.${String(entry)}`)),
	);
	const lists = (maps.length > 0 ? maps : arrays).map(({ name, entries }) => {
		const joined = isJoined ? entries.map((entry) => `${name}.${String(entry)}`) : entries;
		const names = joined.flatMap(readEventTypes).map((type) => type.name);
		const fit = names.some(isDotted)
			? 3
			: names.some((own) => /[:/_-]/.test(own))
				? 2
				: names.length && 1;
		const isKnown = names.some((own) => KNOWN_EVENT.test(own));
		return { entries: joined, fit, isKnown, rank: rankOf(name, 'eventTypes'), isRoot: name === '' };
	});
	const fit = Math.max(...lists.map((list) => list.fit), 0);
	if (fit === 0) {
		return saysEmpty(fields, 'eventTypes') || lists.some(({ entries }) => entries.length === 0)
			? []
			: lists[0]?.entries;
	}
	const top = lists.filter((list) => list.fit === fit);
	const rank = Math.max(...top.map((list) => list.rank));
	const named = top.filter((list) => list.rank === rank);
	const isTold = fit === 3 || top.some(({ isKnown }) => isKnown);
	// Groups under names of their own are one catalog; a list of a usual name is all of it.
	const chosen = named.some(({ isKnown }) => isKnown) || !isTold ? named : top;
	return isTold || chosen.length === 1 ? chosen.flatMap(({ entries }) => entries) : undefined;
}

function eventTypeOf(entry: unknown): EventType | undefined {
	if (typeof entry === 'string') return entry ? { name: entry } : undefined;
	if (!isObject(entry)) return undefined;
	const names = Object.entries(entry).flatMap(([field, value]) => {
		if (typeof value !== 'string' || !/^\S+$/.test(value)) return [];
		const place = NAME_ENDINGS.findIndex((ending) => field.toLowerCase().endsWith(ending));
		if (place < 0 && !isDotted(value)) return [];
		// A label begins with a capital letter.
		const likeness = [isDotted(value), /^[^A-Z]/.test(value)].map(Number);
		return [{ value: [value], likeness: [...likeness, place < 0 ? -NAME_ENDINGS.length : -place] }];
	});
	const name = mostLike(names)?.[0] as string | undefined;
	if (!name) return undefined;
	const description = [entry.description, entry.summary].find((text) => typeof text === 'string');
	return { name, description: description as string | undefined };
}

function readEvents({ events }: IDataObject): string[] | undefined {
	return Array.isArray(events)
		? events.flatMap((event) => eventTypeOf(event)?.name ?? [])
		: undefined;
}

/** Tells whether a text has parts, as the names of event types do: `call.completed`, `call.*`. */
function isDotted(text: string): boolean {
	return /^[\w:*/-]+(\.[\w:*/-]+)+$/.test(text) && /\.[a-z*]/i.test(text) && !text.includes('//');
}

function secretsIn(body: unknown): Record<string, string> {
	const secrets = fieldsIn(body, true)
		.filter(({ name, value }) => isSecret(name, value) && !MASK.test(value as string))
		.map(({ name, value }): [string, string] => [name, value as string]);
	return Object.fromEntries(secrets.reverse());
}

function isSecret(name: string, value: unknown): boolean {
	return (
		typeof value === 'string' &&
		value !== '' &&
		(SECRET_NAME.test(name) || value.startsWith('whsec_'))
	);
}

function messageIn(body: unknown, depth = 0): string | undefined {
	if (typeof body === 'string') return body;
	if (depth > 4) return undefined;
	if (Array.isArray(body)) {
		const messages = body.map((entry) => messageIn(entry, depth + 1));
		return messages.filter(Boolean).join('; ') || undefined;
	}
	if (!isObject(body)) return undefined;
	for (const key of ['message', 'error', 'detail', 'title', 'errors']) {
		const message = messageIn(body[key], depth + 1);
		if (message) return message;
	}
	return undefined;
}
