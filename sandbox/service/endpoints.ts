import { randomBytes, randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects';
import type { EventType } from './events';

/** A webhook endpoint as the service stores it. */
export interface Endpoint {
	id: string;
	/** The URL as it was sent. */
	url: string;
	/** The event types chosen; undefined means all. */
	events?: string[];
	/** The endpoint's own signing secret (`whsec_…`). */
	secret: string;
	/** Fields of the record while the service sends nothing there, e.g. `{ status: 'disabled' }`. */
	disabled?: object;
	/** The time in ms since 1970, like `removedAt`. */
	createdAt: number;
	removedAt?: number;
	/** Aborted when the endpoint is removed, so that its retries end. */
	removal: AbortController;
}

/** The workspace's webhook endpoints, oldest first. */
export class Endpoints {
	private readonly stored = new Map<string, Endpoint>();

	private readonly removed: Endpoint[] = [];

	/** @param lagMs the time until {@link shown} shows a change */
	constructor(private readonly lagMs: number) {}

	/** Makes an endpoint without storing it. */
	make({ url, events }: { url: string; events?: string[] }): Endpoint {
		return {
			id: randomUUID(),
			url,
			events,
			secret: `whsec_${randomBytes(24).toString('base64')}`,
			createdAt: Date.now(),
			removal: new AbortController(),
		};
	}

	add(endpoint: Endpoint): void {
		this.stored.set(endpoint.id, endpoint);
	}

	list(): Endpoint[] {
		return [...this.stored.values()];
	}

	/** The list as the API shows it, which may be late. */
	shown(): Endpoint[] {
		const moment = Date.now() - this.lagMs;
		const removed = this.removed.filter(({ removedAt = 0 }) => removedAt > moment);
		return [...removed, ...this.list()]
			.filter(({ createdAt }) => createdAt <= moment)
			.sort((one, other) => one.createdAt - other.createdAt);
	}

	get(id: string): Endpoint | undefined {
		return this.stored.get(id);
	}

	/** Removes an endpoint and ends its retries; false if there is none with this id. */
	remove(id: string): boolean {
		const endpoint = this.stored.get(id);
		if (!endpoint) return false;
		endpoint.removal.abort();
		endpoint.removedAt = Date.now();
		this.removed.push(endpoint);
		this.stored.delete(id);
		return true;
	}

	subscribedTo(type: string): Endpoint[] {
		return this.list().filter(
			({ disabled, events }) =>
				!disabled && (!events || events.some((pattern) => covers(pattern, type))),
		);
	}
}

/** Whether a chosen event type is the given one, or a wildcard that covers it: `*`, `call.*`. */
function covers(pattern: string, type: string): boolean {
	return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/** Whether two URLs differ in their query only. */
export function isSameAddress(one: string, other: string): boolean {
	return one.replace(/\?.*$/, '') === other.replace(/\?.*$/, '');
}

/** The fields of an endpoint's record in a dialect. */
export function endpointFields(
	{ id, url, events, disabled }: Endpoint,
	dialect: Dialect,
	catalog: readonly EventType[],
) {
	const shown = {
		chosen: events,
		empty: events ?? [],
		star: events ?? ['*'],
		catalog: events ?? catalog.map(({ type }) => type),
	}[dialect.listedEvents];
	return { id, url: shownUrl(url, dialect.listedUrl), events: shown, ...disabled };
}

function shownUrl(url: string, form: Dialect['listedUrl']): string {
	if (form === 'asSent') return url;
	if (form === 'masked') return maskQuery(url);
	if (form === 'dropped') return url.replace(/\?.*$/, '');
	const { protocol, hostname, port, pathname, search } = new URL(url);
	const query = search.slice(1).split('&').reverse().join('&');
	const escapesInUpperCase = (pathname + (query && `?${query}`)).replace(
		/%[\da-f]{2}/gi,
		(escape) => escape.toUpperCase(),
	);
	return `${protocol}//${hostname}:${port || '443'}${escapesInUpperCase}`;
}

/** @returns the URL with `***` as query, because the query holds the callback token */
export function maskQuery(url: string): string {
	return url.replace(/\?.*$/, '?***');
}
