import { randomBytes, randomUUID } from 'node:crypto';
import type { Dialect } from '../dialects';
import type { EventType } from './events';

/** A webhook endpoint as the service keeps it. */
export interface Endpoint {
	id: string;
	/** As it was sent. */
	url: string;
	/** The event types chosen; undefined means all. */
	events?: string[];
	/** The endpoint's own signing secret (`whsec_…`). */
	secret: string;
	/** Aborted when the endpoint is removed, so that its retries end. */
	removal: AbortController;
}

/** The workspace's webhook endpoints, oldest first. */
export class Endpoints {
	private readonly stored = new Map<string, Endpoint>();

	/** @param changed called after each change */
	constructor(private readonly changed: () => void) {}

	add({ url, events }: { url: string; events?: string[] }): Endpoint {
		const endpoint: Endpoint = {
			id: randomUUID(),
			url,
			events,
			secret: `whsec_${randomBytes(24).toString('base64')}`,
			removal: new AbortController(),
		};
		this.stored.set(endpoint.id, endpoint);
		this.changed();
		return endpoint;
	}

	list(): Endpoint[] {
		return [...this.stored.values()];
	}

	get(id: string): Endpoint | undefined {
		return this.stored.get(id);
	}

	/** Removes an endpoint and ends its retries; false if there is none with this id. */
	remove(id: string): boolean {
		this.stored.get(id)?.removal.abort();
		const found = this.stored.delete(id);
		this.changed();
		return found;
	}

	subscribedTo(type: string): Endpoint[] {
		return this.list().filter(({ events }) => !events || events.includes(type));
	}
}

/** An endpoint's record as the dialect shows it. */
export function endpointRecord(
	{ id, url, events }: Endpoint,
	dialect: Dialect,
	catalog: readonly EventType[],
) {
	const all = {
		chosen: undefined,
		empty: [],
		star: ['*'],
		catalog: catalog.map(({ type }) => type),
		hidden: undefined,
	}[dialect.listedEvents];
	return {
		id,
		url: shownUrl(url, dialect.listedUrl),
		events: dialect.listedEvents === 'hidden' ? undefined : (events ?? all),
	};
}

function shownUrl(url: string, form: Dialect['listedUrl']): string {
	if (form === 'asSent') return url;
	if (form === 'masked') return maskQuery(url);
	if (form === 'dropped') return url.replace(/\?.*$/, '');
	const { protocol, hostname, port, pathname, search } = new URL(url);
	const escapesInUpperCase = (pathname + search).replace(/%[\da-f]{2}/gi, (escape) =>
		escape.toUpperCase(),
	);
	return `${protocol}//${hostname}:${port || '443'}${escapesInUpperCase}`;
}

/** The URL with `***` for its query, where callback secrets stand. */
export function maskQuery(url: string): string {
	return url.replace(/\?.*$/, '?***');
}
