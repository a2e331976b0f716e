import type { IDataObject } from 'n8n-workflow';

import { readCallFields } from '../callDetails/callFields';
import { isCallEvent } from '../callDetails/callValues';
import { isObject } from '../text/json';
import { placesOf, placesOfHeaders, type TypePlace, type Headers } from '../events/places';
import { isEvent, isKnownType, type TypeReader } from '../events/reader';

/** An event of a body, and its event type. */
export type Entry = ReturnType<typeof readEvents>[number];

/** A list of a body, by its name. */
type NamedList = [name: string, entries: IDataObject[]];

/** The most events of a batch. A longer one is a single item, because each item costs as much as a delivery. */
const MOST_EVENTS = 1_000;

/** How many entries decide whether a list holds events. */
const ENTRIES_SEEN = 20;

/** Names of lists with the past events of one call: `timeline`, `callHistory`, `event_log` */
const PAST = /timeline|history|journey|trail|log$/i;

/** Fields that only an event of a call has, even where call details can't be read from it. */
const FIELD_OF_CALL = /^(call(?!back)|conversation|session|transcript|summary)/i;

/**
 * Tests whether a body holds any part of a call, by a wider rule than call details. Probes, challenges
 * and batches hold none. `{"call": {"id": 7}}` → true
 */
export function isAboutCall(body: unknown): boolean {
	if (!isObject(body)) return false;
	const names = [body, ...Object.values(body).filter(isObject)].flatMap(Object.keys);
	return names.some((name) => FIELD_OF_CALL.test(name)) || isCallEvent(readCallFields(body));
}

/** Reads the events of a body: the body itself, or the entries of a batch. */
export function readEvents(body: unknown, headers: Headers, readType: TypeReader) {
	const common = placesOfHeaders(headers, body);
	if (Array.isArray(body) && mayBeBatch([body])) return readEntries(body, common, readType);
	const json = body === undefined || body === null ? {} : itemOf(body);
	const places = placesOf(json);
	const type = readType([...common, ...places]);
	// A header may state the type of all entries, unless it selects the body as a whole.
	const isWhole = Array.isArray(body) || type.kind === 'selected' || isEvent(readType(places));
	const lists = isWhole ? undefined : listsOf(json, readType);
	return lists?.flatMap(([, list]) => readEntries(list, common, readType)) ?? [{ json, type }];
}

/**
 * Finds the lists of a batch: an object whose only arrays, at the top and one object below, are lists of
 * events, with no part of a call beside them.
 *
 * `{"id": "b1", "events": [{"type": "call.started"}, {"type": "call.completed"}]}` → the two events
 *
 * @returns undefined if the body is no batch
 */
function listsOf(body: IDataObject, readType: TypeReader): NamedList[] | undefined {
	const lists = [body, ...Object.values(body).filter(isObject)]
		.flatMap((holder) => Object.entries(holder))
		.filter((field): field is NamedList => Array.isArray(field[1]) && field[1].length > 0);
	const isBatch =
		lists.length > 0 &&
		mayBeBatch(lists.map(([, entries]) => entries)) &&
		lists.every((list) => isOfEvents(list, readType));
	return isBatch && !isAboutCall(beside(body)) ? lists : undefined;
}

/** Tests whether lists hold objects only, and not too many. `[1, 1, 1]` → false */
function mayBeBatch(lists: unknown[][]): boolean {
	const count = lists.reduce((sum, { length }) => sum + length, 0);
	return count <= MOST_EVENTS && lists.every((list) => list.every(isObject));
}

/** @returns a body without its lists */
function beside(body: IDataObject, isInner = false): IDataObject {
	return Object.fromEntries(
		Object.entries(body)
			.filter(([, value]) => !Array.isArray(value))
			.map(([name, value]) => [name, isObject(value) && !isInner ? beside(value, true) : value]),
	);
}

/** Tests whether a list holds events: by the event types of its entries, or by the name `events`. */
function isOfEvents([name, entries]: NamedList, readType: TypeReader): boolean {
	if (PAST.test(name)) return false;
	const types = entries.slice(0, ENTRIES_SEEN).map((entry) => readType(placesOf(entry)));
	const areEvents = /events?$/i.test(name) && types.every(({ kind }) => kind !== 'none');
	return areEvents || types.some(isKnownType);
}

/** @param common places that state the type of all entries, for entries without a type of their own */
function readEntries(entries: IDataObject[], common: TypePlace[], readType: TypeReader) {
	const others = common.map((place) => ({ ...place, level: 2 }));
	return entries.map((json) => {
		const places = placesOf(json);
		const own = readType(places);
		return { json, type: isKnownType(own) ? own : readType([...places, ...others]) };
	});
}

function itemOf(value: unknown): IDataObject {
	return isObject(value) ? value : { body: value as IDataObject[string] };
}
