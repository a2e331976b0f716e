import { fc } from '../random';
import type { DrawnOf } from './production';

const size = fc.integer({ min: 1, max: 4 });
/** How a reader goes on where the service does not say it: the usual ways. */
const way = fc.constantFrom('page', 'offset', 'after', 'starting_after', 'cursor');

/** Names of a cursor in an answer, and of the query parameter that takes it. */
const CURSORS: Record<string, string> = {
	next_cursor: 'cursor',
	nextCursor: 'cursor',
	next_page_token: 'page_token',
	nextPageToken: 'pageToken',
	next_token: 'next_token',
	nextToken: 'nextToken',
	continuation_token: 'continuation_token',
	continuationToken: 'continuationToken',
	next_starting_after: 'starting_after',
	cursor: 'cursor',
	after: 'after',
	next: 'cursor',
};
/** Names of what tells how many pages there are, beside the number of this one. */
export const PAGES: Record<string, { page: string; pages: string; size?: string; total?: string }> =
	{
		total_pages: { page: 'page', pages: 'total_pages', size: 'per_page', total: 'total' },
		totalPages: { page: 'page', pages: 'totalPages' },
		last_page: { page: 'current_page', pages: 'last_page', size: 'per_page', total: 'total' },
		pageCount: { page: 'pageNumber', pages: 'pageCount', size: 'pageSize', total: 'totalCount' },
		pages: { page: 'page', pages: 'pages', size: 'limit' },
	};
export const OFFSETS: Record<string, { offset: string; size: string; total: string }> = {
	offset: { offset: 'offset', size: 'limit', total: 'total' },
	startAt: { offset: 'startAt', size: 'maxResults', total: 'total' },
	skip: { offset: 'skip', size: 'take', total: 'totalCount' },
};
/** Flags of either sense: what they say while there is more. */
export const FLAGS: Record<string, boolean> = {
	has_more: true,
	hasMore: true,
	has_next: true,
	hasNextPage: true,
	more: true,
	truncated: true,
	isTruncated: true,
	last: false,
	is_last: false,
	isLastPage: false,
};

/** How a list that has more says so, and how it goes on. */
export const pagingAxes = {
	paging: {
		none: {},
		cursor: { size, name: fc.constantFrom(...Object.keys(CURSORS)) },
		graphql: { size, flag: fc.boolean() },
		url: {
			size,
			name: fc.constantFrom(
				'next',
				'next_url',
				'nextUrl',
				'next_page_url',
				'next_page',
				'nextLink',
			),
			form: fc.constantFrom('absolute', 'otherHost', 'relative', 'query'),
		},
		urlInLinks: {
			size,
			style: fc.constantFrom('links.next', '_links.next.href', 'links[]', 'next.href'),
			form: fc.constantFrom('absolute', 'otherHost', 'relative', 'query'),
		},
		linkHeader: {
			size,
			rels: fc.constantFrom('alone', 'first', 'last', 'unquoted'),
			form: fc.constantFrom('absolute', 'otherHost', 'relative', 'query'),
		},
		pages: {
			size,
			name: fc.constantFrom(...Object.keys(PAGES)),
			first: fc.constantFrom(1, 0),
		},
		pageAndTotal: { size, total: fc.constantFrom('total', 'total_count', 'totalItems') },
		nextPage: { size, name: fc.constantFrom('next_page', 'nextPage') },
		offset: { size, name: fc.constantFrom(...Object.keys(OFFSETS)) },
		nextOffset: { size, name: fc.constantFrom('next_offset', 'nextOffset') },
		total: {
			size,
			name: fc.constantFrom('total', 'total_count', 'totalCount', 'total_items'),
			way,
		},
		flag: { size, name: fc.constantFrom(...Object.keys(FLAGS)), way },
		lastId: { size, parameter: fc.constantFrom('after', 'starting_after', 'after_id') },
		contentRange: { size, partial: fc.boolean(), way: fc.constantFrom('offset', 'page') },
		totalHeader: { size, name: fc.constantFrom('x-total-count', 'x-total'), way },
		nextPageHeader: { size },
		pagesHeader: { size, withPage: fc.boolean() },
		cursorHeader: { size, name: fc.constantFrom('x-next-cursor', 'x-next-page-token') },
		silent: { size: fc.constantFrom(10, 20, 25, 50, 100), way },
	},
	pagePlace: {
		top: {},
		named: {
			name: fc.constantFrom('meta', 'pagination', 'paging', 'page_info', 'pageInfo', 'result_info'),
		},
		nested: { path: fc.constantFrom(['meta', 'pagination'], ['meta', 'page']) },
		besideList: {},
	},
	numbers: { number: {}, text: {} },
	/** What stands on the last page where others have the way to the next. */
	lastPage: { leftOut: {}, null: {}, emptyText: {}, backToFirst: {} },
	/** What comes for a page after the last. */
	beyond: { empty: {}, notFound: {}, lastAgain: {} },
	unknownQuery: { ignored: {}, refused: {} },
	/** Whether a page begins with the last entry of the one before. */
	overlap: { none: {}, oneEntry: {} },
	order: { newestLast: {}, newestFirst: {} },
} as const;

type Service = DrawnOf<typeof pagingAxes>;

/** Whether a list is asked for by the last entry's id. */
export function goesByLastId({ paging }: Service): boolean {
	return (
		paging.kind === 'lastId' ||
		('way' in paging && /^(after|starting_after|cursor)$/.test(paging.way))
	);
}

/** Whether nothing but trying could tell that there is more. */
export const isSilent = ({ paging }: Service) => paging.kind === 'silent';

/** Whether no more than one or two ways have to be tried to the next page. */
export function saysHowToGoOn({ kind }: Service['paging']): boolean {
	return /^(url|urlInLinks|linkHeader|pages|pageAndTotal|nextPage|offset|nextOffset)$/.test(kind);
}

/** Whether the way to the next page has a name that a careful reader may not know. */
export function isUnusual({ paging }: Service): boolean {
	if (paging.kind === 'offset') return paging.name !== 'offset';
	return paging.kind === 'lastId' && paging.parameter === 'after_id';
}

/** Whether what is said of the paging needs a body around the list. */
export function needsBody({ paging }: Service): boolean {
	return !/^(none|silent|contentRange)$|[hH]eader$/.test(paging.kind);
}

/** The query parameter that leads to other pages. */
export function parameterOf(paging: Exclude<Service['paging'], { kind: 'none' }>): string {
	switch (paging.kind) {
		case 'cursor':
			return CURSORS[paging.name]!;
		case 'graphql':
			return 'after';
		case 'url':
		case 'urlInLinks':
		case 'linkHeader':
			return 'position';
		case 'pages':
			return PAGES[paging.name]!.page === 'pageNumber' ? 'pageNumber' : 'page';
		case 'offset':
			return OFFSETS[paging.name]!.offset;
		case 'nextOffset':
			return 'offset';
		case 'lastId':
			return paging.parameter;
		case 'total':
		case 'flag':
		case 'contentRange':
		case 'totalHeader':
		case 'silent':
			return paging.way;
		case 'cursorHeader':
			return paging.name === 'x-next-cursor' ? 'cursor' : 'page_token';
		default:
			return 'page';
	}
}

/** Whether pages are asked for by what the service itself gives out. */
export function goesByToken({ kind }: Service['paging']): boolean {
	return /^(cursor|graphql|url|linkHeader|cursorHeader)/.test(kind);
}

/** The number of the first page. */
export const firstPage = ({ paging }: Service) => (paging.kind === 'pages' ? paging.first : 1);
