import { createHash } from 'crypto';

import { isDeep, isId, isObject } from '../text/json';

/**
 * What identifies an event. Two identities are of one event if they share a key, and their types are equal
 * or one of them is unknown: a service may use the id of the call for all of its events. The keys:
 * - `id <id>`: an id of the event or of its delivery. Of digits only, it may be another thing's too, so
 *   the payload's digest follows.
 * - `hash <digest>`: the payload of an event without an id of its own.
 * - `hash-beside-id <digest>`: the payload of an event with an id. Two events may have the same payload
 *   and different ids, so it identifies only deliveries without one.
 * - `record <id>`: a record of the log, which may lose its payload. Without an id, of one whose payload is unknown.
 */
export interface EventIdentity {
	/** The event type; null for an unknown one, and for a batch of several types. */
	type: string | null;
	keys: string[];
}

/** What identifies a delivery: the ids in its body, and the digest of the body. */
type DeliveryIds = ReturnType<typeof readBodyIds> & { digest: string | undefined };

const BESIDE_ID = 'hash-beside-id';

/** Events that are found by their identities. The oldest ones are forgotten. */
export class EventIndex<Event extends EventIdentity> {
	private events: Event[] = [];
	private byKey = new Map<string, Event[]>();

	/** @param most how many events are kept at least; up to twice as many are */
	constructor(private readonly most = Infinity) {}

	/** @returns the events that are forgotten for it, the oldest first */
	add(event: Event): Event[] {
		this.events.push(event);
		this.index(event);
		if (this.events.length <= 2 * this.most) return [];
		const forgotten = this.events.splice(0, this.events.length - this.most);
		this.byKey = new Map();
		for (const kept of this.events) this.index(kept);
		return forgotten;
	}

	/** @param isWanted a further condition */
	find(
		{ type, keys }: EventIdentity,
		isWanted: (event: Event) => boolean = () => true,
	): Event | undefined {
		const isOfType = (event: Event) => !type || !event.type || event.type === type;
		for (const key of keys) {
			const identifies = (event: Event) => isDecisive(key, keys) || isDecisive(key, event.keys);
			const found = this.byKey
				.get(key)
				?.find((event) => isOfType(event) && identifies(event) && isWanted(event));
			if (found) return found;
		}
		return undefined;
	}

	private index(event: Event): void {
		for (const key of event.keys) {
			const sharing = this.byKey.get(key);
			if (sharing) sharing.push(event);
			else this.byKey.set(key, [event]);
		}
	}
}

/** @returns false for the payload of an event with an id, unless the other side is a delivery without one */
function isDecisive(key: string, keys: string[]): boolean {
	return !key.startsWith(`${BESIDE_ID} `) || keys.includes(key.replace(BESIDE_ID, 'hash'));
}

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
 * Makes the id of a row for an event without the id of its call: an id of the event, else one of its delivery,
 * else a hash. `{ id: 'evt_1' }` → `evt_1`
 *
 * @param ofDelivery ids of the delivery
 */
export function rowIdOf(event: unknown, ofDelivery: string[]): string {
	const { sure, bare } = readBodyIds(event);
	const [id] = [...sure, ...(bare === undefined ? [] : [bare]), ...ofDelivery];
	// A value that nests too deep has no digest.
	return id ?? digestOf(event) ?? `${digestOf(Object.keys(Object(event) as object))}`;
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

/**
 * Makes the keys of an event of the log.
 *
 * @param ids of the event and of its deliveries
 * @param isNamed whether an id of the event itself is known: deliveries may have an id for each attempt
 */
export function keysOf(ids: string[], payload: unknown, isNamed: boolean): string[] {
	const digest = digestOf(payload);
	const kind = isNamed || (ids.length > 0 && !isDistinct(payload)) ? BESIDE_ID : 'hash';
	return [...ids.map((id) => idKey(id, digest)), `${kind} ${digest}`];
}

/** Makes the keys by which a delivery is found among events of the log. */
export function keysOfDelivery({ sure, bare, digest }: DeliveryIds): string[] {
	const ids = bare === undefined ? sure : [...sure, bare];
	const hashes = sure.length > 0 ? ['hash'] : ['hash', BESIDE_ID];
	return [...ids.map((id) => idKey(id, digest)), ...hashes.map((kind) => `${kind} ${digest}`)];
}

/** Tests whether a payload can be of one event only: ids and times have digits. `{ type: 'call.ended' }` → false */
export function isDistinct(payload: unknown): boolean {
	return !isDeep(payload) && /\d/.test(JSON.stringify(payload) ?? '');
}

function idKey(id: string, digest: string | undefined): string {
	return /^\d+$/.test(id) ? `id ${id} ${digest}` : `id ${id}`;
}
