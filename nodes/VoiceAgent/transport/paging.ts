import { fieldsIn, isObject, isTotal, type Field } from './read';

/*
 * The contract shows no paging (section 4). So every sign that a list has more is believed, and the
 * way that it says is followed; where it says none, the usual ways are tried.
 */

/** The query of a request for another page. */
export type Query = Record<string, string>;

/** What is known of a list so far. */
export interface Progress {
	/** How many entries were read, each counted once. */
	count: number;
	/** How many pages brought any. */
	pages: number;
	/** How many entries the page in hand has. */
	length: number;
	/** The id of the last entry, where it has one. */
	lastId?: string;
	/** The query that got the page in hand. */
	query: Query;
}

/** What a page says of the ones after it. */
export interface Next {
	/** Whether it is only of a usual length, which a whole list may be too. */
	isWeak: boolean;
	/** The requests that it names, the plainest first. */
	said: Array<{ query: Query; path?: string }>;
	/** The usual ways, of which one counts only if it brings new entries. */
	usual: Query[];
}

const NEXT =
	/^(odata)?next(page|cursor|token|offset|start|marker|key|id|link|url|uri|href|records)*$|^(end)?cursor$|^after$|^(continuation|scroll)(token|id|key)?$/;
const MORE = /^(has|is)?(more|next|truncated)(page|pages|results|items|records|data|available)?$/;
const LAST = /^(is)?(the)?(last|final|end|done|complete)(page|reached)?$/;
const PAGE = /^(current)?page(number|no|index)?$|^number$/;
const PAGES = /^(total|last|max|num|numberof)?pages?(count|total)?$/;
const OFFSET = /^(offset|skip|startindex|startat)$/;
const USUAL_LENGTHS = [10, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000];
const CURSOR_PARAMETERS = [
	'cursor',
	'page_token',
	'after',
	'starting_after',
	'token',
	'next',
	'page',
];
const ID_PARAMETERS = ['starting_after', 'after', 'after_id', 'last_id', 'cursor'];

/**
 * Reads what a page says of the ones after it.
 *
 * @returns undefined at the end of the list
 */
export function readNext(
	body: unknown,
	headers: Record<string, unknown>,
	path: string,
	{ count, pages, length, lastId, query }: Progress,
): Next | undefined {
	const fields = signsIn(body, headers);
	const valuesOf = (names: RegExp) =>
		fields.filter(({ name }) => names.test(name)).map(({ value }) => value);
	const numbersOf = (names: RegExp) => valuesOf(names).flatMap((value) => numberOf(value) ?? []);

	const flags = [
		...valuesOf(MORE).map(flagOf),
		...valuesOf(LAST).map((value) => (flagOf(value) === undefined ? undefined : !flagOf(value))),
	];
	const isEnd = flags.includes(false) && !flags.includes(true);
	const nexts = isEnd ? [] : fields.filter(({ name }) => NEXT.test(name));
	const said = nexts.flatMap((field) => waysOf(field, path));
	const totals = fields
		.filter(({ name }) => isTotal(name))
		.flatMap(({ value }) => numberOf(value) ?? []);
	const counts = numbersOf(PAGES).filter((_value, index) => !PAGE.test(fields[index]?.name ?? ''));
	const isMore =
		flags.includes(true) ||
		said.length > 0 ||
		totals.some((total) => total > count) ||
		counts.some((number) => number > pages);
	const saysNothing =
		flags.every((flag) => flag === undefined) && nexts.length === 0 && totals.length === 0;
	const isWeak = !isMore && saysNothing && USUAL_LENGTHS.includes(length);
	if (!isMore && !isWeak) return undefined;

	for (const page of numbersOf(PAGE)) said.push({ query: { page: String(page + 1) } });
	for (const { name, value } of fields.filter((field) => OFFSET.test(field.name))) {
		const offset = numberOf(value);
		if (offset !== undefined) said.push({ query: { [name]: String(offset + length) } });
	}
	const cursors = nexts.flatMap(({ value }) => cursorOf(value) ?? []);
	const page = numberOf(query.page);
	const usual: Query[] = [
		...cursors.flatMap((cursor) => CURSOR_PARAMETERS.map((name) => ({ [name]: cursor }))),
		...(lastId === undefined ? [] : ID_PARAMETERS.map((name) => ({ [name]: lastId }))),
		...(page === undefined ? [{ page: '1' }, { page: '2' }] : [{ page: String(page + 1) }]),
		...['offset', 'skip'].map((name) => ({ [name]: String(count) })),
	];
	// What has brought a page before is tried first.
	const isProven = (way: Query) => Number(Object.keys(way).every((name) => name in query));
	return { isWeak, said, usual: usual.sort((a, b) => isProven(b) - isProven(a)) };
}

/** All that may be a sign, headers and links included, by names of small letters alone. */
function signsIn(body: unknown, headers: Record<string, unknown>): Array<Field & { own: string }> {
	const links = fieldsIn(body)
		.flatMap(({ value }) => (Array.isArray(value) ? (value as unknown[]) : []))
		.filter(isObject)
		.filter(({ rel }) => rel === 'next')
		.map((link) => ({ name: 'next', value: link.href ?? link.url ?? link.uri, depth: 0 }));
	const header = typeof headers.link === 'string' ? linkedNext(headers.link) : undefined;
	const range = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1];
	return [
		{ name: 'next', value: header, depth: 0 },
		{ name: 'total', value: range, depth: 0 },
		...Object.entries(headers).map(([name, value]) => ({
			name: name.replace(/^x-/, ''),
			value,
			depth: 0,
		})),
		...fieldsIn(body),
		...links,
	]
		.filter(({ value }) => value !== undefined)
		.map((field) => ({
			...field,
			own: field.name,
			name: field.name.toLowerCase().replace(/[^a-z]/g, ''),
		}));
}

function linkedNext(header: string): string | undefined {
	const link = header.split(/,(?=\s*<)/).find((part) => /;\s*rel="?next"?/i.test(part));
	return link && /<([^>]+)>/.exec(link)?.[1];
}

function waysOf({ own, value }: Field & { own: string }, path: string): Next['said'] {
	const text = isObject(value) ? (value.href ?? value.url ?? value.link) : value;
	if (typeof text === 'string' && /^(https?:\/\/|\/|\?)/.test(text)) {
		const base = 'https://any.example';
		if (!URL.canParse(text, base)) return [];
		const { pathname, searchParams } = new URL(text, base);
		const at = pathname.lastIndexOf(path);
		return [{ query: Object.fromEntries(searchParams), path: at < 0 ? path : pathname.slice(at) }];
	}
	const cursor = cursorOf(value);
	if (cursor === undefined) return [];
	const name = own.replace(/^(next|end)[_-]?/i, '') || 'cursor';
	return [...new Set([name.charAt(0).toLowerCase() + name.slice(1), own])].map((parameter) => ({
		query: { [parameter]: cursor },
	}));
}

function cursorOf(value: unknown): string | undefined {
	return typeof value === 'number' || (typeof value === 'string' && value !== '')
		? String(value)
		: undefined;
}

function flagOf(value: unknown): boolean | undefined {
	return /^(true|false)$/i.test(String(value)) ? /true/i.test(String(value)) : undefined;
}

function numberOf(value: unknown): number | undefined {
	return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}
