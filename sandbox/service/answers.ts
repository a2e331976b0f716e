import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, effectivePaging } from '../dialects';
import type { EventType } from './events';
import { ApiError } from './errors';

/** The lists of the API, by the name that an envelope may give them. */
export type ListName = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';
/** The records that the API creates, likewise. */
export type RecordName = 'apiKey' | 'webhook';

/** A record in its list, or by itself, as the dialect puts its fields. */
export function shapedRecord(
	{ id, ...fields }: { id: string },
	kind: RecordName,
	shape: Dialect['recordShape'],
): object {
	switch (shape) {
		case 'flat':
			return { id, ...fields };
		case 'attributes':
			return { id, kind, attributes: fields };
		case 'related':
			return { owner: { id: 'ws_1', name: 'Workspace' }, id, ...fields };
	}
}

/** Answers with a list, or the page of it that the request asks for. */
export function sendList(
	request: FastifyRequest,
	reply: FastifyReply,
	dialect: Dialect,
	pageSize: number,
	name: ListName,
	items: unknown[],
) {
	if (items.length === 0 && dialect.emptyList === 'no content') return reply.code(204).send();
	const paging = effectivePaging(dialect);
	const isWhole = paging === 'none' || (paging === 'last id' && !items.every(idOf));
	if (isWhole) return reply.send(listBody(dialect, name, items));

	const pages = Math.max(1, Math.ceil(items.length / pageSize));
	const start = paging === 'silent' ? 0 : requestedStart(request, paging, pageSize, items);
	const page = Math.floor(start / pageSize) + 1;
	const shown = items.slice(start, start + pageSize);
	const more = start + pageSize < items.length;
	const nextUrl = `${request.protocol}://${request.host}${request.url.replace(/\?.*$/, '')}?cursor=${cursorOf(page + 1)}`;
	if (paging === 'link' && more) void reply.header('link', `<${nextUrl}>; rel="next"`);
	if (paging === 'total-count') void reply.header('x-total-count', items.length);
	if (paging === 'content-range') {
		const range = shown.length > 0 ? `${start}-${start + shown.length - 1}` : '*';
		void reply.header('content-range', `items ${range}/${items.length}`);
	}
	const fields = {
		cursor: { next_cursor: more ? cursorOf(page + 1) : null },
		marker: { nextMarker: more ? cursorOf(page + 1) : null },
		next: { next: more ? nextUrl : null },
		page: { page, total_pages: pages },
		last: { number: page - 1, last: !more },
		offset: { offset: start, limit: pageSize, total: items.length },
		'last id': { has_more: more },
		silent: { has_more: more },
		link: {},
		'content-range': {},
		'total-count': {},
	}[paging];
	const body = listBody(dialect, name, shown);
	return reply.send(Array.isArray(body) ? body : { ...body, ...fields });
}

/** Answers with the catalog of event types. */
export function sendCatalog(
	request: FastifyRequest,
	reply: FastifyReply,
	dialect: Dialect,
	pageSize: number,
	catalog: readonly EventType[],
) {
	const types = catalog.map(({ type }) => type);
	switch (dialect.catalogEntry) {
		case 'groups': {
			const names = [...new Set(types.map(groupOf))];
			const groups = names.map((name) => [name, types.filter((type) => groupOf(type) === name)]);
			const entries = Object.fromEntries(groups) as object;
			return reply.send(enveloped(dialect, 'eventTypes', types.length, entries));
		}
		case 'map': {
			const descriptions = catalog.map(({ type, description }) => [type, description]);
			const entries = Object.fromEntries(descriptions) as object;
			return reply.send(enveloped(dialect, 'eventTypes', types.length, entries));
		}
		case 'wildcards': {
			const groups = [...new Set(types.map(groupOf))].map((group) => `${group}.*`);
			const entries = [...types, ...groups, '*'];
			return sendList(request, reply, dialect, pageSize, 'eventTypes', entries);
		}
		default: {
			const entries = catalog.map((entry) => catalogEntry(entry, dialect.catalogEntry));
			return sendList(request, reply, dialect, pageSize, 'eventTypes', entries);
		}
	}
}

const groupOf = (type: string) => type.split('.')[0] ?? '';

function catalogEntry({ type, description }: EventType, form: Dialect['catalogEntry']) {
	switch (form) {
		case 'string':
			return type;
		case 'slug':
			return {
				id: createHash('sha256').update(type).digest('hex').slice(0, 12),
				name: type.replace('.', ' '),
				slug: type,
				description,
			};
		default:
			return { [form]: type, description };
	}
}

function listBody(dialect: Dialect, name: ListName, items: unknown[]): object {
	if (items.length === 0 && dialect.emptyList === 'null' && dialect.listEnvelope !== 'array') {
		return enveloped(dialect, name, 0, null);
	}
	const isEdges = dialect.listEnvelope === 'edges';
	const entries = isEdges ? items.map((item) => (isRecord(item) ? { node: item } : item)) : items;
	if (dialect.listEnvelope === 'map' && items.every(idOf)) {
		return { data: Object.fromEntries(items.map((item) => [idOf(item), item])) as object };
	}
	return enveloped(dialect, name, items.length, entries);
}

function enveloped(
	{ listEnvelope }: Dialect,
	name: ListName,
	count: number,
	list: unknown,
): object {
	switch (listEnvelope) {
		case 'array':
			return list as object;
		case 'resource':
			return { [name]: list };
		case 'nested':
			return { data: { [name]: list } };
		case 'odd':
			return { ...noise(), bundle: { count, rows: list } };
		case 'edges':
			return { viewer: { id: 'ws_1', edges: list } };
		case 'map':
			// Of entries without ids there is no map.
			return { data: list };
		default:
			return { [listEnvelope]: list };
	}
}

/** What stands in envelopes beside what was asked for: ids of other things, numbers, lists of them. */
function noise() {
	return { request_id: `req_${randomUUID()}`, took_ms: 3, quota: [997, 1000], notes: [] };
}

function isRecord(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

// Opaque to clients, as cursors are.
function cursorOf(page: number): string {
	return Buffer.from(`page ${page}`).toString('base64url');
}

/** The place in the whole list where the page begins that is asked for. */
function requestedStart(
	request: FastifyRequest,
	paging: Dialect['paging'],
	pageSize: number,
	items: unknown[],
): number {
	const query = request.query as Record<string, string | undefined>;
	const pageIn = (cursor: string | undefined) =>
		cursor && Buffer.from(cursor, 'base64url').toString().replace('page ', '');
	const startOf = (page: unknown) => (Number(page) - 1) * pageSize;
	let start: number;
	switch (paging) {
		case 'offset':
		case 'content-range':
			start = Number(query.offset ?? 0);
			break;
		case 'last id':
			start = items.findIndex((item) => idOf(item) === query.starting_after) + 1;
			break;
		case 'page':
		case 'total-count':
			start = startOf(query.page ?? 1);
			break;
		case 'last':
			start = Number(query.page ?? 0) * pageSize;
			break;
		case 'marker':
			start = startOf(pageIn(query.marker) ?? 1);
			break;
		default:
			start = startOf(pageIn(query.cursor) ?? 1);
	}
	if (!Number.isInteger(start) || start < 0) throw new ApiError(400, 'There is no such page');
	return start;
}

function idOf(item: unknown): unknown {
	return isRecord(item) && 'id' in item ? item.id : undefined;
}

/**
 * Answers with a record that was just created.
 *
 * @param once what is shown in this answer and never again
 */
export function sendCreated(
	reply: FastifyReply,
	dialect: Dialect,
	name: RecordName,
	record: { id: string },
	once: object,
) {
	const shaped = shapedRecord({ ...record, ...once }, name, dialect.recordShape);
	const bodies = {
		bare: shaped,
		data: { data: shaped },
		resource: { [name]: shaped },
		nested: { data: { [name]: shaped } },
		request: { id: `req_${randomUUID()}`, data: shaped },
		odd: { origin: { id: 'ws_1' }, notes: [], outcome: shaped },
		split: { [name]: shapedRecord(record, name, dialect.recordShape), ...once },
	};
	return reply
		.code(dialect.successCode === 'conventional' ? 201 : 200)
		.send(bodies[dialect.recordEnvelope]);
}

/** Answers that a deletion, revocation or test is done. */
export function sendDone(reply: FastifyReply, dialect: Dialect) {
	if (dialect.successCode === 'ok') return reply.send({ success: true });
	return reply.code(dialect.successCode === 'conventional' ? 204 : 202).send();
}

/** Answers with an error as the dialect tells it. */
export function sendError(reply: FastifyReply, dialect: Dialect, status: number, message: string) {
	void reply.code(status);
	switch (dialect.errorBody) {
		case 'error.message':
			return reply.send({ error: { code: errorCodes[status] ?? 'internal_error', message } });
		case 'title':
			return reply
				.type('application/problem+json')
				.send(JSON.stringify({ type: 'about:blank', title: message, status }));
		case 'errors':
			return reply.send({ errors: [{ message }] });
		case 'html':
			return sendHtml(reply, `${status}`, message);
		case 'empty':
			return reply.send();
		default:
			return reply.send({ [dialect.errorBody]: message });
	}
}

/** Answers with an HTML page, as gateways and wrong addresses do. */
export function sendHtml(reply: FastifyReply, heading: string, text: string) {
	const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return reply
		.type('text/html; charset=utf-8')
		.send(`<!doctype html><title>${heading}</title><h1>${heading}</h1><p>${escaped}</p>`);
}

const errorCodes: Record<number, string> = {
	400: 'invalid_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	409: 'conflict',
	415: 'unsupported_media_type',
	422: 'unprocessable',
};
