import { UserError } from 'n8n-workflow';

import { readChoices } from '../text/json';
import { memoize, normalized, separated, splitWords } from '../text/words';

/*
 * The spelling of event types. The contract shows one name (`call.completed`), but not how
 * deliveries and lists spell it.
 */

/** A version: `v1`, `v2beta3` */
const VERSION = /^v\d\w*$/;

/** A longer text, or one with more words, is no name of an event type. */
export const LONGEST_NAME = 200;
const MOST_WORDS = 20;

/**
 * Makes a function that finds the name for a text: the text itself, or a name that differs in case, in
 * separators (`call_completed`, `callCompleted`), by a version (`call.completed.v1`) or by a namespace
 * (`com.example.call.completed`). The closest spelling wins, then the first name.
 *
 * @param names wildcards are never found by another spelling
 * @returns the name in its own spelling; undefined if none fits
 */
export function nameFinder(names: string[]): (text: string) => string | undefined {
	return (text) => {
		if (names.includes(text)) return text;
		const known = indexOf(names.join('\n'));
		const spelling = variantsOf(text).find((one) => known.has(one));
		return spelling === undefined ? undefined : known.get(spelling);
	};
}

/** @returns true for an entry that covers several names: `*`, `call.*` */
export function isWildcard(entry: string): boolean {
	return entry.includes('*');
}

/** @returns the words of a text in lower case: `callCompleted` → `call`, `completed`; none for more than a name has */
export const spelledWords = memoize((text): readonly string[] => {
	if (text.length > LONGEST_NAME) return [];
	const words = splitWords(text);
	return words.length > MOST_WORDS ? [] : words;
});

/** Writes a text in lower case, with a dot for each separator: `callCompleted` → `call.completed` */
function spell(text: string): string {
	return normalized(separated(text)).replace(/[^\p{L}\p{M}\p{N}*]+/gu, '.');
}

/**
 * Maps spellings to names, a line each. Of two names with the same spelling, the closer one stays, then the first.
 * A process has few catalogs, and deliveries by the thousand.
 */
const indexOf = memoize(
	(names) => {
		const spellings = names
			.split('\n')
			.filter((name) => !isWildcard(name))
			.flatMap((name) => {
				const words = spelledWords(name);
				const ends = endsOf(withoutVersion(words));
				// A text may lack the name's namespace, but has at least two words: `ended` alone fits any name.
				const ways = [[name.toLowerCase()], [words.join('')], ends.slice(0, 1), ends.slice(2, -1)];
				return ways.flatMap((way, distance) =>
					way.map((spelling) => ({ spelling, name, distance })),
				);
			});
		// A map keeps the last name of a spelling.
		const lastIsClosest = spellings.reverse().sort((one, other) => other.distance - one.distance);
		return new Map(lastIsClosest.map(({ spelling, name }) => [spelling, name]));
	},
	{ most: 100, longest: 100_000 },
);

/** The spellings of a text, the closest first: in lower case, then with ever fewer leading words. */
function variantsOf(text: string): string[] {
	const words = spelledWords(text);
	return [text.toLowerCase(), ...possibleNames(words), ...possibleNames(withoutVersion(words))];
}

/** The last of two words alone is no name: `payment.failed` is not `failed`, but `com.example.failed` is. */
function possibleNames(words: readonly string[]): string[] {
	return endsOf(words).filter((_end, start) => start !== 1 || words.length > 2);
}

/** @returns the joined words from each word on: `a`, `b`, `c` → `abc`, `bc`, `c` */
function endsOf(words: readonly string[]): string[] {
	return words.map((_word, start) => words.slice(start).join(''));
}

function withoutVersion(words: readonly string[]): string[] {
	const first = words.findIndex((word) => !VERSION.test(word));
	const last = words.findLastIndex((word) => !VERSION.test(word));
	return words.slice(Math.max(first, 0), last + 1);
}

/*
 * Selections of event types: names of the catalog, or wildcards, which a catalog may offer.
 */

/**
 * Reads the event types that a user chose for an endpoint.
 *
 * @param chosen a parameter, see {@link readChoices}
 * @returns the names; empty for every event type
 * @throws UserError for an empty choice
 */
export function readSelection(chosen: unknown): string[] {
	const names = [...new Set(readChoices(chosen))];
	if (names.length > 0) return isEveryType(names) ? [] : names;
	throw new UserError(
		`'Event Names or IDs' is empty. Choose events from the list, or "Every Event" at its top.`,
	);
}

/** @returns true for a name of the catalog that is selected, by itself or by a wildcard */
export function isCovered(name: string, selection: string[]): boolean {
	return selection.includes(name) || selection.some((entry) => covers(entry, name));
}

/**
 * Replaces the entries of a selection by the names of a catalog.
 *
 * @param others further names, which wildcards don't cover
 * @returns the names in the catalog's spelling, and unknown entries unchanged
 */
export function expand(selection: string[], catalog: string[], others: string[] = []): Set<string> {
	const find = nameFinder([...catalog, ...others]);
	const names = selection.flatMap((entry) => {
		if (!isWildcard(entry)) return [find(entry) ?? entry];
		const covered = catalog.filter((name) => !isWildcard(name) && covers(entry, name));
		return covered.length > 0 ? covered : [spell(entry)];
	});
	return new Set(names);
}

/**
 * Compares two selections, regardless of order, spelling and repetitions. An empty selection, `*` and
 * the whole catalog are the same: every event type.
 *
 * @param catalog without it, a wildcard equals only itself
 */
export function isSameSelection(listed: string[], chosen: string[], catalog: string[] = []) {
	const names = catalog.filter((name) => !isWildcard(name));
	const formOf = (selection: string[]) => {
		const expanded = expand(selection, names, chosen);
		const hasAll = names.length > 0 && names.every((name) => expanded.has(name));
		return isEveryType(selection) || hasAll ? '*' : [...expanded].sort().join();
	};
	return formOf(listed) === formOf(chosen);
}

/** @returns true for a selection of every event type: empty, or `*` */
export function isEveryType(selection: string[]): boolean {
	return selection.length === 0 || selection.some((entry) => /^\*+$/.test(entry));
}

/**
 * Tests whether a wildcard covers a name. `call.*` covers `call.recording.ready`, but not `call`; `call` covers none. What
 * stands between two stars does not count.
 */
function covers(entry: string, name: string): boolean {
	if (!isWildcard(entry)) return false;
	const [head = '', ...inner] = spell(entry).split('*');
	const tail = inner.at(-1) ?? '';
	// As in a plain entry, a version behind the name makes no other event.
	const text = tail ? spell(name).replace(/\.v\d+$/, '') : spell(name);
	const isLonger = text.length > head.length + tail.length;
	return isLonger && text.startsWith(head) && text.endsWith(tail);
}
