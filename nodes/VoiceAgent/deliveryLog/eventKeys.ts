import { createHash } from 'crypto';

import { isDeep, isId, isObject } from '../matcher/json';

/*
 * The keys by which an event of the log is found again, in the log and in a later delivery:
 * - `id <id>`: an id of the event or of its delivery. Of digits only, it may be another thing's too, so
 *   the payload's digest follows.
 * - `hash <digest>`: the payload of an event without such an id.
 * - `hash-beside-id <digest>`: the payload of an event with an id. Two events may have the same payload
 *   and different ids, so it identifies only deliveries without one.
 */

/** What identifies a delivery: the ids in its body, and the digest of the body. */
type DeliveryIds = ReturnType<typeof readBodyIds> & { digest: string | undefined };

/** @returns an id as text; null for other values, and for numbers so large that JSON rounds them */
export function idIn(value: unknown): string | null {
	const isExact = typeof value === 'string' || Number.isSafeInteger(value);
	return isExact && isId(value) ? String(value) : null;
}

/** Reads the ids of an event and of its delivery from a body, those of the event first. */
export function readBodyIds(body: unknown) {
	const { id, event_id, eventId, event, delivery_id, deliveryId } = isObject(body) ? body : {};
	const inEvent = isObject(event) ? event.id : undefined;
	const stated = [event_id, eventId, inEvent, delivery_id, deliveryId];
	return {
		/** Ids that are said to be the event's or the delivery's. */
		sure: stated.flatMap((value) => idIn(value) ?? []),
		/** The body's `id`, which may be its call's. */
		bare: idIn(id) ?? undefined,
	};
}

/**
 * Hashes a JSON value in any order of its fields, since a database may change it.
 *
 * @returns undefined for a value that nests too deep, and for no value
 */
export function digestOf(value: unknown): string | undefined {
	if (value === undefined || isDeep(value)) return undefined;
	const canonical = JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
			: inner,
	);
	return createHash('sha256').update(canonical).digest('base64url');
}

/** Makes the keys of an event from the ids and the payload that the log states. */
export function keysOf(ids: string[], payload: unknown): string[] {
	const digest = digestOf(payload);
	const kind = ids.length > 0 ? 'hash-beside-id' : 'hash';
	return [...ids.map((id) => idKey(id, digest)), `${kind} ${digest}`];
}

/** @returns true if the delivery is of an event whose keys were stored */
export function isStored(keys: ReadonlySet<string>, { sure, bare, digest }: DeliveryIds): boolean {
	const ids = bare === undefined ? sure : [...sure, bare];
	const hashes = sure.length > 0 ? ['hash'] : ['hash', 'hash-beside-id'];
	const own = [...ids.map((id) => idKey(id, digest)), ...hashes.map((kind) => `${kind} ${digest}`)];
	return own.some((key) => keys.has(key));
}

function idKey(id: string, digest: string | undefined): string {
	return /^\d+$/.test(id) ? `id ${id} ${digest}` : `id ${id}`;
}
