/*
 * Selections of event types: names of the catalog, or wildcards, since a catalog may offer them.
 */
import { isWildcard, nameFinder, spell } from './spelling';

/** @returns true for a name, spelled as in the catalog, that is selected: by itself or by a wildcard */
export function isCovered(name: string, selection: string[]): boolean {
	return (
		selection.includes(name) ||
		selection.some((entry) => isWildcard(entry) && fitsWildcard(name, entry))
	);
}

/**
 * Writes a selection out in the names of a catalog.
 *
 * @param others further names for entries, but not for wildcards
 * @returns the names as they are spelled there, and unknown entries as they are
 */
export function expand(selection: string[], catalog: string[], others: string[] = []): Set<string> {
	const names = new Set([...catalog, ...others]);
	const find = nameFinder([...names]);
	return new Set(
		selection.flatMap((entry) => {
			if (!isWildcard(entry)) return [names.has(entry) ? entry : (find(entry) ?? entry)];
			const covered = catalog.filter((name) => !isWildcard(name) && fitsWildcard(name, entry));
			return covered.length > 0 ? covered : [spell(entry)];
		}),
	);
}

/**
 * Compares two selections, whatever their order, spelling and repetitions. Every event type is an
 * empty selection, `*`, or the whole catalog.
 *
 * @param catalog without it, a wildcard equals itself alone
 */
export function isSameSelection(
	listed: string[],
	chosen: string[],
	catalog: string[] = [],
): boolean {
	const names = catalog.filter((name) => !isWildcard(name));
	const [one, other] = [expand(listed, names, chosen), expand(chosen, names, chosen)];
	const isEvery = (selection: string[], expanded: Set<string>) =>
		isEveryType(selection) || (names.length > 0 && names.every((name) => expanded.has(name)));
	if (isEvery(listed, one) || isEvery(chosen, other)) {
		return isEvery(listed, one) && isEvery(chosen, other);
	}
	return one.size === other.size && [...one].every((name) => other.has(name));
}

/** @returns true for a selection of every event type: empty, or `*` */
export function isEveryType(selection: string[]): boolean {
	return selection.length === 0 || selection.some((entry) => /^\*+$/.test(entry));
}

/** `*` is any text, also of several words: `call.*` covers `call.recording.ready`, not `call`. */
function fitsWildcard(text: string, wildcard: string): boolean {
	// Spelled, it has letters, digits, dots and stars only.
	const pattern = spell(wildcard).replaceAll('.', '\\.').replace(/\*+/g, '.+');
	return new RegExp(`^${pattern}$`).test(spell(text));
}
