import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, effectivePaging } from '../dialects';
import { ApiError } from './errors';

/** A page of a list. */
export interface Page {
	entries: unknown[];
	/** The paging fields of the body. */
	fields: Record<string, unknown>;
}

/** Names of paging fields, and of the query parameters that go with them. */
const namesOf = {
	usual: {
		cursor: ['next_cursor', 'cursor'],
		marker: ['nextMarker', 'marker'],
		page: ['page', 'total_pages', 'page'],
		others: ['next', 'total', 'has_more', 'last', 'starting_after', 'x-total-count'],
	},
	camel: {
		cursor: ['nextPageToken', 'pageToken'],
		marker: ['nextToken', 'nextToken'],
		page: ['pageNumber', 'pageCount', 'pageNumber'],
		others: ['nextUrl', 'totalCount', 'hasMore', 'isLastPage', 'after', 'x-total'],
	},
	rare: {
		cursor: ['continuation_token', 'continuation_token'],
		marker: ['next_starting_after', 'starting_after'],
		page: ['current_page', 'last_page', 'page'],
		others: ['next_page_url', 'total_items', 'truncated', 'is_last', 'after', 'x-total'],
	},
} as const satisfies Record<Dialect['pagingNames'], object>;

type Names = ReturnType<typeof named>;

function named(form: Dialect['pagingNames']) {
	const { cursor, marker, page, others } = namesOf[form];
	const [next, total, more, last, after, header] = others;
	return { cursor, marker, page, next, total, more, last, after, header };
}

/** Parameters that limit the length of any list. */
const sizes = ['limit', 'per_page', 'perPage', 'page_size', 'pageSize', 'maxResults'];

/**
 * Cuts the requested page, and sets its paging headers.
 *
 * @throws ApiError 400 for a page or a parameter that the list does not have
 */
export function cutPage(
	request: FastifyRequest,
	reply: FastifyReply,
	dialect: Dialect,
	pageSize: number,
	items: unknown[],
): Page {
	const declared = effectivePaging(dialect);
	const paging = declared === 'last id' && !items.every(idOf) ? 'none' : declared;
	const names = named(dialect.pagingNames);
	const parameter = parameterOf(paging, names);
	const query = request.query as Record<string, string | undefined>;
	const unknown = Object.keys(query).filter((name) => name !== parameter && !sizes.includes(name));
	if (dialect.unknownQuery === 'refused' && unknown.length > 0) {
		throw new ApiError(400, `There is no parameter ${unknown.join(', ')}`);
	}
	if (paging === 'none') return { entries: items, fields: {} };

	const requested = parameter === undefined ? undefined : query[parameter];
	const start = requested === undefined ? 0 : startOf(paging, requested, pageSize, items);
	if (!Number.isInteger(start) || start < 0) throw new ApiError(400, 'There is no such page');
	const overlap = dialect.pageOverlap === 'one entry' && isOpaque(paging) && start > 0 ? 1 : 0;
	const entries = items.slice(start - overlap, start + pageSize);
	const end = start + pageSize;
	const more = end < items.length;
	/** The field for the next page. */
	const nextField = (name: string, value: unknown): Record<string, unknown> => {
		if (more) return { [name]: value };
		if (dialect.lastPage === 'left out') return {};
		return { [name]: dialect.lastPage === 'null' ? null : '' };
	};
	const url = `${request.protocol}://${request.host}${request.url.replace(/\?.*$/, '')}`;
	const nextUrl = `${url}?${names.cursor[1]}=${cursorOf(end)}`;
	const page = Math.floor(start / pageSize) + 1;
	if (paging === 'link' && more) void reply.header('link', `<${nextUrl}>; rel="next"`);
	if (paging === 'total-count') void reply.header(names.header, items.length);
	if (paging === 'content-range') {
		const range = entries.length > 0 ? `${start}-${start + entries.length - 1}` : '*';
		void reply.header('content-range', `items ${range}/${items.length}`);
	}
	const fields = {
		cursor: () => nextField(names.cursor[0], cursorOf(end)),
		marker: () => nextField(names.marker[0], cursorOf(end)),
		next: () => nextField(names.next, nextUrl),
		'end cursor': () => ({ hasNextPage: more, endCursor: cursorOf(end) }),
		page: () => ({
			[names.page[0]]: page,
			[names.page[1]]: Math.max(1, Math.ceil(items.length / pageSize)),
		}),
		last: () => ({ number: page - 1, [names.last]: !more }),
		offset: () => ({ offset: start, limit: pageSize, [names.total]: items.length }),
		'last id': () => ({ [names.more]: more }),
		silent: () => ({ [names.more]: more }),
		link: () => ({}),
		'content-range': () => ({}),
		'total-count': () => ({}),
	}[paging];
	return { entries, fields: fields() };
}

/** @returns the query parameter that selects a page; undefined if there is none */
function parameterOf(paging: Dialect['paging'], names: Names): string | undefined {
	const parameters: Partial<Record<typeof paging, string>> = {
		cursor: names.cursor[1],
		next: names.cursor[1],
		link: names.cursor[1],
		marker: names.marker[1],
		'end cursor': 'after',
		'last id': names.after,
		offset: 'offset',
		'content-range': 'offset',
		page: names.page[2],
		last: 'page',
		'total-count': 'page',
	};
	return parameters[paging];
}

/** The index in the whole list at which the requested page begins; NaN for a page that does not exist. */
function startOf(
	paging: Dialect['paging'],
	requested: string,
	pageSize: number,
	items: unknown[],
): number {
	if (isOpaque(paging)) return Number(Buffer.from(requested, 'base64url').toString() || NaN);
	switch (paging) {
		case 'offset':
		case 'content-range':
			return Number(requested);
		case 'last id':
			return items.findIndex((item) => idOf(item) === requested) + 1;
		case 'last':
			return Number(requested) * pageSize;
		default:
			return (Number(requested) - 1) * pageSize;
	}
}

/** Whether pages are requested by a cursor or URL of the service. */
function isOpaque(paging: Dialect['paging']): boolean {
	return ['cursor', 'next', 'link', 'marker', 'end cursor'].includes(paging);
}

function cursorOf(start: number): string {
	return Buffer.from(String(start)).toString('base64url');
}

/** The id at the top level of an entry, if it has one. */
export function idOf(item: unknown): unknown {
	return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
