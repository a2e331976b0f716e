/*
 * Selections of event types: names of the catalog, or wildcards, which a catalog may offer.
 */
import { UserError } from 'n8n-workflow';

import { readChoices } from '../text/parameters';
import { isWildcard, nameFinder, spell } from './spelling';

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
 * Tests whether a wildcard covers a name. `call.*` covers `call.recording.ready`, but not `call`; `call` covers none.
 *
 * Each text between two stars is taken at its first place, which leaves the most room for those behind it. So no
 * place is tried twice, as a regular expression does.
 */
function covers(entry: string, name: string): boolean {
	if (!isWildcard(entry)) return false;
	const [head = '', ...inner] = spell(entry).split(/\*+/);
	const tail = inner.pop() ?? '';
	const text = spell(name);
	let end = head.length;
	for (const part of inner) {
		// A star covers any text, also several words, but not the empty one.
		const start = text.indexOf(part, end + 1);
		if (start < 0) return false;
		end = start + part.length;
	}
	return text.startsWith(head) && text.endsWith(tail) && end < text.length - tail.length;
}
