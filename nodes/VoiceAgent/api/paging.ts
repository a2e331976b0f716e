import { isTotal } from '../matcher/fields';
import { isObject } from '../matcher/json';

/*
 * Finds the next page of a list. The contract shows no paging (section 4), so each sign of more entries
 * counts in the places of paging. `{ "data": […], "next_cursor": "abc" }` → query `cursor=abc`. A sign
 * without a query (`"has_more": true`) → the usual parameters are tried in turn.
 */

/** The query of a request for a page. */
export type Query = Record<string, string>;

/** How far a list was read. */
export interface Progress {
	/** The query of the current page. */
	query: Query;
	/** How many entries that page has. */
	length: number;
	/** The `id` of its last entry, where it has one. */
	lastId?: string;
	/** How many entries were read, each counted once. */
	count: number;
	/** How many pages had new entries. */
	pages: number;
}

/** A way to the next page. */
interface Way {
	query: Query;
	/** Below the base URL; the list's own path if undefined. */
	path?: string;
	/** Whether the service states it. A guessed way counts only if it returns new entries. */
	isStated: boolean;
}

// Names without case and separators: `next_page_token` is `nextpagetoken`.
const NEXT =
	/^(odata)?next(?!sync|poll|.*(at|date|time|attempt|retry|run)$)|^(end)?cursor$|^after$|^continuation(token)?$/;
const MORE = /^(has|is)?(more|next|truncated)(page|pages|results|items|records|data|available)?$/;
const LAST = /^(is)?(last|final|end|done|complete)(page|reached)?$/;
const PAGE = /^(current)?page(number|no|index)?$|^number$/;
const PAGES = /^(total|last|max|num|numberof)pages?$|^page(s|count|total|scount|stotal)$/;
const OFFSET = /^(offset|skip|startindex|startat)$/;
/** Objects of an envelope that hold paging: `_links`, `page_info`, `response_metadata`, … */
const PLACE =
	/^(links|(response)?meta(data)?|page|pageinfo|paging|paginat(ion|or)|resultinfo|cursors?|next)$/;
const ADDRESS = /^(https?:\/\/|\/|[\w./-]*\?)/;

const USUAL_LENGTHS = [10, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000];
const CURSOR_PARAMETERS = ['cursor', 'page_token', 'after', 'starting_after', 'token', 'next'];

/**
 * Finds the signs of further pages, and the queries for the next.
 *
 * @param around the objects that the list is in: signs count there, and in the paging objects of these
 * @param path of the list, below the base URL
 * @returns undefined at the end of the list; else the ways to try, the best first, and whether all
 *   signs are weak: a usual length, or `cursors.after`, which a last page may have too
 */
export function readNext(
	around: object[],
	headers: Record<string, unknown>,
	path: string,
	{ query, length, lastId, count, pages }: Progress,
): { ways: Way[]; isWeak: boolean } | undefined {
	const signs = signsIn(around, headers);
	const named = (pattern: RegExp) => signs.filter(({ plain }) => pattern.test(plain));
	const numbers = (found: typeof signs) => found.flatMap(({ value }) => numberOf(value) ?? []);
	const flags = [
		...named(MORE).flatMap(({ value }) => flagOf(value) ?? []),
		...named(LAST).flatMap(({ value }) => (flagOf(value) === undefined ? [] : !flagOf(value))),
	];
	// `cursors.after` is the end of this page. It is no sign beside a field for the next page.
	const firm = named(NEXT).filter(({ isPosition }) => !isPosition);
	const nexts = firm.length > 0 ? firm : named(NEXT);
	// At the end, a cursor may be that of the last entry.
	const isEnd = flags.includes(false) && !flags.includes(true);
	const stated = isEnd ? [] : nexts.flatMap(({ name, value }) => waysBy(name, value, path));
	const totals = signs.filter(({ name, value }) => isTotal(name) && numberOf(value) !== undefined);
	const pageCounts = numbers(named(PAGES));
	const isMore =
		(stated.length > 0 && nexts === firm) ||
		flags.includes(true) ||
		numbers(totals).some((total) => total > count) ||
		pageCounts.some((total) => total > pages);
	const isPaged =
		flags.length + nexts.length + pageCounts.length > 0 ||
		totals.some(({ plain }) => plain !== 'count');
	const isWeak = !isMore && (stated.length > 0 || (!isPaged && USUAL_LENGTHS.includes(length)));
	if (!isMore && !isWeak) return undefined;

	const addNext = (parameters: string[], value: unknown, step: number) => {
		const number = numberOf(value);
		if (number === undefined) return;
		for (const name of parameters) stated.push({ query: { [name]: String(number + step) } });
	};
	// The parameter may have another name than the field.
	for (const page of named(PAGE)) addNext(['page', page.name], page.value, 1);
	for (const offset of named(OFFSET)) addNext([offset.name, 'offset'], offset.value, length);
	const page = numberOf(query.page);
	const cursors = isEnd ? [] : nexts.flatMap(({ value }) => cursorOf(value) ?? []);
	const of = (value: string | number | undefined, names: string[]) =>
		value === undefined ? [] : names.map((name): [string, string] => [name, String(value)]);
	const byId = of(lastId, ['starting_after', 'after', 'cursor']);
	const byNumber = [...of((page ?? 1) + 1, ['page']), ...of(count, ['offset'])];
	// The commonest parameters come first. Page 1 is the second page if pages are counted from 0.
	const usual = [
		...cursors.flatMap((cursor) => of(cursor, CURSOR_PARAMETERS)),
		...byId,
		...of(page === undefined ? 1 : undefined, ['page']),
		...byNumber,
		...of(lastId, ['before', 'after_id', 'last_id']),
		...of(count, ['skip']),
	];
	// A weak sign is worth one request, which has all of the commonest parameters.
	const guesses = isWeak ? [[...byId, ...byNumber]] : usual.map((one) => [one]);
	const ways: Way[] = [
		...stated.map((way) => ({ ...way, isStated: true })),
		...guesses.map((some) => ({ query: Object.fromEntries(some), isStated: false })),
	];
	// The parameters of the present query come first: after `?page=2`, `page=3`.
	const isProven = (way: Way) => Number(Object.keys(way.query).every((name) => name in query));
	ways.sort((one, other) => isProven(other) - isProven(one));
	return { ways: isWeak ? ways.slice(0, 1) : ways, isWeak };
}

/** Collects all possible signs: the fields in the places of paging, links in any form, and headers. */
function signsIn(around: object[], headers: Record<string, unknown>) {
	const linked = /<([^<>]*)>[^<]*;\s*rel="?next"?/i.exec(String(headers.link ?? ''))?.[1];
	const range = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1];
	const signs: Array<{ name: string; plain: string; value: unknown; isPosition: boolean }> = [];
	const places: Array<[fields: object, name: string]> = [
		[{ ...headers, next: linked, total: range }, ''],
		...around.map((fields): [object, string] => [fields, '']),
	];
	for (const [fields, place] of places) {
		for (const [written, value] of Object.entries(fields) as Array<[string, unknown]>) {
			if (value === undefined) continue;
			const name = written.replace(/^x-/, '');
			const plain = name.toLowerCase().replace(/[^a-z]/g, '');
			signs.push({ name, plain, value, isPosition: place === 'cursors' && plain === 'after' });
			if (isObject(value) && PLACE.test(plain)) places.push([value, plain]);
			const links = Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
			const next = links.find(({ rel }) => String(rel) === 'next');
			if (next) places.push([{ next }, '']);
		}
	}
	return signs;
}

/** `next: "/webhooks?page=2"` → query `page=2`; `next_token: "abc"` → `token=abc`, `next_token=abc` */
function waysBy(name: string, value: unknown, path: string): Array<Omit<Way, 'isStated'>> {
	const text = isObject(value) ? (value.href ?? value.url ?? value.uri ?? value.link) : value;
	const isAddress = typeof text === 'string' && ADDRESS.test(text) && !/token|cursor/i.test(name);
	if (isAddress && URL.canParse(text, 'https://any.example')) {
		// The host is ignored: behind a proxy, a service may state another one.
		const { pathname, searchParams } = new URL(text, 'https://any.example');
		const below = pathname.slice(pathname.lastIndexOf(path));
		return [
			{ query: Object.fromEntries(searchParams), path: below.startsWith(path) ? below : path },
		];
	}
	const cursor = cursorOf(text);
	if (cursor === undefined) return [];
	const rest = name.replace(/^(next|end)[_-]?/i, '') || 'cursor';
	const parameters = new Set([rest.charAt(0).toLowerCase() + rest.slice(1), name]);
	return [...parameters].map((parameter) => ({ query: { [parameter]: cursor } }));
}

function cursorOf(value: unknown): string | undefined {
	return ['number', 'string'].includes(typeof value) ? String(value) || undefined : undefined;
}

function flagOf(value: unknown): boolean | undefined {
	const text = String(value).toLowerCase();
	return text === 'true' || (text === 'false' ? false : undefined);
}

function numberOf(value: unknown): number | undefined {
	return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}
