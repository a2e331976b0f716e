import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { statusOf } from '../api/errors';
import { readNext, type Query, type Way } from '../api/paging';
import { request, type Context } from '../api/request';
import type { Deadline } from '../api/retry';
import { isDeep } from '../matcher/json';
import { LISTS, findList, readRecord, type FoundList, type Resource } from './lists';
import { readEndpoint, type Endpoint } from './records';

/** More requests than any list needs, as the limit for a list without an end. */
const MOST_REQUESTS = 1_000;

/** With less time left (ms), a weak sign of more pages (`api/paging.ts`) is ignored. A lifecycle call always has less. */
const SPARE_MS = 15_000;

/** Statuses that refuse the parameters of a page; 200 with a body that reports a failure. */
const PAGE_REFUSALS = [200, 400, 404, 422];

/** Requests the page of a query; undefined if it was requested before, or for too many requests. */
type RequestPage = (query: Query) => Promise<Page | undefined>;

interface Page extends FoundList {
	query: Query;
	headers: Record<string, unknown>;
	/** The entries that no earlier page had. */
	added: unknown[];
}

/**
 * Reads a list up to a limit.
 *
 * @returns the entries, each once, and whether the list is complete
 * @throws NodeApiError as {@link requestPages}
 */
export async function requestList(
	context: Context,
	resource: Resource,
	deadline: () => Deadline,
	{ limit = Infinity, endpointId = '' } = {},
): Promise<{ entries: unknown[]; complete: boolean }> {
	const pages = requestPages(context, resource, deadline, endpointId);
	let entries: unknown[] = [];
	for (let page = await pages.next(); ; page = await pages.next()) {
		if (page.done) return { entries, complete: page.value };
		entries = [...entries, ...page.value];
		if (entries.length >= limit) return { entries: entries.slice(0, limit), complete: true };
	}
}

/**
 * Reads a list, page after page, until no sign of more pages is left. A weak sign costs one request, and
 * none in a lifecycle call.
 *
 * @param deadline the deadline of each page, or one deadline for all pages
 * @yields the new entries of each page
 * @returns whether the list is complete
 * @throws NodeApiError for a failed request, and for an answer without a list
 */
export async function* requestPages(
	context: Context,
	resource: Resource,
	deadline: () => Deadline,
	endpointId = '',
): AsyncGenerator<unknown[], boolean> {
	const { noun, path: pattern } = LISTS[resource];
	const path = pattern.replace('ID', encodeURIComponent(endpointId));
	const asked = new Set<string>();
	const known = new Set<string>();
	let pages = 0;
	const requestPage: RequestPage = async (query) => {
		const parameters = JSON.stringify(query);
		if (asked.has(parameters) || asked.size >= MOST_REQUESTS) return undefined;
		asked.add(parameters);
		const answer = await request(context, { method: 'GET', path, query }, deadline());
		const list = findList(answer.body, resource);
		if (!list) throw answer.unreadable(`a list of ${noun}`);
		const added = list.entries.filter((entry) => {
			const before = known.size;
			return known.add(identityOf(entry, resource)).size > before;
		});
		if (added.length > 0) pages++;
		return { query, headers: answer.headers, ...list, added };
	};
	let page = await requestPage({});
	while (page) {
		yield page.added;
		const { query, entries, holders, headers } = page;
		const lastId = readRecord(entries.at(-1), resource)?.id;
		const progress = { query, length: entries.length, lastId, count: known.size, pages };
		const next = readNext(holders, headers, progress);
		if (!next || (next.isWeak && deadline().endsAt - Date.now() < SPARE_MS)) return true;
		page = await requestNext(context, next.ways, requestPage);
		// If the only sign was weak and no way brings entries, the list is complete.
		if (!page && next.isWeak) return true;
	}
	return false;
}

/**
 * Tries the ways to the next page.
 *
 * @returns the page; undefined if no way leads to one
 * @throws NodeApiError if a page that the service states can't be read
 */
async function requestNext(
	context: Context,
	ways: Way[],
	requestPage: RequestPage,
): Promise<Page | undefined> {
	for (const { query, isStated } of ways) {
		try {
			const page = await requestPage(query);
			const isEnd = isStated && page?.entries.length === 0;
			if (isEnd || page?.added.length) return page;
		} catch (error) {
			if (isStated && !PAGE_REFUSALS.includes(statusOf(error) ?? 0)) {
				throw new NodeApiError(context.getNode(), error as JsonObject);
			}
		}
	}
	return undefined;
}

/** @returns the `id` of a record; of a delivery all fields, since its attempts may have the same id */
function identityOf(entry: unknown, resource: Resource): string {
	const { id } = readRecord(entry, resource) ?? {};
	const isKnown = id !== undefined && resource !== 'deliveries';
	return isKnown || isDeep(entry) ? `id ${id}` : JSON.stringify(entry);
}

/**
 * Requests all endpoints of the workspace.
 *
 * @returns the endpoints with an ID, and whether the list is complete
 * @throws NodeApiError if the list can't be read
 */
export async function requestEndpoints(
	context: Context,
	deadline: () => Deadline,
): Promise<{ value: Endpoint[]; complete: boolean }> {
	const { entries, complete } = await requestList(context, 'webhooks', deadline);
	const value = entries.map(readEndpoint).filter((endpoint) => endpoint !== undefined);
	return { value, complete: complete && value.length === entries.length };
}
