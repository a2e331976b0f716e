import {
	FLAGS,
	firstPage,
	goesByLastId,
	goesByToken,
	OFFSETS,
	PAGES,
	parameterOf,
	type pagingAxes,
} from './paging';
import type { DrawnOf } from './production';

type Service = DrawnOf<typeof pagingAxes>;
type Json = Record<string, unknown>;
type Query = Record<string, string>;

/** A page of a list. */
export interface Page<Entry> {
	entries: Entry[];
	/** What is said of the paging, under names that stand at the page's place. */
	said: Json;
	headers: Record<string, string>;
	status: number;
}

/** Why a page is refused: a status for the answer. */
export type Refused = { refused: 400 | 404 };

/** Parameters that every service knows and may heed: they only ask for less. */
const HARMLESS = ['limit', 'per_page', 'perPage', 'page_size', 'pageSize', 'maxResults', 'take'];

/**
 * Cuts the page that a query asks for.
 *
 * @param url of the list, as the service gives it out
 * @param idOf the id of an entry, after which may be asked
 */
export function cutPage<Entry>(
	service: Service,
	all: Entry[],
	query: Query,
	url: string,
	idOf: (entry: Entry) => string,
): Page<Entry> | Refused {
	const { paging } = service;
	if (paging.kind === 'none') {
		const isUnknown = Object.keys(query).some((name) => !HARMLESS.includes(name));
		if (isUnknown && service.unknownQuery.kind === 'refused') return { refused: 400 };
		return { entries: all, said: {}, headers: {}, status: 200 };
	}
	const parameter = parameterOf(paging);
	const unknown = Object.keys(query).filter(
		(name) => name !== parameter && !HARMLESS.includes(name),
	);
	if (unknown.length > 0 && service.unknownQuery.kind === 'refused') return { refused: 400 };

	const start = startOf(service, all, query[parameter], idOf);
	if (start === undefined) return { refused: 400 };
	const isBeyond = start >= all.length && start > 0;
	if (isBeyond && service.beyond.kind === 'notFound') return { refused: 404 };
	const from =
		isBeyond && service.beyond.kind === 'lastAgain'
			? Math.max(0, Math.ceil(all.length / paging.size) - 1) * paging.size
			: start;
	const overlap = service.overlap.kind === 'oneEntry' && from > 0 && goesByToken(paging) ? 1 : 0;
	const entries = all.slice(from - overlap, from + paging.size);
	return { entries, ...tell(service, all, from, entries, url, idOf) };
}

/** Where the page begins that is asked for; undefined where that can't be told. */
function startOf<Entry>(
	service: Service,
	all: Entry[],
	asked: string | undefined,
	idOf: (entry: Entry) => string,
): number | undefined {
	const { paging } = service;
	if (asked === undefined || paging.kind === 'none') return 0;
	if (goesByToken(paging)) {
		const start = Number(Buffer.from(asked, 'base64').subarray(2).toString() || NaN);
		return Number.isInteger(start) ? start : undefined;
	}
	if (goesByLastId(service)) {
		const index = all.findIndex((entry) => idOf(entry) === asked);
		return index < 0 ? undefined : index + 1;
	}
	const number = Number(asked);
	if (!Number.isInteger(number) || number < 0) return undefined;
	if (parameterOf(paging).startsWith('page')) {
		return Math.max(0, number - firstPage(service)) * paging.size;
	}
	return number;
}

/** With the characters of base64 that a query has to escape. */
const tokenFor = (start: number) =>
	Buffer.concat([Buffer.from([0xfb, 0xff]), Buffer.from(String(start))]).toString('base64');

/** Says what the service says of a page: in the body, in headers, by the status. */
function tell<Entry>(
	service: Service,
	all: Entry[],
	from: number,
	entries: Entry[],
	url: string,
	idOf: (entry: Entry) => string,
): Omit<Page<Entry>, 'entries'> {
	const { paging, numbers, lastPage } = service;
	if (paging.kind === 'none') return { said: {}, headers: {}, status: 200 };
	const total = all.length;
	const next = from + paging.size < total ? from + paging.size : undefined;
	const number = (value: number) => (numbers.kind === 'text' ? String(value) : value);
	const isCircle = lastPage.kind === 'backToFirst' && goesByToken(paging) && total > paging.size;
	const nextOrFirst = next ?? (isCircle ? 0 : undefined);
	/** What leads on, or what the last page has in its place. */
	const onward = (name: string, value: (start: number) => unknown): Json => {
		if (nextOrFirst !== undefined) return { [name]: value(nextOrFirst) };
		if (lastPage.kind === 'null') return { [name]: null };
		return lastPage.kind === 'emptyText' ? { [name]: '' } : {};
	};
	const address = (start: number, form: string) => {
		const query = `?position=${encodeURIComponent(tokenFor(start))}`;
		const { origin, pathname } = new URL(url);
		if (form === 'query') return query;
		if (form === 'relative') return pathname + query;
		return (form === 'otherHost' ? 'https://internal.example.com' : origin) + pathname + query;
	};
	const answer = (said: Json, headers: Record<string, string> = {}, status = 200) => ({
		said,
		headers,
		status,
	});
	const page = Math.floor(from / paging.size) + firstPage(service);
	const pages = Math.max(1, Math.ceil(total / paging.size));

	switch (paging.kind) {
		case 'cursor':
			return answer(onward(paging.name, tokenFor));
		case 'graphql':
			return answer(
				paging.flag
					? { hasNextPage: next !== undefined, endCursor: tokenFor(next ?? total) }
					: onward('endCursor', tokenFor),
			);
		case 'url':
			return answer(onward(paging.name, (start) => address(start, paging.form)));
		case 'urlInLinks': {
			const href = (start: number) => address(start, paging.form);
			const self = address(from, paging.form);
			switch (paging.style) {
				case 'links.next':
					return answer({ links: { self, ...onward('next', href) } });
				case '_links.next.href':
					return answer({
						_links: { self: { href: self }, ...onward('next', (start) => ({ href: href(start) })) },
					});
				case 'links[]':
					return answer({
						links: [
							{ rel: 'self', href: self },
							...(nextOrFirst === undefined ? [] : [{ rel: 'next', href: href(nextOrFirst) }]),
						],
					});
				default:
					return answer(onward('next', (start) => ({ href: href(start), title: 'Next' })));
			}
		}
		case 'linkHeader': {
			if (nextOrFirst === undefined) return answer({});
			const quote = paging.rels === 'unquoted' ? '' : '"';
			const link = `<${address(nextOrFirst, paging.form)}>; rel=${quote}next${quote}`;
			const self = `<${address(from, paging.form)}>; rel=${quote}self${quote}`;
			const links = {
				alone: [link],
				unquoted: [link],
				first: [link, self],
				last: [self, link],
			}[paging.rels];
			return answer({}, { link: links.join(', ') });
		}
		case 'pages': {
			const names = PAGES[paging.name]!;
			return answer({
				[names.page]: number(page),
				[names.pages]: number(pages),
				...(names.size && { [names.size]: number(paging.size) }),
				...(names.total && { [names.total]: number(total) }),
			});
		}
		case 'pageAndTotal':
			return answer({
				page: number(page),
				per_page: number(paging.size),
				[paging.total]: number(total),
			});
		case 'nextPage':
			return answer({ page: number(page), ...onward(paging.name, () => number(page + 1)) });
		case 'offset': {
			const names = OFFSETS[paging.name]!;
			return answer({
				[names.offset]: number(from),
				[names.size]: number(paging.size),
				[names.total]: number(total),
			});
		}
		case 'nextOffset':
			return answer(onward(paging.name, number));
		case 'total':
			return answer({ [paging.name]: number(total) });
		case 'flag':
			return answer({ [paging.name]: (next !== undefined) === FLAGS[paging.name] });
		case 'lastId': {
			const last = entries.at(-1);
			return answer({
				has_more: next !== undefined,
				...(last !== undefined && { first_id: idOf(entries[0]!), last_id: idOf(last) }),
			});
		}
		case 'contentRange': {
			const range = entries.length > 0 ? `${from}-${from + entries.length - 1}` : '*';
			const isPartial = paging.partial && entries.length < total;
			return answer({}, { 'content-range': `items ${range}/${total}` }, isPartial ? 206 : 200);
		}
		case 'totalHeader':
			return answer({}, { [paging.name]: String(total) });
		case 'nextPageHeader':
			return answer({}, { 'x-page': String(page), 'x-next-page': next ? String(page + 1) : '' });
		case 'pagesHeader':
			return answer(
				{},
				{ 'x-total-pages': String(pages), ...(paging.withPage && { 'x-page': String(page) }) },
			);
		case 'cursorHeader':
			return answer({}, nextOrFirst === undefined ? {} : { [paging.name]: tokenFor(nextOrFirst) });
		case 'silent':
			return answer({});
	}
}
