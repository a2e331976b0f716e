import type { TypePlace } from './places';
import { isCovered, isEveryType, nameFinder, spelledWords } from './names';

/** The type of an event, as its places state it. */
interface StatedType {
	kind: EventKind;
	/** In the spelling of the selection or the catalog; else in the event's own. */
	name?: string;
	/** Of an unknown type: whether it has words of its own. `status-update` → true; `inbound_call` → undefined */
	isStated?: boolean;
}

export type EventKind =
	/** It was selected. If every event type is selected, it is in the catalog. */
	| 'selected'
	/** The catalog names it, and it was not selected. */
	| 'notSelected'
	/** The catalog does not name it. */
	| 'unknown'
	/** It consists of test words only. */
	| 'test'
	/** The event has no type, or its words fit any delivery. */
	| 'none';

/** Reads the type of an event from its places, for one selection and one catalog. */
export type TypeReader = (places: TypePlace[]) => StatedType;

/** Words that fit any delivery, and words for the verification of an endpoint. */
const QUIET =
	/^(((web)?hook|event|notification|message|callback|update|deliver(y|ie)|batch|bulk|list|subscription|request|url|endpoint)s?|handshake|challenge|verify|verification|validate|validation|confirm|confirmation)$/;

const TEST = /^(ping|tests?|testing|sample)$/;

/** Words that fit any call, whatever happened in it: `inbound_call` */
const OF_ANY_CALL = /^(call|phone|web|inbound|outbound)$/;

/**
 * Makes the reader of event types.
 *
 * A selected type wins in every place. Of the other names of the catalog, the surest place decides,
 * unless a surer place has a name that the catalog lacks: `call.moved` above `call.started` → unknown.
 *
 * @param selection names or wildcards; empty means every event type
 * @param catalog the names that could be selected
 */
export function typeReader(selection: string[], catalog: string[]): TypeReader {
	const isEvery = isEveryType(selection);
	const find = nameFinder([...selection, ...catalog]);
	const isByWildcard = ({ text, isLabel }: TypePlace) =>
		!isEvery && !isLabel && isCovered(text, selection);
	return (unsorted) => {
		const sorted = unsorted.toSorted((one, other) => one.level - other.level);
		const nameOf = (place: TypePlace) =>
			find(place.text) ?? (isByWildcard(place) ? place.text : undefined);
		const places = sorted.map((place) => ({ ...place, name: nameOf(place) }));
		const named = places.flatMap(({ level, name }) => (name === undefined ? [] : { level, name }));
		const covered = named.find(({ name }) => isCovered(name, selection));
		if (covered && !isEvery) return { kind: 'selected', name: covered.name };
		const [first] = named;
		if (!first) return readWords(places.filter(({ isLabel }) => !isLabel));
		const surer = places.find(({ level, text }) => level < first.level && isLikeName(text));
		if (surer) return { kind: 'unknown', name: surer.text };
		return { kind: isEvery ? 'selected' : 'notSelected', name: first.name };
	};
}

/** Whether the selection or the catalog has the type. */
export function isKnownType({ kind }: StatedType): boolean {
	return kind === 'selected' || kind === 'notSelected';
}

/** @returns false for an event without a type, and for a test type: `notification`, `ping` */
export function isEvent(type: StatedType): boolean {
	return isKnownType(type) || type.kind === 'unknown';
}

/** Tests whether a text has the form of a name: `call.moved` → true; `inbound_call`, `call` → false */
function isLikeName(text: string): boolean {
	const [, ...rest] = spelledWords(text);
	return !isOf(rest, QUIET, TEST, OF_ANY_CALL);
}

function isOf(words: readonly string[], ...patterns: RegExp[]): boolean {
	return words.every((word) => patterns.some((pattern) => pattern.test(word)));
}

/** Reads the type of an event without a name of the catalog. */
function readWords(places: TypePlace[]): StatedType {
	// Below the top, the text may be the type of another thing.
	const nameIn = (deciding: TypePlace[]) => deciding.find(({ level }) => level === 0)?.text;
	const unknown = places.filter(({ text }) => !isOf(spelledWords(text), QUIET, TEST));
	if (unknown.length > 0) {
		const isOfCall = ({ text }: TypePlace) => isOf(spelledWords(text), QUIET, TEST, OF_ANY_CALL);
		return { kind: 'unknown', name: nameIn(unknown), isStated: !unknown.every(isOfCall) };
	}
	const tests = places.filter(({ text }) => !isOf(spelledWords(text), QUIET));
	return tests.length > 0 ? { kind: 'test', name: nameIn(tests) } : { kind: 'none' };
}
