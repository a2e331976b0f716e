import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from './callbackUrl';
import { readCatalog, readEventType } from './catalog';
import { DEEPEST, fieldsIn } from './fields';
import { looksMasked } from './secrets';

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

/** An endpoint as far as the connector needs it. */
export interface Endpoint {
	id: string;
	/** As the list shows it: its query may be masked or gone. Empty where it shows none. */
	url: string;
	/** The subscription as the list shows it; undefined where it shows none. */
	events?: string[];
	/** Whether the service says itself that it delivers nothing to it. */
	isDisabled: boolean;
}

/** A record out of whatever envelope. */
export type Identified = IDataObject & { id: string };

/** @returns true for a JSON object, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the JSON value, or undefined */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * Finds the entries of a list: the array whose entries have the most of the contract's fields; of
 * several, that of the best name, then the outermost. Where none has such fields, the list is empty
 * if an array is, or a count is zero, or `null` stands in its place; else the only array is the list.
 *
 * @returns undefined where no list can be told, as in `{}`
 */
export function readList(body: unknown, resource: Resource): unknown[] | undefined {
	if (body === null) return [];
	const fields = fieldsIn({ '': body });
	const catalog = resource === 'eventTypes' ? readCatalog(fields) : undefined;
	if (catalog) return catalog;
	if (Array.isArray(body)) return body;

	const rankOf = (name: string) =>
		OWN_NAMES[resource].test(name) ? 2 : ENVELOPE.test(name) ? 1 : 0;
	const arrays = fields.flatMap(({ name, value, depth }) =>
		Array.isArray(value) && value.every(isObject) && !FIELDS[resource].includes(name)
			? [{ name, value, rank: rankOf(name), depth, fit: fitOf(value, resource) }]
			: [],
	);
	const best = (lists: typeof arrays) => {
		const worth = ({ fit, rank, depth }: (typeof arrays)[number]) =>
			(fit * 3 + rank) * DEEPEST * 2 - depth;
		const most = Math.max(...lists.map(worth));
		const [list, ...alike] = lists.filter((one) => worth(one) === most);
		return alike.length === 0 ? list?.value : undefined;
	};
	const told = arrays.filter(({ fit }) => fit > 0);
	if (told.length > 0) return best(told);

	const others = arrays.filter(({ name }) => !ASIDE.test(name));
	const filled = others.filter(({ value }) => value.length > 0);
	const isFieldless = FIELDS[resource].length === 0 || filled.length === others.length;
	const top = Math.max(...others.map(({ rank }) => rank));
	const isEmpty = fields.some(({ name, value }) =>
		value === null
			? fields.length === 2 || rankOf(name) > 0
			: isTotal(name) && String(value) === '0',
	);
	const isHeld = filled.some(({ rank }) => rank === top && (rank > 0 || !isEmpty));
	if (isFieldless && isHeld) return best(filled);
	return others.length > 0 || isEmpty ? [] : undefined;
}

/**
 * Finds the record with an `id` and the most of the contract's fields; of several, the outermost. Where
 * nothing has such fields, it is the outermost object with an `id`.
 */
export function readRecord(body: unknown, resource: Resource): Identified | undefined {
	const objects = objectsIn(body);
	const fit = (record: IDataObject) => namesIn(record, FIELDS[resource]).length;
	const records = objects
		.map((object) => recordAt(object, FIELDS[resource]))
		.filter((record) => record !== undefined);
	const most = records.map(fit).reduce((one, other) => Math.max(one, other), 0);
	const best = records.find((record) => fit(record) === most) ?? objects.find(hasId);
	return best && { ...best, id: String(best.id) };
}

/** What tells an entry of a list from the others: its `id`, or all of it. */
export function identityOf(entry: unknown, resource: Resource): string {
	// A delivery's id may be the same for each of its attempts.
	const record = FIELDS[resource].length > 0 ? readRecord(entry, resource) : undefined;
	return record?.id ?? JSON.stringify(entry);
}

/** Reads an entry of the list of endpoints. */
export function readEndpoint(entry: unknown): Endpoint | undefined {
	const record = readRecord(entry, 'webhooks');
	if (!record) return undefined;
	const isDisabled = Object.entries(record).some(([name, value]) => {
		if (/^(is_?)?(enabled|active)$/i.test(name)) return value === false;
		if (/^(is_?)?disabled$/i.test(name)) return value === true;
		return /^(status|state)$/i.test(name) && /^(disabled|paused|suspended)$/i.test(String(value));
	});
	const url = typeof record.url === 'string' ? record.url : '';
	const events = Array.isArray(record.events)
		? record.events.flatMap((event) => readEventType(event)?.name ?? [])
		: undefined;
	return { id: record.id, url, events, isDisabled };
}

/**
 * Finds the endpoint that was just created: the record whose `url` is the one that was sent.
 *
 * @param url as it was sent
 * @returns its id and its URL as it is shown; no URL where the answer does not tie it to the id for
 *   sure, so that the list has to confirm it; undefined where nothing has an id
 */
export function readCreatedEndpoint(
	body: unknown,
	url: string,
): { id: string; url?: string; events?: string[]; record: IDataObject } | undefined {
	const objects = objectsIn(body);
	const isOnly = objects.filter(hasId).length === 1;
	const records = objects.flatMap((object) => {
		const record = recordAt(object, FIELDS.webhooks);
		const shown = record?.url;
		if (!record || typeof shown !== 'string' || !isSameAddress(shown, url)) return [];
		const isWhole = hasId(object) && object.url === shown;
		const isExact = new URL(shown).href === new URL(url).href;
		return [{ record, isSure: isWhole || isOnly, likeness: Number(isWhole) * 2 + Number(isExact) }];
	});
	const [found] = records.sort((one, other) => other.likeness - one.likeness);
	const record = readRecord(found?.record ?? body, 'webhooks');
	if (!record) return undefined;
	const endpoint = readEndpoint(record);
	return {
		id: record.id,
		url: found?.isSure ? endpoint?.url : undefined,
		events: endpoint?.events,
		record,
	};
}

/**
 * Finds the value of an API key that was just created: what begins like one (contract, section 2) and
 * is no prefix or mask of it, else what is called `key`.
 *
 * @returns its record, with the value as `key` wherever it stood; undefined where there is no value
 */
export function readApiKey(body: unknown): (IDataObject & { key: string }) | undefined {
	const texts = textsIn(body);
	const prefixes = texts.flatMap(({ name, value }) => (name === 'prefix' ? value : []));
	const [key] = texts
		.filter(({ value }) => value.startsWith('svc_live_') && !prefixes.includes(value))
		.sort((one, other) => other.value.length - one.value.length)
		.concat(texts.filter(({ name }) => name === 'key'));
	if (!key) return undefined;
	const record = readRecord(body, 'apiKeys') ?? (isObject(body) ? body : {});
	const others = Object.entries(record).filter(([, value]) => value !== key.value);
	return { ...Object.fromEntries(others), key: key.value };
}

/** Reads the signing secret that creating an endpoint may return, wherever it stands. */
export function readSigningSecret(body: unknown): string | undefined {
	const secrets = textsIn(body)
		.filter(
			({ name, value }) => /(secret|signing[_-]?key)$/i.test(name) || value.startsWith('whsec_'),
		)
		.map(({ value }) => value);
	return secrets.find((secret) => secret.startsWith('whsec_')) ?? secrets[0];
}

/** Tells whether a field counts the entries of a list: `total`, `totalItems`, `x-total-count`, … */
export function isTotal(name: string): boolean {
	const plain = name.toLowerCase().replace(/[^a-z]|^x-/g, '');
	return (
		/^(total)?(count|items|results|records|entries|elements|hits)?(count|total)?$/.test(plain) &&
		plain !== ''
	);
}

/** Merges what belongs to one record: the fields may stand one level below its `id`, or above it. */
function recordAt(object: IDataObject, fields: string[]): IDataObject | undefined {
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
	return namesIn(record, fields).length > 0 ? record : undefined;
}

function hasId({ id }: IDataObject): boolean {
	return (typeof id === 'string' && id !== '') || typeof id === 'number';
}

function namesIn(object: IDataObject, names: string[]): string[] {
	return names.filter((name) => Object.hasOwn(object, name));
}

function objectsIn(body: unknown): IDataObject[] {
	return [body, ...fieldsIn(body, true).map(({ value }) => value)].filter(isObject);
}

/** All texts of an answer, the body itself included, but for empty ones and masks. */
function textsIn(body: unknown): Array<{ name: string; value: string }> {
	return [{ name: '', value: body }, ...fieldsIn(body, true)].flatMap(({ name, value }) =>
		typeof value === 'string' && value && !looksMasked(value) ? [{ name, value }] : [],
	);
}

/** How many of the contract's fields the entries have. */
function fitOf(entries: unknown[], resource: Resource): number {
	const fits = entries.map(
		(entry) => namesIn(readRecord(entry, resource) ?? {}, FIELDS[resource]).length,
	);
	return fits.reduce((most, fit) => Math.max(most, fit), 0);
}
