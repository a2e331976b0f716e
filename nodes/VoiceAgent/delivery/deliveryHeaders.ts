/** The headers of a delivery: those that a workflow may see, and the IDs in them. */
import { headerKind, type Headers } from '../events/headers';

/** Further headers that delivery details show. */
const OF_BODY = ['content-type', 'user-agent'];

/**
 * Chooses the headers that a workflow may see. All others are dropped: no list of names covers every
 * header that holds a secret or a personal address. Names of headers are in lower case.
 */
export function shownHeaders(headers: Headers): Headers {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => headerKind(name) ?? OF_BODY.includes(name)),
	);
}

/** @param endpointIds IDs that a header may hold without being the delivery's: `webhook-id: we_1` */
export function idsIn(headers: Headers, endpointIds: string[]): string[] {
	return Object.keys(headers)
		.filter((name) => headerKind(name) === 'id')
		.map((name) => String(headers[name]))
		.filter((id) => id !== '' && !endpointIds.includes(id));
}
