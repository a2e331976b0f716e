import type { IDataObject } from 'n8n-workflow';

/*
 * The contract shows no envelope for lists, records, errors or the catalog ("not shown", sections
 * 4 and 7). Every reading of it is accepted here and nowhere else; what fits none is undefined,
 * which the caller turns into an error that shows what came.
 */

/** The lists of the service, by the names that their envelope may give them. */
export type Resource = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

/** The lists in words for the user. */
export const LIST_NAMES: Record<Resource, string> = {
	apiKeys: 'API keys',
	webhooks: 'webhooks',
	deliveries: 'deliveries',
	eventTypes: 'event types',
};

const LIST_KEYS: Record<Resource, string[]> = {
	apiKeys: ['apiKeys', 'api_keys', 'keys'],
	webhooks: ['webhooks', 'endpoints', 'webhookEndpoints', 'webhook_endpoints'],
	deliveries: ['deliveries', 'attempts'],
	eventTypes: ['eventTypes', 'event_types', 'events', 'types'],
};
const ENVELOPE_KEYS = ['data', 'items', 'results'];
const RECORD_KEYS = ['apiKey', 'api_key', 'webhook', 'endpoint', 'data', 'result'];
const EVENT_TYPE_KEYS = [
	'type',
	'event',
	'event_type',
	'eventType',
	'event_name',
	'eventName',
	'name',
	'key',
	'slug',
	'value',
	'code',
	'id',
];
const SECRET_KEY = /^(webhook_?|signing_?)?secret$|^signing_?key$/i;

/** An endpoint as far as the connector needs it. */
export interface Endpoint {
	id: string;
	/** As the list shows it: its query may be masked or gone. Empty where it shows none. */
	url: string;
	/** The subscription as the list shows it; undefined where it shows none. */
	events?: string[];
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

/** Finds the entries of a list: a bare array, or under a known key, or one more level down. */
export function readList(body: unknown, resource: Resource, depth = 0): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	// So some services write an empty list.
	if (body === null && depth === 0) return [];
	if (!isObject(body) || depth > 2) return undefined;
	const keys = [...LIST_KEYS[resource], ...ENVELOPE_KEYS];
	for (const key of keys) {
		const list = readList(body[key], resource, depth + 1);
		if (list) return list;
	}
	const isFailure = body.success === false || messageIn(body) !== undefined;
	if (keys.some((key) => body[key] === null) && !isFailure) return [];
	const names = Object.keys(body);
	if (resource === 'eventTypes' && names.length > 0 && names.every(isEventName)) {
		return Object.entries(body).map(([name, about]) =>
			isObject(about) ? { ...about, name } : { name, description: about },
		);
	}
	// The arrays of a record or an error are no lists.
	if (body.id || body.error) return undefined;
	const arrays = Object.entries(body).filter(
		([key, value]) => Array.isArray(value) && key !== 'errors',
	);
	return arrays.length === 1 ? (arrays[0]?.[1] as unknown[]) : undefined;
}

/**
 * Finds a record, which is the object with an `id`: bare, or under some key, or one more level down.
 * A secret that stands beside it belongs to it.
 */
export function readRecord(body: unknown, depth = 0): (IDataObject & { id: string }) | undefined {
	if (!isObject(body) || depth > 2) return undefined;
	if (typeof body.id === 'string' || typeof body.id === 'number') {
		return { ...body, id: String(body.id) };
	}
	for (const value of [...RECORD_KEYS.map((key) => body[key]), ...Object.values(body)]) {
		const record = readRecord(value, depth + 1);
		if (record) return { ...secretsOf(body), ...record };
	}
	return undefined;
}

/** Reads an entry of the list of endpoints. */
export function readEndpoint(entry: unknown): Endpoint | undefined {
	const record = readRecord(entry);
	if (!record) return undefined;
	return {
		id: record.id,
		url: typeof record.url === 'string' ? record.url : '',
		events: Array.isArray(record.events)
			? record.events.flatMap((event) => readEventType(event)?.name ?? [])
			: undefined,
	};
}

/** Reads an entry of the catalog, which may be a group of event types. */
export function readEventTypes(entry: unknown): EventType[] {
	const own = readEventType(entry);
	if (!isObject(entry) || (own && isEventName(own.name))) return own ? [own] : [];
	const group = LIST_KEYS.eventTypes.map((key) => entry[key]).find(Array.isArray);
	const types = (group as unknown[] | undefined)?.flatMap(readEventTypes) ?? [];
	// What has a name of its own is only a group of what is named more fully.
	return own && !types.some(({ name }) => isEventName(name)) ? [own] : types;
}

/** Reads an event type: a string, or an object that names it in one of many fields. */
export function readEventType(entry: unknown): EventType | undefined {
	if (typeof entry === 'string') return entry ? { name: entry } : undefined;
	if (!isObject(entry)) return undefined;
	const names = EVENT_TYPE_KEYS.map((key) => entry[key]).filter(
		(value): value is string => typeof value === 'string' && /^\S+$/.test(value),
	);
	// An entry may have a uuid and a label beside the name, which is the one with parts (call.completed).
	const name = names.find(isEventName) ?? names[0];
	if (!name) return undefined;
	const description = [entry.description, entry.summary].find((text) => typeof text === 'string');
	return { name, description: description as string | undefined };
}

/** Reads the signing secret that creating an endpoint may return. */
export function readSigningSecret(record: IDataObject): string | undefined {
	return [record, ...Object.values(record).filter(isObject)].flatMap((place) =>
		Object.values(secretsOf(place)),
	)[0];
}

/** @returns a copy of a record in which signing secrets, wherever they stand, are `***` */
export function hideSigningSecrets(record: IDataObject): IDataObject {
	const hide = (key: string, value: unknown) =>
		typeof value === 'string' && value && (SECRET_KEY.test(key) || value.startsWith('whsec_'))
			? '***'
			: value;
	return JSON.parse(JSON.stringify(record, hide)) as IDataObject;
}

function secretsOf(record: IDataObject): Record<string, string> {
	const isSecret = (entry: [string, unknown]): entry is [string, string] =>
		SECRET_KEY.test(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '';
	return Object.fromEntries(Object.entries(record).filter(isSecret));
}

/** Tells whether a text has parts, as the names of event types do: `call.completed`. */
function isEventName(text: string): boolean {
	return /^\w+([.:/]\w+)+$/.test(text);
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
