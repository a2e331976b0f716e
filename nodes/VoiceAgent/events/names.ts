import { UserError } from 'n8n-workflow';

import { readChoices } from '../text/json';
import { memoize, spelledPlainly, splitWords } from '../text/words';

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
 * Makes a function that finds the name for a text: the text itself, or else the longest name that is the text's end
 * or ends in the text, whatever the case, separators and versions are. `call_completed`, `callCompleted.v1`,
 * `com.example.call.completed` → `call.completed`
 *
 * @param names wildcards are never found by another spelling
 * @returns the name in its own spelling; undefined if none fits
 */
export function nameFinder(names: string[]): (text: string) => string | undefined {
	return (text) => {
		if (names.includes(text)) return text;
		const lengths = names.map((name) => equalEnd(name, text));
		const longest = lengths.reduce((a, b) => Math.max(a, b), 0);
		return longest > 0 ? names[lengths.indexOf(longest)] : undefined;
	};
}

/** @returns true for an entry that covers several names: `*`, `call.*` */
export function isWildcard(entry: string): boolean {
	return entry.includes('*');
}

/** @returns the words of a text in lower case: `callCompleted` → `call`, `completed`; none for more than a name has */
export const spelledWords = memoize(
	(text): readonly string[] => {
		if (text.length > LONGEST_NAME) return [];
		const words = splitWords(text);
		return words.length > MOST_WORDS ? [] : words;
	},
	{ longest: LONGEST_NAME },
);

/** Writes a text in lower case, with a dot for each separator: `callCompleted` → `call.completed` */
export function spell(text: string): string {
	return spelledPlainly(text).replace(/[^\p{L}\p{N}*]+/gu, '.');
}

/**
 * How many letters and digits of a name and a text are equal, if one of them ends in the whole other one. A text of
 * two words has no namespace, and that of a name has at least two words before two others: `payment.failed` is not
 * `failed`, and `call.completed` is not `sub.call.completed`.
 */
function equalEnd(name: string, text: string): number {
	const lengths = spellingsOf(name).flatMap((ofName) =>
		spellingsOf(text).map((ofText) => {
			const [wholeName = '', wholeText = ''] = [ofName[0], ofText[0]];
			// Of two names with an equal end, the one that is all of the text is closer.
			if (wholeName === wholeText) return wholeName === '' ? 0 : wholeName.length + 1;
			const before = ofText.indexOf(wholeName);
			if (before > 0 && (before > 1 || ofText.length > 2)) return wholeName.length;
			const missing = ofName.indexOf(wholeText);
			return missing > 1 && missing < ofName.length - 1 ? wholeText.length : 0;
		}),
	);
	return lengths.reduce((a, b) => Math.max(a, b), 0);
}

/** The joined words from each one on, with and without versions: `b.c.v1` → `bcv1`, `cv1`, `v1` and `bc`, `c` */
const spellingsOf = memoize((name): readonly string[][] => {
	const words = isWildcard(name) ? [] : spelledWords(name);
	const first = words.findIndex((word) => !VERSION.test(word));
	const last = words.findLastIndex((word) => !VERSION.test(word));
	const plain = words.slice(Math.max(first, 0), last + 1);
	return [words, plain].map((ones) => ones.map((_word, start) => ones.slice(start).join('')));
});

/*
 * Selections of event types: names of the catalog, or for a pasted webhook also starts of names.
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

/** @returns true for a name of the catalog that is selected, by itself or by a wildcard such as `call.*` */
export function isCovered(name: string, selection: string[]): boolean {
	return selection.includes(name) || selection.some((entry) => covers(entry, name));
}

/**
 * Compares two selections, regardless of order, spelling and repetitions. An empty selection, `*` and
 * the whole catalog are the same: every event type.
 */
export function isSameSelection(listed: string[], chosen: string[], catalog: string[] = []) {
	const find = nameFinder([...catalog, ...chosen]);
	const formOf = (selection: string[]) => {
		const names = new Set(selection.map((entry) => find(entry) ?? entry));
		const hasAll =
			catalog.length > 0 && catalog.every((name) => isWildcard(name) || names.has(name));
		return isEveryType(selection) || hasAll ? '*' : [...names].sort().join();
	};
	return formOf(listed) === formOf(chosen);
}

/** @returns true for a selection of every event type: empty, or `*` */
export function isEveryType(selection: string[]): boolean {
	return selection.length === 0 || selection.some((entry) => /^\*+$/.test(entry));
}

/** Whether a wildcard is the start of a name. `call.*` covers `call.recording.ready`, but not `call`; `call` covers none. */
function covers(entry: string, name: string): boolean {
	const [head = '', rest] = spell(entry).split('*');
	const text = spell(name);
	return rest === '' && text.startsWith(head) && text.length > head.length;
}
