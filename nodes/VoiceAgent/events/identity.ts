import { createHash } from 'crypto';

import { isDeep, isId, isObject, withoutSignature } from '../text/json';

/** What identifies an event, of a delivery and of the log alike: see {@link isSameEvent}. */
export interface EventIdentity {
	/** The event type; null for an unknown one, and for a batch of several types. */
	type: string | null;
	/** Ids that are said to be the event's or its delivery's. */
	ids: string[];
	/** The hash of the payload, see {@link canonicalText}; undefined for an unknown one. */
	digest?: string;
	/** Whether the payload can be of one event only: it has an id or a time. `{ type: 'call.ended' }` → false */
	hasUniquePayload?: boolean;
	/** Whether an id is the event's own for sure. Others may be those of attempts. */
	hasEventId?: boolean;
	/** Whether the payload may be a part of the delivered body, as in a log that shows only the body's data. */
	isPart?: boolean;
	/** The payload's field `id`, which may be its call's: it counts only where the other payload is unknown. */
	bareId?: string;
}

/** Longer ids are hashed, since thousands of them are remembered. */
const LONGEST_ID = 200;

/** Fields that differ between the deliveries of an event: counters of attempts, times of sending, ids of deliveries. */
const OF_DELIVERY =
	/^(delivery_?)?(attempts?|retry|retries)(_?(count|number|num|no))?$|^(sent|delivered|dispatched)(_?(at|on|time))?$|^(delivery|dispatch|transmission)_?(id|uuid|time|timestamp)$/i;

/**
 * Decides whether two identities are of one event. Two whole payloads have to be equal: the id may be that of the
 * call, and stand in each of its events. Else a shared id decides.
 *
 * `evt_1` with payload A, `evt_1` with payload B → false; `evt_1` with payload A, `evt_1` without a payload → true;
 * attempt `d1` with payload A, attempt `d2` with payload A → true
 */
export function isSameEvent(one: EventIdentity, other: EventIdentity): boolean {
	if (one.type && other.type && one.type !== other.type) return false;
	const sharesId = one.ids.some((id) => other.ids.includes(id));
	if (one.digest !== undefined && one.digest === other.digest) {
		return sharesId || (!mayDiffer(one, other) && !mayDiffer(other, one));
	}
	const areWhole = [one, other].every(({ digest, isPart }) => digest !== undefined && !isPart);
	return !areWhole && (sharesId || isBareIdIn(one, other) || isBareIdIn(other, one));
}

function isBareIdIn({ bareId }: EventIdentity, { ids }: EventIdentity): boolean {
	return bareId !== undefined && ids.includes(bareId);
}

/**
 * Whether two events of equal payloads may be different ones: if the payload is no event's alone and the event has an
 * id, or if both have an id of their own, which the payload lacks. A delivery's id may be its own in each attempt.
 */
function mayDiffer(one: EventIdentity, other: EventIdentity): boolean {
	if (!one.hasUniquePayload) return one.ids.length > 0;
	const isInPayload = one.bareId !== undefined && one.ids.includes(one.bareId);
	return one.hasEventId === true && !isInPayload && other.hasEventId === true;
}

/** How many events with one ID or payload are compared. Some services send an ID that all events share. */
const MOST_COMPARED = 200;

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

	/** @param isWanted a further condition. @returns the newest event under the first key that has one */
	find(identity: EventIdentity, isWanted: (event: Event) => boolean = () => true) {
		for (const key of keysOf(identity)) {
			const isFound = (event: Event) => isSameEvent(event, identity) && isWanted(event);
			const found = this.byKey.get(key)?.slice(-MOST_COMPARED).findLast(isFound);
			if (found) return found;
		}
		return undefined;
	}

	private index(event: Event): void {
		for (const key of keysOf(event)) {
			const sharing = this.byKey.get(key);
			if (sharing) sharing.push(event);
			else this.byKey.set(key, [event]);
		}
	}
}

/** Leaves out each event that equals an earlier one. */
export function eachOnce<Event>(events: Event[], identityIn: (event: Event) => EventIdentity) {
	const index = new EventIndex<EventIdentity>();
	return events.filter((event) => {
		const identity = identityIn(event);
		if (index.find(identity)) return false;
		index.add(identity);
		return true;
	});
}

/** @returns texts of which two identities of one event share at least one */
function keysOf({ ids, bareId, digest }: EventIdentity): string[] {
	const all = bareId === undefined ? ids : [...ids, bareId];
	return [...all.map((id) => `id ${id}`), ...(digest === undefined ? [] : [`digest ${digest}`])];
}

/** Makes the identity of an event. @param payload null for an unknown one */
export function identityOf(
	type: string | null,
	ids: string[],
	payload: unknown,
	hasEventId = false,
) {
	const text = payload === null ? undefined : canonicalText(payload);
	const digest = text === undefined ? undefined : hash(text);
	const { sure, bare: bareId } = readBodyIds(payload);
	const hasUniquePayload = sure.length > 0 || bareId !== undefined || hasDigits(text ?? '');
	const known = digest !== undefined && { digest, hasUniquePayload };
	return { type, ids: [...new Set(ids)], hasEventId, bareId, ...known };
}

/** @returns an id as text; null for other values, and for numbers so large that JSON rounds them */
export function idIn(value: unknown): string | null {
	const isExact = typeof value === 'string' || Number.isSafeInteger(value);
	if (!isExact || !isId(value)) return null;
	const id = String(value);
	return id.length > LONGEST_ID ? hash(id) : id;
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
	const nameList = () => Object.keys(Object(event) as object).join();
	return id ?? hash(canonicalText(event) ?? nameList());
}

/**
 * Writes a JSON value in one order of its fields, since a database may change it, and without what differs between
 * the deliveries of one event.
 *
 * @returns undefined for a value that nests too deep, and for no value
 */
function canonicalText(value: unknown): string | undefined {
	return isDeep(value) ? undefined : JSON.stringify(value, canonical);
}

/** Tests for digits, as of ids and times, but not of phone numbers and signed URLs: `{"from":"+14155550187","type":"ended"}` → false */
function hasDigits(text: string): boolean {
	return /\d/.test(text.replace(/"(\+[\d ().-]+|https?:[^"]*\?[^"]*)"/gi, ''));
}

/** Objects of a payload with fields of the delivery; the empty name is that of the payload itself. */
const ABOUT_DELIVERY = /^(|meta(data)?|delivery|webhook)$/i;

/** Sorts the fields without those of the delivery. A long number counts as a text of its digits. */
function canonical(name: string, value: unknown): unknown {
	if (Number.isInteger(value) && Number(value) >= 1e15) return BigInt(value as number).toString();
	if (typeof value === 'string') return withoutSignature(value);
	if (!isObject(value)) return value;
	const isAbout = ABOUT_DELIVERY.test(name);
	const fields = Object.entries(value).filter(([field]) => !(isAbout && OF_DELIVERY.test(field)));
	return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}
