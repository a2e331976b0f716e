import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, effectivePaging } from '../dialects';
import type { EventType } from './events';
import { ApiError } from './errors';

/** The lists of the API, by the name that an envelope may give them. */
export type ListName = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';
/** The records that the API creates, likewise. */
export type RecordName = 'apiKey' | 'webhook';

/** A catalog's entry as the dialect shows it. */
export function catalogEntry({ type, description }: EventType, form: Dialect['catalogEntry']) {
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

/** Answers with a list, or the page of it that the request asks for. */
export function sendList(
	request: FastifyRequest,
	reply: FastifyReply,
	dialect: Dialect,
	pageSize: number,
	name: ListName,
	items: unknown[],
) {
	const paging = effectivePaging(dialect);
	if (paging === 'none') return reply.send(listBody(dialect.listEnvelope, name, items));

	const pages = Math.max(1, Math.ceil(items.length / pageSize));
	const page = paging === 'silent' ? 1 : requestedPage(request, paging, pageSize);
	const more = page < pages;
	const nextUrl = `${request.protocol}://${request.host}${request.url.replace(/\?.*$/, '')}?cursor=${cursorOf(page + 1)}`;
	if (paging === 'link' && more) void reply.header('link', `<${nextUrl}>; rel="next"`);
	const fields = {
		cursor: { next_cursor: more ? cursorOf(page + 1) : null },
		next: { next: more ? nextUrl : null },
		link: {},
		page: { page, total_pages: pages },
		offset: { offset: (page - 1) * pageSize, limit: pageSize, total: items.length },
		silent: { has_more: more },
	}[paging];
	const body = listBody(
		dialect.listEnvelope,
		name,
		items.slice((page - 1) * pageSize, page * pageSize),
	);
	return reply.send(Array.isArray(body) ? body : { ...body, ...fields });
}

function listBody(envelope: Dialect['listEnvelope'], name: ListName, items: unknown[]) {
	switch (envelope) {
		case 'array':
			return items;
		case 'resource':
			return { [name]: items };
		case 'nested':
			return { data: { [name]: items } };
		default:
			return { [envelope]: items };
	}
}

// Opaque to clients, as cursors are.
function cursorOf(page: number): string {
	return Buffer.from(`page ${page}`).toString('base64url');
}

function requestedPage(
	request: FastifyRequest,
	paging: Dialect['paging'],
	pageSize: number,
): number {
	const { page, offset, cursor } = request.query as Record<string, string | undefined>;
	const inCursor = cursor && Buffer.from(cursor, 'base64url').toString().replace('page ', '');
	const number =
		paging === 'offset'
			? Number(offset ?? 0) / pageSize + 1
			: Number((paging === 'page' ? page : inCursor) ?? 1);
	if (!Number.isInteger(number) || number < 1) throw new ApiError(400, 'There is no such page');
	return number;
}

/** Answers with a record that was just created. */
export function sendCreated(
	reply: FastifyReply,
	dialect: Dialect,
	name: RecordName,
	record: object,
) {
	const bodies = {
		bare: record,
		data: { data: record },
		resource: { [name]: record },
		nested: { data: { [name]: record } },
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
	415: 'unsupported_media_type',
	422: 'unprocessable',
};
