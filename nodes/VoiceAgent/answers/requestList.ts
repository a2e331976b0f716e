import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { statusOf } from '../api/errors';
import { readNext, type Query } from '../api/paging';
import { request, type Context } from '../api/request';
import type { Deadline } from '../api/retry';
import { fieldsIn } from '../matcher/fields';
import { isDeep, isFilled, isObject } from '../matcher/json';
import { LIST_NAMES, findList, readRecord, type Resource } from './lists';
import { readEndpoint, type Endpoint } from './records';

/** More pages than any workspace has, as the limit for a list without an end. */
const MOST_PAGES = 1_000;

/** The most requests without new entries, as the limit for the search for the next page. */
const MOST_IDLE_PAGES = 25;

/** With less time left (ms), a weak sign of more pages (`api/paging.ts`) is ignored. A lifecycle call always has less. */
const SPARE_MS = 15_000;

/**
 * Reads a list up to a limit.
 *
 * @returns the entries, each once, and whether the list is complete
 * @throws NodeApiError as {@link requestPages}
 */
export async function requestList(
	context: Context,
	path: string,
	resource: Resource,
	deadline: () => Deadline,
	limit = Infinity,
): Promise<{ entries: unknown[]; complete: boolean }> {
	const pages = requestPages(context, path, resource, deadline);
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
	path: string,
	resource: Resource,
	deadline: () => Deadline,
): AsyncGenerator<unknown[], boolean> {
	const known = new Set<string>();
	const asked = new Set<string>();
	const equals = new Map<string, number>();
	let pages = 0;
	let idle = 0;

	const placeOf = (query: Query, at = path) => JSON.stringify([at, query]);
	const get = async (query: Query, at = path, isStated = true) => {
		asked.add(placeOf(query, at));
		const given = deadline();
		const isHurried = given.endsAt - Date.now() < SPARE_MS;
		const answer = await request(context, { method: 'GET', path: at, query }, given);
		const list = findList(answer.body, resource);
		if (!list) throw answer.unreadable(`a list of ${LIST_NAMES[resource]}`);
		const added: unknown[] = [];
		const equalsHere = new Map<string, number>();
		for (const entry of list.entries) {
			const identity = identityOf(entry, resource);
			// On a stated page, an equal entry without an `id` is another entry. A guessed page may be a repetition.
			const counts = isStated && !(isObject(entry) && entry.id) ? equals : equalsHere;
			const count = (counts.get(identity) ?? 0) + 1;
			counts.set(identity, count);
			const name = resource === 'deliveries' ? `${count} ${identity}` : identity;
			if (!known.has(name)) added.push(entry);
			known.add(name);
		}
		if (added.length > 0) pages++;
		else idle++;
		return { ...answer, ...list, query, added, isHurried };
	};

	for (let page = await get({}); ; ) {
		yield page.added;
		const next = readNext(page.holders, page.headers, path, {
			query: page.query,
			length: page.entries.length,
			lastId: readRecord(page.entries.at(-1), resource)?.id,
			count: known.size,
			pages: Math.max(pages, 1),
		});
		if (!next || (next.isWeak && page.isHurried)) return true;
		// If all signs were weak and no way brings entries, the list is complete.
		let isComplete = next.isWeak;
		let following: typeof page | undefined;
		for (const { query, path: at, isStated } of next.ways) {
			if (following || asked.has(placeOf(query, at))) continue;
			if (idle > MOST_IDLE_PAGES || pages >= MOST_PAGES) return false;
			try {
				const tried = await get(query, at, isStated);
				const isEnd = isStated && tried.entries.length === 0;
				if (tried.added.length > 0 || isEnd) following = tried;
			} catch (error) {
				const status = statusOf(error) ?? 0;
				// A refusal such as 400 shows that the way is wrong. Other errors prove nothing.
				const isNoWay = status >= 200 && status < 500 && ![401, 403, 429].includes(status);
				if (isStated && !isNoWay) throw new NodeApiError(context.getNode(), error as JsonObject);
				isComplete &&= isNoWay;
				idle++;
			}
		}
		if (!following) return isComplete;
		page = following;
	}
}

/** The identity of an entry: its `id`, or all its fields; of a deep one, those of its outer levels. */
function identityOf(entry: unknown, resource: Resource): string {
	// Attempts of one delivery may have the same id.
	const isRecord = resource === 'apiKeys' || resource === 'webhooks';
	const id = isRecord && readRecord(entry, resource)?.id;
	if (id || !isDeep(entry)) return id || JSON.stringify(entry);
	const outer = fieldsIn(entry).map(({ name, value }) => (isFilled(value) ? name : [name, value]));
	return JSON.stringify(outer);
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
	const { entries, complete } = await requestList(context, '/webhooks', 'webhooks', deadline);
	const value = entries.map(readEndpoint).filter((endpoint) => endpoint !== undefined);
	return { value, complete: complete && value.length === entries.length };
}
