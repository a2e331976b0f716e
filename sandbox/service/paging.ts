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
		fields: ({ more, cursor }) => ({ next_cursor: more ? cursor : null }),
	},
	next: {
		parameter: 'cursor',
		startOf: atCursor,
		fields: ({ more, nextUrl }) => (more ? { next: nextUrl } : {}),
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
	offset: {
		parameter: 'offset',
		startOf: Number,
		fields: ({ start, pageSize, total }) => ({ offset: start, limit: pageSize, total }),
	},
	'last id': {
		parameter: 'starting_after',
		startOf: (id, _pageSize, items) => items.findIndex((item) => idOf(item) === id) + 1,
		fields: ({ more }) => ({ has_more: more }),
	},
};

/**
 * Cuts the requested page, and sets its paging headers.
 *
 * @throws ApiError 400 for a page that the list does not have
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
	};
	void reply.headers(headers?.(position) ?? {});
	return { entries: items.slice(start, end), fields: fields?.(position) ?? {} };
}

/** The id at the top level of an entry, if it has one. */
function idOf(item: unknown): unknown {
	return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined;
}
