import { namesOf } from './catalog';
import { listedEvents, listedUrl, stateOf } from './endpoints';
import { envelopList, listPath, shape, type Resource } from './envelopes';
import type { Service } from './grammar';
import type { Page } from './pages';

/** A registered endpoint; without events it gets all. */
export interface Endpoint {
	id: string | number;
	url: string;
	events?: string[];
	/** What its record shows since the service delivers to it no more, or since it was removed. */
	disabled?: Record<string, unknown>;
}

/** An API key, with its value. */
export interface Key {
	id: string | number;
	name: string;
	key: string;
	scopes: string[];
	/** What its record shows since it was revoked. */
	revoked?: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** The prefix of a key's value. */
const prefixOf = (key: string) => key.slice(0, 13);

/**
 * The record of a key.
 *
 * @param value shown where it was just created; otherwise what lists show in its place
 */
export function keyRecord(
	service: Service,
	{ id, name, key, scopes, revoked }: Key,
	n: number,
	value: Json = maskedKey(service, key),
): Json {
	return shape(service, id, { name, prefix: prefixOf(key), scopes, ...value, ...revoked }, n);
}

/** The record of an endpoint, in lists or in the answer of its creation. */
export function endpointRecord(
	service: Service,
	{ id, url, events, disabled }: Endpoint,
	n: number,
	isCreated: boolean,
): Json {
	const isShownAsSent = isCreated && service.createdUrl.kind === 'asSent';
	const isHidden = isCreated && service.createdEvents.kind === 'hidden';
	const fields = {
		url: isShownAsSent ? url : listedUrl(service, url),
		...(isHidden ? {} : listedEvents(service, events, namesOf(service))),
		...stateOf(service),
		...disabled,
	};
	return shape(service, id, fields, n);
}

/** The body of a list's page. */
export function listBody<Entry>(
	service: Service,
	resource: Resource,
	{ entries, said }: Page<Entry>,
	kind: Service['emptyList']['kind'],
	show: (entry: Entry, n: number) => unknown,
): unknown {
	const shown = kind === 'array' ? entries.map(show) : kind === 'nullInPlace' ? null : undefined;
	const body = envelopList(service, resource, shown, entries.length === 0, null);
	const path = listPath(service, resource);
	if (path.length === 0) return body;
	const { pagePlace, emptyList } = service;
	const innermost = path.slice(0, -1).reduce((held, name) => held[name] as Json, body as Json);
	if (kind === 'countOfZero' && emptyList.kind === 'countOfZero') innermost[emptyList.name] = 0;
	if (Object.keys(said).length === 0) return body;
	switch (pagePlace.kind) {
		case 'top':
			return Object.assign(body as Json, said);
		case 'named':
			return Object.assign(body as Json, { [pagePlace.name]: said });
		case 'nested': {
			const [outer, inner] = pagePlace.path;
			return Object.assign(body as Json, { [outer]: { [inner]: said } });
		}
		case 'besideList':
			Object.assign(innermost, said);
			return body;
	}
}

function maskedKey({ listedKey }: Service, key: string): Json {
	return {
		absent: {},
		null: { key: null },
		masked: { key: `${prefixOf(key)}***`, masked_key: `…${key.slice(-4)}` },
	}[listedKey.kind];
}
