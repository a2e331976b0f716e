import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { statusOf } from '../service/errors';
import { readNext, type Progress, type Way } from './paging';
import { request, type Context } from '../service/request';
import { endOfRequest, type Deadline } from '../service/retry';
import { isDeep } from '../text/json';
import { LISTS, findList, readRecord, type Resource } from './lists';
import { readEndpoint, type Endpoint } from './records';

/** More requests than any list needs, as the limit for a list without an end. */
const MOST_REQUESTS = 1_000;

/** After so many empty pages in a row, no further page is requested, though the service states one. */
const MOST_EMPTY = 2;

/** With less time left (ms), a weak sign of more pages (`lists/paging.ts`) is ignored. A lifecycle call always has less. */
const SPARE_MS = 15_000;

/** Statuses that refuse the parameters of a page; 200 with a body that reports a failure. */
const PAGE_REFUSALS = [200, 400, 404, 422];

/** A list of the service, as far as it could be read. */
export interface ReadList<T> {
	value: T[];
	complete: boolean;
	/** Why the rest could not be read, if it is known. */
	error?: Error;
}

/** A list that is read. */
interface Reading extends Pick<Progress, 'count' | 'pages'> {
	context: Context;
	resource: Resource;
	deadline: Deadline;
	/** The endpoint of deliveries. */
	endpointId: string;
	/** The queries that were sent. */
	asked: Set<string>;
	/** The identities of the entries so far. */
	known: Set<string>;
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
	deadline: Deadline,
	{ limit = Infinity, endpointId = '' } = {},
): Promise<ReadList<unknown>> {
	const pages = requestPages(context, resource, deadline, endpointId);
	const value: unknown[] = [];
	for (let page = await pages.next(); ; page = await pages.next()) {
		if (page.done) return { value, complete: page.value };
		for (const entry of page.value) value.push(entry);
		if (value.length >= limit) return { value: value.slice(0, limit), complete: true };
	}
}

/**
 * Reads a list, page after page, until no sign of more pages is left. A weak sign costs one request, and
 * none in a lifecycle call.
 *
 * @yields the new entries of each page
 * @returns whether the list is complete
 * @throws NodeApiError for a failed request, and for an answer without a list
 */
export async function* requestPages(
	context: Context,
	resource: Resource,
	deadline: Deadline,
	endpointId = '',
): AsyncGenerator<unknown[], boolean> {
	const sets = { asked: new Set<string>(), known: new Set<string>() };
	const reading: Reading = { context, resource, deadline, endpointId, ...sets, count: 0, pages: 0 };
	let page = await requestPage(reading, { query: {}, isStated: true });
	let empty = 0;
	for (;;) {
		yield page.added;
		empty = page.entries.length === 0 ? empty + 1 : 0;
		if (empty === MOST_EMPTY) return false;
		const lastId = readRecord(page.entries.at(-1), resource)?.id;
		const progress = { ...reading, query: page.query, length: page.entries.length, lastId };
		const next = readNext(page.holders, page.headers, progress);
		if (!next || (next.isWeak && endOfRequest(deadline) - Date.now() < SPARE_MS)) return true;
		const following = await requestNext(reading, next.ways);
		// If the only sign was weak and no way brings entries, the list is complete.
		if (typeof following === 'boolean') return following && next.isWeak;
		page = following;
	}
}

/**
 * Tries the ways to the next page.
 *
 * @returns the page; without one, whether the service has none, as far as its answers show
 * @throws NodeApiError if a page that the service states can't be read
 */
async function requestNext(reading: Reading, ways: Way[]) {
	let isRefused = true;
	for (const way of ways) {
		if (reading.asked.has(JSON.stringify(way.query))) continue;
		if (reading.asked.size >= MOST_REQUESTS) return false;
		try {
			const page = await requestPage(reading, way);
			const isEnd = way.isStated && page.entries.length === 0;
			if (page.added.length > 0 || isEnd) return page;
		} catch (error) {
			const refuses = PAGE_REFUSALS.includes(statusOf(error) ?? 0);
			if (way.isStated && !refuses) {
				throw new NodeApiError(reading.context.getNode(), error as JsonObject);
			}
			isRefused &&= refuses;
		}
	}
	return isRefused;
}

async function requestPage(reading: Reading, { query, isStated }: Way) {
	const { context, resource, known } = reading;
	const path = LISTS[resource].path.replace('ID', encodeURIComponent(reading.endpointId));
	reading.asked.add(JSON.stringify(query));
	const answer = await request(context, { method: 'GET', path, query }, reading.deadline);
	const list = findList(answer.body, resource);
	if (!list) throw answer.unreadable(`a list of ${LISTS[resource].noun}`);
	const added = list.entries.filter((entry) => {
		const identity = identityOf(entry, resource);
		// Without an id, two records may be equal. A guessed page may be a repetition.
		if (identity === undefined) return isStated;
		const isNew = !known.has(identity);
		known.add(identity);
		return isNew;
	});
	reading.count += added.length;
	if (added.length > 0) reading.pages++;
	return { headers: answer.headers, query, ...list, added };
}

/** @returns the `id` of an endpoint or key, else all fields; undefined for a delivery without an `id` */
function identityOf(entry: unknown, resource: Resource): string | undefined {
	const { id } = readRecord(entry, resource) ?? {};
	if (LISTS[resource].fields.length > 0) return id;
	// Attempts of one delivery may have the same id.
	if (isDeep(entry) || (resource === 'deliveries' && id === undefined)) return undefined;
	return JSON.stringify(entry);
}

/**
 * Requests all endpoints of the workspace.
 *
 * @returns the endpoints with an ID, and whether the list is complete
 * @throws NodeApiError if the list can't be read
 */
export async function requestEndpoints(
	context: Context,
	deadline: Deadline,
): Promise<ReadList<Endpoint>> {
	const list = await requestList(context, 'webhooks', deadline);
	const value = list.value.map(readEndpoint).filter((endpoint) => endpoint !== undefined);
	return { value, complete: list.complete && value.length === list.value.length };
}
