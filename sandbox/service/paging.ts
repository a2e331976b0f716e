import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Dialect, effectivePaging } from '../dialects';
import { ApiError } from './errors';

/** A page of a list. */
export interface Page {
	entries: unknown[];
	/** The paging fields of the body. */
	fields: Record<string, unknown>;
}

/** The place of a page in its list. */
interface Position {
	/** The index of its first entry. */
	start: number;
	pageSize: number;
	/** The number of the list's entries. */
	total: number;
	/** Whether entries follow. */
	more: boolean;
	/** The cursor and the URL of the next page. */
	cursor: string;
	nextUrl: string;
	/** Makes the field that leads to the next page, also for the last page. */
	leadingField: (name: string, value: string) => Record<string, unknown>;
}

/** A form of paging. */
interface Form {
	/** The query parameter that selects a page. */
	parameter?: string;
	/** @returns the index at which the requested page begins; NaN for a page that does not exist */
	startOf?: (requested: string, pageSize: number, items: unknown[]) => number;
	fields?: (position: Position) => Record<string, unknown>;
	headers?: (position: Position) => Record<string, string>;
}

const cursorOf = (start: number) => Buffer.from(String(start)).toString('base64url');
const atCursor = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString() || NaN);
const atPage = (page: string, pageSize: number) => (Number(page) - 1) * pageSize;

const forms: Record<Dialect['paging'], Form> = {
	none: {},
	silent: { fields: ({ more }) => ({ has_more: more }) },
	cursor: {
		parameter: 'cursor',
		startOf: atCursor,
		fields: ({ cursor, leadingField }) => leadingField('next_cursor', cursor),
	},
	marker: {
		parameter: 'marker',
		startOf: atCursor,
		fields: ({ cursor, leadingField }) => leadingField('nextMarker', cursor),
	},
	'end cursor': {
		parameter: 'after',
		startOf: atCursor,
		fields: ({ more, cursor }) => ({ hasNextPage: more, endCursor: cursor }),
	},
	next: {
		parameter: 'cursor',
		startOf: atCursor,
		fields: ({ nextUrl, leadingField }) => leadingField('next', nextUrl),
	},
	link: {
		parameter: 'cursor',
		startOf: atCursor,
		headers: ({ more, nextUrl }): Record<string, string> =>
			more ? { link: `<${nextUrl}>; rel="next"` } : {},
	},
	page: {
		parameter: 'page',
		startOf: atPage,
		fields: ({ start, pageSize, total }) => ({
			page: start / pageSize + 1,
			total_pages: Math.max(1, Math.ceil(total / pageSize)),
		}),
	},
	last: {
		parameter: 'page',
		startOf: (page, pageSize) => Number(page) * pageSize,
		fields: ({ start, pageSize, more }) => ({ number: start / pageSize, last: !more }),
	},
	'total-count': {
		parameter: 'page',
		startOf: atPage,
		headers: ({ total }) => ({ 'x-total-count': String(total) }),
	},
	offset: {
		parameter: 'offset',
		startOf: Number,
		fields: ({ start, pageSize, total }) => ({ offset: start, limit: pageSize, total }),
	},
	'content-range': {
		parameter: 'offset',
		startOf: Number,
		headers: ({ start, pageSize, total }) => {
			const end = Math.min(start + pageSize, total);
			return { 'content-range': `items ${end > start ? `${start}-${end - 1}` : '*'}/${total}` };
		},
	},
	'last id': {
		parameter: 'starting_after',
		startOf: (id, _pageSize, items) => items.findIndex((item) => idOf(item) === id) + 1,
		fields: ({ more }) => ({ has_more: more }),
	},
};

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
	const { parameter, startOf, fields, headers } = forms[paging];
	const query = request.query as Record<string, string | undefined>;
	const unknown = Object.keys(query).filter((name) => name !== parameter && !sizes.includes(name));
	if (dialect.unknownQuery === 'refused' && unknown.length > 0) {
		throw new ApiError(400, `There is no parameter ${unknown.join(', ')}`);
	}
	if (paging === 'none') return { entries: items, fields: {} };

	const requested = parameter && query[parameter];
	const start = requested === undefined ? 0 : (startOf?.(requested, pageSize, items) ?? 0);
	if (!Number.isInteger(start) || start < 0) throw new ApiError(400, 'There is no such page');
	const end = start + pageSize;
	const cursor = cursorOf(end);
	const url = `${request.protocol}://${request.host}${request.url.replace(/\?.*$/, '')}`;
	const more = end < items.length;
	const position: Position = {
		...{ start, pageSize, total: items.length, more, cursor },
		nextUrl: `${url}?cursor=${cursor}`,
		leadingField(name, value) {
			if (more) return { [name]: value };
			if (dialect.lastPage === 'left out') return {};
			return { [name]: dialect.lastPage === 'null' ? null : '' };
		},
	};
	void reply.headers(headers?.(position) ?? {});
	const isOverlapping = dialect.pageOverlap === 'one entry' && startOf === atCursor && start > 0;
	const entries = items.slice(isOverlapping ? start - 1 : start, end);
	return { entries, fields: fields?.(position) ?? {} };
}

/** The id at the top level of an entry, if it has one. */
export function idOf(item: unknown): unknown {
	return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
