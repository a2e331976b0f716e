import type { Place } from './places';
import { isCovered, isEveryType } from './selection';
import { nameFinder, spelledWords } from './spelling';

/** The type of an event, as far as its places state it. */
export interface EventType {
	kind: EventKind;
	/** As it was selected or as the catalog spells it, else as the event does. */
	name?: string;
}

export type EventKind =
	/** It was selected; where every type is, it is one of the catalog's. */
	| 'selected'
	/** The catalog names it, and it was not selected. */
	| 'notSelected'
	/** The catalog does not name it. */
	| 'unknown'
	/** It has test words only. */
	| 'test'
	/** There is none, or only words of any delivery. */
	| 'none';

/** Reads event types for one selection and one catalog. */
export interface TypeReader {
	/** Reads the type of an event from its places. */
	read(places: Place[]): EventType;
	/** The type that a list's name gives its entries, `completed` → `call.completed`, if it is one. */
	ofList(name: string): string | undefined;
}

/** Words of any delivery, and of the verification of an endpoint. */
const QUIET =
	/^(((web)?hook|event|notification|message|callback|update|deliver(y|ie)|batch|bulk|list|subscription|request|url|endpoint)s?|handshake|challenge|verify|verification|validate|validation|confirm|confirmation)$/;

const TEST = /^(ping|tests?|testing|sample)$/;

/** Words that say what is called and how, but not what happened: `inbound_call`. */
const OF_ANY_CALL = /^(call|phone|web|inbound|outbound)$/;

/**
 * Makes the reader of event types.
 *
 * A selected type wins wherever it stands. Of the other names of the catalog, the surest place
 * decides, unless a surer one has a name that the catalog lacks: `call.moved` above `call.started`.
 *
 * @param selection names or wildcards; empty means every event type
 * @param catalog the names that could be selected
 */
export function typeReader(selection: string[], catalog: string[]): TypeReader {
	const isEvery = isEveryType(selection);
	const find = nameFinder([...selection, ...catalog]);

	const read = (unsorted: Place[]): EventType => {
		const places = unsorted.sort((one, other) => one.level - other.level);
		if (!isEvery) {
			const names = places.map(({ text }) => find(text));
			const name = names.find((found) => found !== undefined && isCovered(found, selection));
			if (name !== undefined) return { kind: 'selected', name };
		}
		const named = places.find(({ text }) => find(text) !== undefined);
		if (named) {
			const surer = places.find((place) => place.level < named.level && isLikeName(place));
			if (surer) return { kind: 'unknown', name: surer.text };
			return { kind: isEvery ? 'selected' : 'notSelected', name: find(named.text) };
		}
		return readWords(places.filter(({ isLabel }) => !isLabel));
	};
	return {
		read,
		ofList: (list) => {
			const word = list.toLowerCase();
			const isEnd = (name: string) =>
				name.toLowerCase().endsWith(word) && spelledWords(name).at(-1) === word;
			return find(list) ?? selection.find(isEnd) ?? (catalog.some(isEnd) ? list : undefined);
		},
	};
}

/** @returns true for a type that is more than words of any delivery */
export function isEvent({ kind }: EventType): boolean {
	return kind === 'selected' || kind === 'notSelected' || kind === 'unknown';
}

/** Tests the form of a name that a catalog may lack: `call.moved`, not `inbound_call` or `call`. */
function isLikeName({ text }: Place): boolean {
	const [, ...rest] = spelledWords(text);
	return !isOf(rest, QUIET, TEST, OF_ANY_CALL);
}

function isOf(words: string[], ...patterns: RegExp[]): boolean {
	return words.every((word) => patterns.some((pattern) => pattern.test(word)));
}

/** Reads the type of an event whose places hold no name of the catalog. */
function readWords(places: Place[]): EventType {
	const stated = places.filter(({ text }) => !isOf(spelledWords(text), QUIET));
	if (stated.length === 0) return { kind: 'none' };
	const unknown = stated.filter(({ text }) => !isOf(spelledWords(text), QUIET, TEST));
	const [kind, deciding] =
		unknown.length > 0 ? ['unknown' as const, unknown] : ['test' as const, stated];
	// Deeper down, it may be the type of something else.
	return { kind, name: deciding.find(({ level }) => level === 0)?.text };
}
