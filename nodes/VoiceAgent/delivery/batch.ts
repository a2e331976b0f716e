import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../matcher/fields';
import { placesOf, placesOfHeaders, type Place } from '../eventTypes/places';
import { isEvent, type EventType, type TypeReader } from '../eventTypes/reader';
import { isOfCall } from './call';
import type { Headers } from './signatures';

/** An event of a body, and its type. */
export interface Entry {
	json: IDataObject;
	type: EventType;
}

/** A list of a body, and its name. */
type List = [name: string, entries: unknown[]];

/** So many entries of a list show whether it is one of events. */
const ENTRIES_SEEN = 20;

/** Lists of what happened to one thing before. */
const PAST = /timeline|history|journey|trail|log$/i;

/** Reads the events of a body: itself, or the entries of a batch. */
export function readEvents(body: unknown, headers: Headers, types: TypeReader): Entry[] {
	const common = placesOfHeaders(headers, body);
	if (Array.isArray(body)) return readList(['', body], common, types);
	const json = body === undefined || body === null ? {} : itemOf(body);
	const places = placesOf(json);
	const type = types.read([...common, ...places]);
	// A header may be that of all entries, unless it selects the body as it is.
	const isWhole = type.kind === 'selected' || isEvent(types.read(places));
	const lists = isWhole ? undefined : listsOf(json, types);
	return lists?.flatMap((list) => readList(list, common, types)) ?? [{ json, type }];
}

/**
 * Reads a batch: an object whose only arrays, at its top and one object below, are lists of events,
 * with nothing of a call beside them.
 *
 * `{"id": "b1", "events": [{"type": "call.started"}, {"type": "call.completed"}]}` → the two events
 *
 * @returns undefined if it is none
 */
function listsOf(body: IDataObject, types: TypeReader): List[] | undefined {
	const lists = [body, ...Object.values(body).filter(isObject)].flatMap((holder) =>
		Object.keys(holder)
			.filter((name) => Array.isArray(holder[name]))
			.map((name): List => [name, holder[name] as unknown[]]),
	);
	const filled = lists.filter(([, entries]) => entries.length > 0);
	if (filled.length === 0) {
		// An empty list is a batch of nothing only if there is nothing else.
		const [only, ...others] = Object.values(body);
		return Array.isArray(only) && others.length === 0 ? [] : undefined;
	}
	const isBatch = filled.every((list) => isOfEvents(list, types)) && !isOfCall(beside(body));
	return isBatch ? lists : undefined;
}

/** @returns a body without its lists */
function beside(body: IDataObject, isInner = false): IDataObject {
	return Object.fromEntries(
		Object.entries(body)
			.filter(([, value]) => !Array.isArray(value))
			.map(([name, value]) => [name, isObject(value) && !isInner ? beside(value, true) : value]),
	);
}

/** A list is one of events by its own name, by a name of the catalog, or if it is called events. */
function isOfEvents([name, entries]: List, types: TypeReader): boolean {
	const seen = entries.slice(0, ENTRIES_SEEN);
	if (PAST.test(name) || !seen.every(isObject)) return false;
	if (types.ofList(name) !== undefined) return true;
	const kinds = seen.map((entry) => types.read(placesOf(entry)).kind);
	return (
		kinds.some((kind) => kind === 'selected' || kind === 'notSelected') ||
		(/events?$/i.test(name) && kinds.every((kind) => kind !== 'none'))
	);
}

/** @param common places of all entries, for those without a type of their own */
function readList([name, entries]: List, common: Place[], types: TypeReader): Entry[] {
	// An array that is the body has no name.
	const ofList = name === '' ? undefined : types.ofList(name);
	const others = ofList === undefined ? common : [...common, { text: ofList, level: 0 }];
	return entries.map((entry) => {
		const json = itemOf(entry);
		const places = placesOf(json);
		const own = types.read(places);
		const isNamed = own.kind === 'selected' || own.kind === 'notSelected';
		if (isNamed) return { json, type: own };
		return { json, type: types.read([...places, ...others.map((one) => ({ ...one, level: 2 }))]) };
	});
}

function itemOf(value: unknown): IDataObject {
	return isObject(value) ? value : { body: value as IDataObject[string] };
}
