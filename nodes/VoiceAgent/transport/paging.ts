import { fieldsIn, isTotal } from './fields';
import { isObject } from './read';

/*
 * The contract shows no paging (section 4). So every sign that a list has more is believed, the way
 * that it names is followed, and where it names none, the usual ways are tried.
 */

/** The query of a request for a page. */
export type Query = Record<string, string>;

/** How far a list was read. */
export interface Progress {
	/** The query that got the page in hand. */
	query: Query;
	/** How many entries that page has. */
	length: number;
	/** The `id` of its last entry, where it has one. */
	lastId?: string;
	/** How many entries were read, each counted once, and how many pages brought some. */
	count: number;
	pages: number;
}

/** A way to the next page. */
export interface Way {
	query: Query;
	/** Below the base URL; the list's own path if undefined. */
	path?: string;
	/** Whether the service named it; else it counts only if it brings new entries. */
	isSaid: boolean;
}

// Names without case and separators: `next_page_token` is `nextpagetoken`.
const NEXT =
	/^(odata)?next(?!.*(at|date|time|attempt|retry|run)$)|^(end)?cursor$|^after$|^continuation(token)?$/;
const MORE = /^(has|is)?(more|next|truncated)(page|pages|results|items|records|data|available)?$/;
const LAST = /^(is)?(last|final|end|done|complete)(page|reached)?$/;
const PAGE = /^(current)?page(number|no|index)?$|^number$/;
const PAGES = /^(total|last|max|num|numberof)pages?$|^page(s|count|total|scount|stotal)$/;
const OFFSET = /^(offset|skip|startindex|startat)$/;
const ADDRESS = /^(https?:\/\/|\/|[\w./-]*\?)/;

const USUAL_LENGTHS = [10, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000];
const CURSOR_PARAMETERS = ['cursor', 'page_token', 'after', 'starting_after', 'token', 'next'];
const ID_PARAMETERS = ['starting_after', 'after', 'after_id', 'last_id', 'cursor'];

/**
 * Reads what a page says of the ones after it.
 *
 * @param path of the list, below the base URL
 * @returns undefined at the end of the list; else the ways to try, the best first, and whether the
 *   only sign is a usual length, which a whole list may have too
 */
export function readNext(
	body: unknown,
	headers: Record<string, unknown>,
	path: string,
	{ query, length, lastId, count, pages }: Progress,
): { ways: Way[]; isWeak: boolean } | undefined {
	const signs = signsIn(body, headers);
	const named = (pattern: RegExp) => signs.filter(({ plain }) => pattern.test(plain));
	const numbers = (found: typeof signs) => found.flatMap(({ value }) => numberOf(value) ?? []);

	const flags = [
		...named(MORE).flatMap(({ value }) => flagOf(value) ?? []),
		...named(LAST).flatMap(({ value }) => (flagOf(value) === undefined ? [] : !flagOf(value))),
	];
	const addNext = (parameters: string[], value: unknown, step: number) => {
		const number = numberOf(value);
		if (number === undefined) return;
		for (const name of parameters) said.push({ query: { [name]: String(number + step) } });
	};
	const nexts = named(NEXT);
	// At the end, a cursor may be that of the last entry.
	const isEnd = flags.includes(false) && !flags.includes(true);
	const said = isEnd ? [] : nexts.flatMap(({ name, value }) => waysBy(name, value, path));
	const totals = signs.filter(({ name, value }) => isTotal(name) && numberOf(value) !== undefined);
	const pageCounts = numbers(named(PAGES));
	const isMore =
		said.length > 0 ||
		flags.includes(true) ||
		numbers(totals).some((total) => total > count) ||
		pageCounts.some((total) => total > pages);
	const isTold =
		flags.length + nexts.length + pageCounts.length > 0 ||
		totals.some(({ plain }) => plain !== 'count');
	const isWeak = !isMore && !isTold && USUAL_LENGTHS.includes(length);
	if (!isMore && !isWeak) return undefined;

	// What an answer echoes need not be the parameter's name.
	for (const page of named(PAGE)) addNext(['page', page.name], page.value, 1);
	for (const offset of named(OFFSET)) addNext([offset.name, 'offset'], offset.value, length);
	const page = numberOf(query.page);
	const cursors = isEnd ? [] : nexts.flatMap(({ value }) => cursorOf(value) ?? []);
	const usual = [
		...cursors.flatMap((cursor) => CURSOR_PARAMETERS.map((name) => [name, cursor])),
		...(lastId === undefined ? [] : ID_PARAMETERS.map((name) => [name, lastId])),
		// Some count pages from 0.
		...(page === undefined ? [1, 2] : [page + 1]).map((number) => ['page', String(number)]),
		...['offset', 'skip'].map((name) => [name, String(count)]),
	].map((parameter) => ({ query: Object.fromEntries([parameter]) as Query }));
	const ways = [
		...said.map((way) => ({ ...way, isSaid: true })),
		...usual.map((way) => ({ ...way, isSaid: false })),
	];
	// What has led to the page in hand leads on.
	const isProven = (way: Way) => Number(Object.keys(way.query).every((name) => name in query));
	return { ways: ways.sort((one, other) => isProven(other) - isProven(one)), isWeak };
}

/** All that may be a sign: the fields outside of arrays, links in any form, and headers. */
function signsIn(body: unknown, headers: Record<string, unknown>) {
	const linked = /<([^<>]*)>[^<]*;\s*rel="?next"?/i.exec(String(headers.link ?? ''))?.[1];
	const range = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1];
	const fields = fieldsIn(body);
	const links = fields
		.flatMap(({ value }) => (Array.isArray(value) ? (value as unknown[]) : []))
		.flatMap((link) => (isObject(link) && String(link.rel) === 'next' ? [link] : []));
	return [
		...Object.entries({ ...headers, next: linked, total: range }),
		...links.map((link): [string, unknown] => ['next', link]),
		...fields.map(({ name, value }): [string, unknown] => [name, value]),
	].flatMap(([written, value]) => {
		const name = written.replace(/^x-/, '');
		const plain = name.toLowerCase().replace(/[^a-z]/g, '');
		return value === undefined ? [] : [{ name, plain, value }];
	});
}

/** The ways that a field names which speaks of the next page: by an address, else by a cursor. */
function waysBy(name: string, value: unknown, path: string): Array<Omit<Way, 'isSaid'>> {
	const text = isObject(value) ? (value.href ?? value.url ?? value.uri ?? value.link) : value;
	const isAddress = typeof text === 'string' && ADDRESS.test(text) && !/token|cursor/i.test(name);
	if (isAddress && URL.canParse(text, 'https://any.example')) {
		// Behind a proxy, a service may not know its own host.
		const { pathname, searchParams } = new URL(text, 'https://any.example');
		const at = pathname.lastIndexOf(path);
		const below = at < 0 ? path : pathname.slice(at);
		return [{ query: Object.fromEntries(searchParams), path: below }];
	}
	const cursor = cursorOf(text);
	if (cursor === undefined) return [];
	const rest = name.replace(/^(next|end)[_-]?/i, '') || 'cursor';
	const parameters = new Set([rest.charAt(0).toLowerCase() + rest.slice(1), name]);
	return [...parameters].map((parameter) => ({ query: { [parameter]: cursor } }));
}

function cursorOf(value: unknown): string | undefined {
	return typeof value === 'number' || typeof value === 'string'
		? String(value) || undefined
		: undefined;
}

function flagOf(value: unknown): boolean | undefined {
	const text = String(value).toLowerCase();
	return text === 'true' || (text === 'false' ? false : undefined);
}

function numberOf(value: unknown): number | undefined {
	return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}
