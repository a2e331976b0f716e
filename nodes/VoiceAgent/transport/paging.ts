import { isObject } from './read';

/*
 * The contract shows no paging (section 4). The usual ways are followed; where a list has more and
 * says it in no way that is known here, at least that is told.
 */

/** Where what belongs to paging stands, beside the top level: also one in another. */
const PLACES = [
	'pagination',
	'paging',
	'page_info',
	'pageInfo',
	'meta',
	'metadata',
	'links',
	'_links',
	'cursors',
	'data',
];

const ADDRESSES = ['next', 'next_url', 'nextUrl', 'next_page_url', 'next_page', 'nextPage'];

/** Names of a cursor in an answer, and of the query parameter that takes it. */
const CURSORS: Array<[cursor: string, parameter: string]> = [
	['next_cursor', 'cursor'],
	['nextCursor', 'cursor'],
	['next_page_token', 'page_token'],
	['nextPageToken', 'pageToken'],
	['next_token', 'next_token'],
	['nextToken', 'nextToken'],
	['next_page', 'page'],
	['nextPage', 'page'],
	['next_offset', 'offset'],
	['after', 'after'],
];

const HAS_MORE = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'];
const PAGE = ['page', 'current_page', 'currentPage', 'page_number', 'pageNumber'];
const PAGES = ['total_pages', 'totalPages', 'last_page', 'lastPage', 'page_count', 'pages'];
const SIZE = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit'];
const TOTAL = ['total', 'total_count', 'totalCount', 'total_items', 'totalItems'];

/**
 * Reads what a list says of its next page.
 *
 * @param count of the entries that were read, this page's included
 * @returns the query that gets it from the same path; 'unknown' where the list has more and does not
 *   say how to get it; undefined at the end
 */
export function readNextPage(
	body: unknown,
	headers: Record<string, unknown>,
	count: number,
): Record<string, string> | 'unknown' | undefined {
	const linked =
		typeof headers.link === 'string' && /<([^>]+)>[^,]*;\s*rel="?next"?/i.exec(headers.link);
	if (linked) return queryOf(linked[1]);

	let hasMore = false;
	for (const place of placesIn(body)) {
		const numberAt = (keys: string[]) => keys.map((key) => place[key]).find(isNumber);

		if (HAS_MORE.some((key) => place[key] === false)) return undefined;
		const address = ADDRESSES.map((key) => addressIn(place[key])).find(Boolean);
		if (address) return queryOf(address);
		for (const [key, parameter] of CURSORS) {
			const cursor = place[key];
			if (typeof cursor === 'number' || (typeof cursor === 'string' && cursor)) {
				return { [parameter]: String(cursor) };
			}
		}
		const [page, size, total] = [numberAt(PAGE), numberAt(SIZE), numberAt(TOTAL)];
		const pages = numberAt(PAGES) ?? (total && size ? Math.ceil(total / size) : undefined);
		if (page !== undefined && pages !== undefined) {
			// Some count pages from 0.
			const isLast = page >= pages || (total !== undefined && count >= total);
			return isLast ? undefined : { page: String(page + 1) };
		}
		if (isNumber(place.offset) && size && total !== undefined) {
			const offset = place.offset + size;
			return offset < total ? { offset: String(offset), limit: String(size) } : undefined;
		}
		hasMore ||= HAS_MORE.some((key) => place[key]) || !!place.next || (total ?? 0) > count;
	}
	return hasMore ? 'unknown' : undefined;
}

function placesIn(body: unknown, depth = 0): Array<Record<string, unknown>> {
	if (!isObject(body) || depth > 2) return [];
	return [body, ...PLACES.flatMap((key) => placesIn(body[key], depth + 1))];
}

/** Of an address only its query is used: behind a proxy, a service may not know its own host. */
function queryOf(address = ''): Record<string, string> | 'unknown' {
	const base = 'https://any.example';
	if (!URL.canParse(address, base)) return 'unknown';
	const query = Object.fromEntries(new URL(address, base).searchParams);
	return Object.keys(query).length > 0 ? query : 'unknown';
}

function addressIn(value: unknown): string | undefined {
	const address = isObject(value) ? (value.href ?? value.url ?? value.link) : value;
	return typeof address === 'string' && /^(https?:\/\/|\/|\?)/.test(address) ? address : undefined;
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}
