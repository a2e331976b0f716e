import type { IDataObject } from 'n8n-workflow';

/*
 * The contract shows no envelope for lists, records, errors or the catalog ("not shown", sections
 * 4 and 7). Every reading of it is accepted here and nowhere else; what fits none is undefined,
 * which the caller turns into an error that shows what came.
 */

/** The lists of the service, by the names that their envelope may give them. */
export type Resource = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

const LIST_KEYS: Record<Resource, string[]> = {
	apiKeys: ['apiKeys', 'api_keys', 'keys'],
	webhooks: ['webhooks', 'endpoints', 'webhookEndpoints', 'webhook_endpoints'],
	deliveries: ['deliveries', 'attempts'],
	eventTypes: ['eventTypes', 'event_types', 'events', 'types'],
};
const ENVELOPE_KEYS = ['data', 'items', 'results'];
const RECORD_KEYS = ['apiKey', 'api_key', 'webhook', 'endpoint', 'data', 'result'];
const EVENT_TYPE_KEYS = ['type', 'event', 'event_type', 'eventType', 'name', 'key', 'id'];
const SECRET_KEYS = [
	'secret',
	'signingSecret',
	'signing_secret',
	'webhookSecret',
	'webhook_secret',
];

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

/** Where the next page is: an address that the list names, or a query for the same path. */
export interface NextPage {
	page?: string;
	query?: Record<string, string>;
}

/** @returns true for a JSON object, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds the entries of a list: a bare array, or under a known key, or one more level down. */
export function readList(body: unknown, resource: Resource, depth = 0): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body) || depth > 2) return undefined;
	for (const key of [...LIST_KEYS[resource], ...ENVELOPE_KEYS]) {
		const list = readList(body[key], resource, depth + 1);
		if (list) return list;
	}
	// The arrays of a record or an error are no lists.
	if (body.id || body.error) return undefined;
	const arrays = Object.entries(body).filter(
		([key, value]) => Array.isArray(value) && key !== 'errors',
	);
	return arrays.length === 1 ? (arrays[0]?.[1] as unknown[]) : undefined;
}

/** Finds a record, which is the object with an `id`: bare, or under some key, or one more level down. */
export function readRecord(body: unknown, depth = 0): (IDataObject & { id: string }) | undefined {
	if (!isObject(body) || depth > 2) return undefined;
	if (typeof body.id === 'string' || typeof body.id === 'number') {
		return { ...body, id: String(body.id) };
	}
	for (const value of [...RECORD_KEYS.map((key) => body[key]), ...Object.values(body)]) {
		const record = readRecord(value, depth + 1);
		if (record) return record;
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

/** Reads an entry of the catalog: a string, or an object that names the type in one of many fields. */
export function readEventType(entry: unknown): EventType | undefined {
	if (typeof entry === 'string') return entry ? { name: entry } : undefined;
	if (!isObject(entry)) return undefined;
	const names = EVENT_TYPE_KEYS.map((key) => entry[key]).filter(
		(value): value is string => typeof value === 'string' && /^\S+$/.test(value),
	);
	// An entry may have a uuid and a label beside the name, which is the one with parts (call.completed).
	const name = names.find((value) => /^\w+([.:/]\w+)+$/.test(value)) ?? names[0];
	if (!name) return undefined;
	const description = [entry.description, entry.summary].find((text) => typeof text === 'string');
	return { name, description: description as string | undefined };
}

/** Reads the signing secret that creating an endpoint may return. */
export function readSigningSecret(record: IDataObject): string | undefined {
	return SECRET_KEYS.map((key) => record[key]).find(
		(value): value is string => typeof value === 'string' && value !== '',
	);
}

/** @returns a copy of a record in which its signing secret, if it has one, is `***` */
export function hideSigningSecret(record: IDataObject): IDataObject {
	const hide = ([key, value]: [string, unknown]) => [
		key,
		SECRET_KEYS.includes(key) && value ? '***' : value,
	];
	return Object.fromEntries(Object.entries(record).map(hide)) as IDataObject;
}

/**
 * Reads what a list says of its next page.
 *
 * @returns where it is; 'unknown' where the list says that there is more but not where; undefined at the end
 */
export function readNextPage(
	body: unknown,
	headers: Record<string, unknown>,
): NextPage | 'unknown' | undefined {
	const linked =
		typeof headers.link === 'string' && /<([^>]+)>[^,]*;\s*rel="?next"?/i.exec(headers.link);
	if (linked) return { page: linked[1] };
	if (!isObject(body)) return undefined;

	const places = [
		body,
		body.pagination,
		body.paging,
		body.meta,
		body.links,
		body.page_info,
		body.data,
	];
	for (const place of places.filter(isObject)) {
		if (place.has_more === false || place.hasMore === false) return undefined;
		const page = NEXT_KEYS.map((key) => place[key]).find(isAddress);
		if (page) return { page };
		for (const [key, parameter] of Object.entries(CURSORS)) {
			const cursor = place[key];
			if (typeof cursor === 'number' || (typeof cursor === 'string' && cursor)) {
				return { query: { [parameter]: String(cursor) } };
			}
		}
		const pages = place.total_pages ?? place.totalPages;
		if (typeof place.page === 'number' && typeof pages === 'number') {
			return place.page < pages ? { query: { page: String(place.page + 1) } } : undefined;
		}
		if (place.has_more || place.hasMore || place.next) return 'unknown';
	}
	return undefined;
}

/** The usual names of the next page's address. */
const NEXT_KEYS = ['next', 'next_url', 'nextUrl', 'next_page_url', 'next_page', 'nextPage'];

/** The usual names of a cursor in an answer, and of the query parameter that takes it. */
const CURSORS = {
	next_cursor: 'cursor',
	nextCursor: 'cursor',
	next_page_token: 'page_token',
	nextPageToken: 'pageToken',
	next_page: 'page',
	nextPage: 'page',
};

const isAddress = (value: unknown): value is string =>
	typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value);

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
