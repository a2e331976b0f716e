import { NodeApiError, type JsonObject, NodeOperationError } from 'n8n-workflow';

import { KNOWN_NAME, readEventTypes } from './catalog';
import { LISTS, findList, readRecord, type Resource } from './lists';
import { readNext, type Progress, type Way } from './paging';
import { readEndpoint, type Endpoint } from './records';
import { statusOf } from '../service/errors';
import { request, type Context, type Query } from '../service/request';
import type { Deadline } from '../service/retry';
import { isDeep } from '../text/json';

/** More requests than any list needs, as the limit for a list without an end. */
const MOST_REQUESTS = 500;

/** After so many empty pages in a row, no further page is requested, though the service states one. */
const MOST_EMPTY = 2;

/** Statuses that refuse the parameters of a page; 200 with a body that reports a failure. */
const PAGE_REFUSALS = [200, 400, 404, 422];

/** A list of the service, as far as it could be read. */
export interface ReadList<T> {
	value: T[];
	/** Whether all entries were read, or as many as the limit asks for. */
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
	/** The keys of the entries so far. */
	known: Set<string | undefined>;
}

/**
 * Reads a list up to a limit.
 *
 * @returns the entries, each once, and whether the list is complete
 * @throws NodeApiError as {@link requestPages}
 */
export async function requestList(
	context: Context,
	resource: Exclude<Resource, 'deliveries'>,
	deadline: Deadline,
	limit = Infinity,
): Promise<ReadList<unknown>> {
	const pages = requestPages(context, resource, deadline);
	const value: unknown[] = [];
	for (let page = await pages.next(); ; page = await pages.next()) {
		if (page.done) return { value, complete: page.value };
		for (const entry of page.value) value.push(entry);
		if (value.length >= limit) return { value: value.slice(0, limit), complete: true };
	}
}

/**
 * Reads a list, page after page, until no sign of more pages is left, or a page has nothing new.
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
	const sets = { asked: new Set<string>(), known: new Set<string | undefined>() };
	const reading: Reading = { context, resource, deadline, endpointId, ...sets, count: 0, pages: 0 };
	let page = await requestPage(reading, {});
	let empty = 0;
	for (;;) {
		yield page.added;
		empty = page.entries.length === 0 ? empty + 1 : 0;
		if (empty === MOST_EMPTY) return false;
		const lastId = readRecord(page.entries.at(-1), resource)?.id;
		const progress = { ...reading, query: page.query, length: page.entries.length, lastId };
		const ways = readNext(page.holders, page.headers, progress);
		if (ways.length === 0) return true;
		const following = await requestNext(reading, ways);
		if (!following) return false;
		page = following;
	}
}

/**
 * Tries the ways to the next page.
 *
 * @returns undefined if no way leads to a page with new entries, nor a stated one to an empty page
 * @throws NodeApiError if a page that the service states can't be read
 */
async function requestNext(reading: Reading, ways: Way[]) {
	for (const { query, isStated } of ways) {
		if (reading.asked.has(JSON.stringify(query))) continue;
		if (reading.asked.size >= MOST_REQUESTS) return undefined;
		try {
			const page = await requestPage(reading, query);
			if (page.added.length > 0 || (isStated && page.entries.length === 0)) return page;
		} catch (error) {
			if (isStated && !PAGE_REFUSALS.includes(statusOf(error) ?? 0)) {
				throw new NodeApiError(reading.context.getNode(), error as JsonObject);
			}
		}
	}
	return undefined;
}

async function requestPage(reading: Reading, query: Query) {
	const { context, resource, known } = reading;
	const path = LISTS[resource].path.replace('ID', encodeURIComponent(reading.endpointId));
	reading.asked.add(JSON.stringify(query));
	const answer = await request(context, { method: 'GET', path, query }, reading.deadline);
	const list = findList(answer.body, resource);
	if (!list) throw answer.unreadable(`a list of ${LISTS[resource].noun}`);
	const keys = list.entries.map((entry) => keyOf(entry, resource));
	// Entries of one page are different ones, also where they are equal.
	const added = list.entries.filter((_entry, at) => !known.has(keys[at]));
	for (const key of keys) if (key !== undefined) known.add(key);
	reading.count += added.length;
	if (added.length > 0) reading.pages++;
	return { headers: answer.headers, query, ...list, added };
}

/**
 * Identifies an entry among the pages: by the `id` of an endpoint or key, else by all fields, without the queries of
 * URLs, which may be signed anew in each answer. Attempts of one delivery may have the same `id`.
 *
 * @returns undefined for an entry that can't be told from others
 */
function keyOf(entry: unknown, resource: Resource): string | undefined {
	if (LISTS[resource].fields.length > 0) return readRecord(entry, resource)?.id;
	if (isDeep(entry)) return undefined;
	return JSON.stringify(entry, (_name, value: unknown) =>
		typeof value === 'string' ? value.replace(/^(https?:[^?]*)\?.*/, '$1') : value,
	);
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

/**
 * Reads the service's catalog of event types, their only source (docs/the-service.md).
 *
 * @returns the event types, and whether the catalog is complete
 */
export async function listEventTypes(context: Context, deadline: Deadline) {
	const list = await requestList(context, 'eventTypes', deadline);
	const value = readEventTypes(list.value);
	// An unreadable entry may be any event type.
	return { value, complete: list.complete && value.length >= list.value.length };
}

/**
 * Checks event types against the catalog. If the catalog can't be read, a warning is logged, and the
 * service decides.
 *
 * @returns the names of the catalog; undefined for an unreadable catalog
 * @throws NodeOperationError with the unknown event types and the names of the catalog
 */
export async function assertEventTypes(context: Context, events: string[], deadline: Deadline) {
	const { value, complete } = await listEventTypes(context, deadline).catch((error: Error) => {
		context.logger.warn(
			`The event types were not checked, since the service's list of events could not be read: ${error.message}`,
		);
		return { value: [], complete: false };
	});
	const names = value.map(({ name }) => name);
	const unknown = events.filter((event) => !names.includes(event));
	// A catalog without the contract's name can't have been read as it is meant.
	if (unknown.length > 0 && complete && names.some((name) => KNOWN_NAME.test(name))) {
		throw new NodeOperationError(
			context.getNode(),
			`The service doesn't offer these events: ${unknown.join(', ')}. Choose from: ${names.join(', ')}`,
		);
	}
	return names.length > 0 ? names : undefined;
}
