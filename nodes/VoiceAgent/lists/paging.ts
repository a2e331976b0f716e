import type { Query } from '../service/request';
import { isId, isObject } from '../text/json';
import { plainOf } from '../text/words';

/*
 * Finds the next page of a list. The contract shows no paging, so each sign of more entries
 * counts in the places of paging. `{ "data": […], "next_cursor": "abc" }` → query `cursor=abc`. A sign
 * without a query (`"has_more": true`) → a few usual parameters are tried in turn. No sign → no next page.
 */

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
export interface Way {
	query: Query;
	/** Whether the service states it. Another way counts only if it returns new entries. */
	isStated: boolean;
}

/** A field in a place of paging. */
interface Sign {
	name: string;
	/** The name without case and separators: `next_page_token` is `nextpagetoken`. */
	plain: string;
	value: unknown;
}

const NEXT =
	/^(odata)?next(?!js|sync|poll|.*(at|date|time|attempt|retry|run)$)|^(end)?cursor$|^after$|^continuation(token)?$|^(scrollid|lastevaluatedkey)$/;
const MORE =
	/^((has|is)?(more|truncated)|(has|is)next)(page|pages|results|items|records|data|available)?$/;
const LAST = /^(is)?(last|final|end|done|complete)(page|reached)?$/;
const PAGE = /^(current)?page(number|no|index)?$|^number$/;
const PAGES = /^(total|last|max|num|numberof)pages?$|^page(s|count|total|scount|stotal)$/;
const OFFSET = /^(offset|skip|startindex|startat)$/;
const TOTAL = /^(?=.)(total)?(count|items|results|records|entries|elements|hits)?(count|total)?$/;
/** Objects of an envelope that hold paging: `_links`, `page_info`, `response_metadata`, … */
const PLACE =
	/^(links|(response|list|page)?meta(data)?|pages?|pageinfo|paging|paginat(ion|or)|resultinfo|cursors?)$/;
const ADDRESS = /^(https?:\/\/|\/|[\w./-]*\?)/;
const TRUE = /^true$/i;
const FALSE = /^false$/i;
const NUMBER = /^\d{1,9}$/;
/** In place of the position of a next page. */
const NO_NEXT = /^(0|-\d+|none|null|false)$/i;

/** The names of a position in a list. */
const POSITION = /page|offset|skip|start|after|cursor|token/i;

/** The parameters that services use for a cursor, or for the `id` of the last entry. */
const CURSOR_PARAMETERS = ['starting_after', 'after', 'cursor'];

/**
 * Finds the signs of further pages, and the queries for the next.
 *
 * @param around the objects that the list is in: signs count there, and in the paging objects of these
 * @returns the ways to try, the best first; none at the end of the list
 */
export function readNext(around: object[], headers: Record<string, unknown>, progress: Progress) {
	const signs = signsIn(around, headers);
	const says = (names: RegExp, form: RegExp) => signsNamed(signs, names, form).length > 0;
	const exceeds = (names: RegExp, read: number) =>
		signsNamed(signs, names, NUMBER).some(({ value }) => Number(value) > read);
	const hasMore = says(MORE, TRUE) || says(LAST, FALSE);
	const isLast = !hasMore && (says(MORE, FALSE) || says(LAST, TRUE));
	// At the end, a cursor may be that of the last entry, and a total that of all time.
	if (isLast) return [];
	// A page may repeat the position that it was asked for with.
	const positions = Object.entries(progress.query).filter(([name]) => POSITION.test(name));
	const present = positions.map(([, value]) => value);
	const isNext = ({ plain, value }: Sign) =>
		NEXT.test(plain) && !NO_NEXT.test(String(value)) && !present.includes(String(value));
	const nexts = signs.filter(isNext);
	const stated = nexts.flatMap(queriesOf);
	const isCounted = exceeds(TOTAL, progress.count) || exceeds(PAGES, Math.max(progress.pages, 1));
	if (stated.length === 0 && !hasMore && !isCounted) return [];
	const counted = [...stated, ...nextNumbers(signs, progress.length)];
	return waysBy(counted, usualQueries(nexts, progress), progress.query);
}

/** Orders the ways: the parameters of the present query come first. After `?page=2` → `page=3` */
function waysBy(stated: Query[], usual: Query[], present: Query): Way[] {
	const ways = [
		...stated.map((query) => ({ query, isStated: true })),
		...usual.map((query) => ({ query, isStated: false })),
	];
	const isProven = ({ query }: Way) => Object.keys(query).every((name) => name in present);
	return [...ways.filter(isProven), ...ways.filter((way) => !isProven(way))];
}

/** Collects the fields in the places of paging, links in any form, and headers. */
function signsIn(around: object[], headers: Record<string, unknown>): Sign[] {
	const link = /<([^<>]*)>[^<]*;\s*rel="?next"?/i.exec(String(headers.link ?? ''))?.[1];
	const range = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1];
	const signs: Sign[] = [];
	const inHeaders = { ...(link && { next: link }), ...(range && { total: range }) };
	const places = [headers, inHeaders, ...around];
	for (const place of places) {
		for (const [written, value] of Object.entries(place) as Array<[string, unknown]>) {
			const name = written.replace(/^x-/, '');
			const plain = plainOf(name);
			signs.push({ name, plain, value });
			if (isObject(value) && PLACE.test(plain)) places.push(value);
			if (Array.isArray(value)) places.push(...nextLinks(value));
		}
	}
	return signs;
}

/** `[{ "rel": "next", "href": "/webhooks?page=2" }]` → the link as the field `next` */
function nextLinks(links: unknown[]): object[] {
	const next = links.filter(isObject).find(({ rel }) => String(rel) === 'next');
	return next ? [{ next }] : [];
}

/** `next: "/webhooks?page=2"` → `page=2`; `next_token: "abc"` → `token=abc`, `next_token=abc` */
function queriesOf({ name, plain, value }: Sign): Query[] {
	const stated = isObject(value) ? (value.href ?? value.url ?? value.uri ?? value.link) : value;
	if (!isId(stated)) return plain === 'next' && isObject(value) ? queryOf(value) : [];
	const text = String(stated);
	// The host is ignored: behind a proxy, a service may state another one.
	const base = 'https://any.example';
	if (ADDRESS.test(text) && !/token|cursor/i.test(name) && URL.canParse(text, base)) {
		return [Object.fromEntries(new URL(text, base).searchParams)];
	}
	const rest = name.replace(/^(next|end)[_-]?/i, '') || 'cursor';
	const parameters = new Set([rest.charAt(0).toLowerCase() + rest.slice(1), name]);
	return queriesBy([...parameters], text);
}

/** Reads an object in place of a link: `next: { page: 2, limit: 20 }` → `page=2&limit=20` */
function queryOf(fields: object): Query[] {
	const query = Object.entries(fields).filter(([, value]) => isId(value));
	return query.some(([name]) => POSITION.test(name))
		? [Object.fromEntries(query.map(([name, value]) => [name, `${value}`]))]
		: [];
}

/** The next page by the number of this one. The parameter may have another name than the field. */
function nextNumbers(signs: Sign[], length: number): Query[] {
	const pages = signsNamed(signs, PAGE, NUMBER);
	const offsets = signsNamed(signs, OFFSET, NUMBER);
	return [
		...pages.flatMap(({ name, value }) => queriesBy(['page', name], Number(value) + 1)),
		...offsets.flatMap(({ name, value }) => queriesBy([name, 'offset'], Number(value) + length)),
	];
}

/** The queries that services use, the commonest first. */
function usualQueries(nexts: Sign[], { query, lastId, count }: Progress): Query[] {
	// Without a number, this is the first page: the second has the number 1 if pages are counted from 0.
	const pages = NUMBER.test(String(query.page)) ? [Number(query.page) + 1] : [1, 2];
	const cursors = [...nexts.map(({ value }) => value), lastId].filter(isId);
	return [
		...queriesBy(CURSOR_PARAMETERS, ...cursors),
		...queriesBy(['page'], ...pages),
		...queriesBy(['offset'], count),
	];
}

function queriesBy(parameters: string[], ...values: Array<string | number>): Query[] {
	return values.flatMap((value) => parameters.map((name) => ({ [name]: String(value) })));
}

/** The signs with a name, where their value has a form. */
function signsNamed(signs: Sign[], names: RegExp, form: RegExp): Sign[] {
	return signs.filter(({ plain, value }) => names.test(plain) && form.test(String(value)));
}
