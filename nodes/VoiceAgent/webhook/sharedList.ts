import type { Endpoint } from '../lists/records';
import type { ReadList } from '../lists/requestList';
import { listEndpoints, type CallContext } from './callContext';
import { hashOf } from '../auth/token';

/*
 * A delivery with an unknown token reads the list of endpoints. All triggers with a credential share one list, so
 * that invented tokens can neither flood the service nor keep a real token from being looked up.
 */

/** A list, with the time of its request (ms since the epoch). */
interface SharedList {
	at: number;
	value: Promise<ReadList<Endpoint>>;
}

/** How long a list counts as current (ms). */
const CURRENT_MS = 1_000;
/** How many lists are requested in a minute. After that, the last list only confirms tokens. */
const MOST_A_MINUTE = 20;
const SHARED_MS = 60_000;

/** The lists of the last minute by service and API key, the newest last. */
const recentLists = new Map<string, SharedList[]>();

/**
 * Lists the endpoints of the workspace, or returns the list of less than a second before.
 *
 * @returns the list, and whether it is current: after too many requests, it is up to a minute old
 * @throws NodeApiError if the list can't be read
 */
export async function listShared(call: CallContext) {
	const { baseUrl, apiKey } = call.credential;
	const owner = hashOf(`${baseUrl} ${apiKey}`);
	const now = Date.now();
	for (const [other, lists] of recentLists) {
		if (lists.every(({ at }) => now - at >= SHARED_MS)) recentLists.delete(other);
	}
	const recent = (recentLists.get(owner) ?? []).filter(({ at }) => now - at < SHARED_MS);
	const last = recent.at(-1);
	const isCurrent = last !== undefined && now - last.at < CURRENT_MS;
	if (last && (isCurrent || recent.length >= MOST_A_MINUTE)) {
		return { ...(await last.value), isCurrent };
	}
	const list = { at: now, value: listEndpoints(call) };
	recentLists.set(owner, [...recent, list]);
	return { ...(await list.value), isCurrent: true };
}
