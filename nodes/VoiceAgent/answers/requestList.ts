import { NodeApiError, type JsonObject } from 'n8n-workflow';

import { statusOf } from '../api/errors';
import { readNext, type Query } from '../api/paging';
import { request, type Context } from '../api/request';
import type { Deadline } from '../api/retry';
import { isObject } from '../matcher/fields';
import { LIST_NAMES, readList, readRecord, type Resource } from './lists';

/** More pages than any workspace has: ends a list that never ends. */
const MOST_PAGES = 1_000;

/** Requests for pages that bring nothing new: ends the looking for a way. */
const MOST_IDLE = 25;

/** A call that has less time left (ms) follows no weak sign: a lifecycle call has ten seconds in all. */
const SPARE_MS = 15_000;

/**
 * Reads a list, page after page for as long as anything says that there is more. Weak signs are
 * followed by one request, and only where there is time to spare: never in a lifecycle call.
 *
 * @param deadline made anew for each page, or one for all of them
 * @param limit how many entries are wanted at the most
 * @returns the entries, none twice, and whether they are all, as far as can be told
 * @throws NodeApiError also where no list can be found in an answer
 */
export async function requestList(
	context: Context,
	path: string,
	resource: Resource,
	deadline: () => Deadline,
	limit = Infinity,
): Promise<{ entries: unknown[]; complete: boolean }> {
	const entries = new Map<string, unknown>();
	const asked = new Set<string>();
	const equals = new Map<string, number>();
	let pages = 0;
	let idle = 0;

	const placeOf = (query: Query, at = path) => JSON.stringify([at, query]);
	const get = async (query: Query, at = path, isSaid = true) => {
		asked.add(placeOf(query, at));
		const given = deadline();
		const isHurried = given.endsAt - Date.now() < SPARE_MS;
		const answer = await request(context, { method: 'GET', path: at, query }, given);
		const list = readList(answer.body, resource);
		if (!list) throw answer.unreadable(`a list of ${LIST_NAMES[resource]}`);
		const before = entries.size;
		const equalsHere = new Map<string, number>();
		for (const entry of list.entries) {
			const identity = identityOf(entry, resource);
			// Equal records without an id are as many: but not where a page may be the last one again.
			const counts = isSaid && !(isObject(entry) && entry.id) ? equals : equalsHere;
			const count = (counts.get(identity) ?? 0) + 1;
			counts.set(identity, count);
			const name = resource === 'deliveries' ? `${count} ${identity}` : identity;
			if (!entries.has(name)) entries.set(name, entry);
		}
		const isNew = entries.size > before;
		if (isNew) pages++;
		else idle++;
		return { ...answer, ...list, query, isNew, isHurried };
	};

	for (let page = await get({}); ; ) {
		const next = readNext(page.holders, page.headers, path, {
			query: page.query,
			length: page.entries.length,
			lastId: readRecord(page.entries.at(-1), resource)?.id,
			count: entries.size,
			pages: Math.max(pages, 1),
		});
		const all = [...entries.values()];
		if (!next || all.length >= limit || (next.isWeak && page.isHurried)) {
			return { entries: all.slice(0, limit), complete: true };
		}
		// What has weak signs only is whole if no way leads on.
		let isWhole = next.isWeak;
		let following: typeof page | undefined;
		for (const { query, path: at, isSaid } of next.ways) {
			if (following || asked.has(placeOf(query, at))) continue;
			if (idle > MOST_IDLE || pages >= MOST_PAGES) return { entries: all, complete: false };
			try {
				const tried = await get(query, at, isSaid);
				if (tried.isNew || (isSaid && tried.entries.length === 0)) following = tried;
			} catch (error) {
				const status = statusOf(error) ?? 0;
				const isNoWay = status >= 200 && status < 500 && ![401, 403, 429].includes(status);
				if (isSaid && !isNoWay) throw new NodeApiError(context.getNode(), error as JsonObject);
				isWhole &&= isNoWay;
				idle++;
			}
		}
		if (!following) return { entries: all, complete: isWhole };
		page = following;
	}
}

/** What tells an entry of a list from the others: its `id`, or all of it. */
function identityOf(entry: unknown, resource: Resource): string {
	// A delivery's id may be the same for each of its attempts.
	const isRecord = resource === 'apiKeys' || resource === 'webhooks';
	return (isRecord && readRecord(entry, resource)?.id) || JSON.stringify(entry);
}
