/*
 * Names of event types: which of them a text means, and what a selection of them covers. The contract
 * shows one name (`call.completed`, section 6), and neither how names are spelled in deliveries and
 * lists nor whether a catalog offers wildcards.
 */

/** Tells which name a text means, as the name is spelled; undefined where it means none. */
export type NameFinder = (text: string) => string | undefined;

/** Fewer are answered sooner by looking through the names than by making a set of them. */
const FEW_QUESTIONS = 30;

/** Longer texts are no names: nothing of what a service sends is taken apart at any length. */
const LONGEST_NAME = 200;

/**
 * Finds the name that a text means: itself, or spelled differently in a way that does no harm, which
 * is in case, in what stands between the words (`call_completed`, `callCompleted`), with a version
 * (`call.completed.v1`) or a namespace (`com.example.call.completed`) on either side. What fits more
 * closely goes first, so none of the names is ever taken for another; of those that fit alike, the
 * first one.
 *
 * @returns a function that builds its lookup when it first meets a text that is none of the names
 */
export function nameFinder(names: string[]): NameFinder {
	const has = memberOf(names);
	let bySpelling: Map<string, string> | undefined;
	return (text) => {
		if (has(text)) return text;
		if (text.length > LONGEST_NAME) return undefined;
		bySpelling ??= indexBySpelling(names);
		for (const spelling of spellingsOfText(text)) {
			const name = bySpelling.get(spelling);
			if (name !== undefined) return name;
		}
		return undefined;
	};
}

/** Finds the name that a text means; for several texts, see {@link nameFinder}. */
export function findName(text: string, names: string[]): string | undefined {
	return nameFinder(names)(text);
}

/** Makes a test of whether a text is one of some names, which builds a set where it is asked often. */
export function memberOf(names: string[]): (text: string) => boolean {
	let asked = 0;
	let set: Set<string> | undefined;
	return (text) => {
		if (++asked === FEW_QUESTIONS) set = new Set(names);
		return set ? set.has(text) : names.includes(text);
	};
}

/** Tells whether a name, spelled as in the catalog, is selected: by itself, or by a wildcard. */
export function isCovered(name: string, selection: string[]): boolean {
	return (
		selection.includes(name) ||
		selection.some((entry) => isWildcard(entry) && fitsWildcard(name, entry))
	);
}

/**
 * Writes a selection out in the names of a catalog.
 *
 * @param others names that entries may mean as well, but which wildcards don't stand for
 * @returns the names as they are spelled there, and the entries that mean none as they are
 */
export function expand(selection: string[], catalog: string[], others: string[] = []): Set<string> {
	const find = nameFinder([...catalog, ...others]);
	return new Set(
		selection.flatMap((entry) => {
			if (!isWildcard(entry)) return [find(entry) ?? entry];
			const covered = catalog.filter((name) => !isWildcard(name) && fitsWildcard(name, entry));
			return covered.length > 0 ? covered : [spell(entry)];
		}),
	);
}

/**
 * Tells whether two selections have the same event types delivered, whatever their order, spelling
 * and repetitions. Every event type is an empty selection, `*`, or all that the catalog has.
 *
 * @param catalog where it is known: without it, a wildcard is the same as itself alone
 */
export function isSameSelection(
	listed: string[],
	chosen: string[],
	catalog: string[] = [],
): boolean {
	const names = catalog.filter((name) => !isWildcard(name));
	const [one, other] = [expand(listed, names, chosen), expand(chosen, names, chosen)];
	const isEvery = (selection: string[], expanded: Set<string>) =>
		selection.length === 0 ||
		selection.some((entry) => spell(entry) === '*') ||
		(names.length > 0 && names.every((name) => expanded.has(name)));
	if (isEvery(listed, one) || isEvery(chosen, other)) {
		return isEvery(listed, one) && isEvery(chosen, other);
	}
	return one.size === other.size && [...one].every((name) => other.has(name));
}

/** Tells whether an entry stands for several names: `*`, `call.*`. */
export function isWildcard(entry: string): boolean {
	return entry.includes('*');
}

/** Tells whether a text is what a wildcard stands for; `*` is any text, also of several words. */
function fitsWildcard(text: string, wildcard: string): boolean {
	const [start = '', ...parts] = spell(wildcard).split(/\*+/);
	const end = parts.pop() ?? '';
	const spelled = spell(text);
	if (!spelled.startsWith(start) || !spelled.endsWith(end)) return false;
	const middle = spelled.slice(start.length, spelled.length - end.length);
	let from = 0;
	return (
		spelled.length > start.length + end.length &&
		parts.every((part) => {
			const at = middle.indexOf(part, from);
			from = at + part.length;
			return at >= 0;
		})
	);
}

/** Tells whether a text means what a wildcard stands for, also with a namespace or a version. */
export function isMeant(wildcard: string, text: string): boolean {
	const words = text.length > LONGEST_NAME ? [] : wordsOf(text);
	return words.some((_word, start) => fitsWildcard(words.slice(start).join('.'), wildcard));
}

/** @returns the words of a text in lower case: `call`, `completed` of `callCompleted` */
export function wordsOf(text: string): string[] {
	return spell(text).split('.').filter(Boolean);
}

/** Writes a text in lower case, with one dot for whatever stands between its words. */
function spell(text: string): string {
	return text
		.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1.$2')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}*]+/gu, '.');
}

/** The names by their spellings, of which the closer ones go first. */
function indexBySpelling(names: string[]): Map<string, string> {
	const index = new Map<string, string>();
	const spelled = names
		.filter((name) => !isWildcard(name) && name.length <= LONGEST_NAME)
		.map((name) => [name, spellingsOfName(name)] as const);
	const rounds = spelled.reduce((most, [, { length }]) => Math.max(most, length), 0);
	for (let round = 0; round < rounds; round++) {
		for (const [name, spellings] of spelled) {
			const spelling = spellings[round];
			if (spelling !== undefined && !index.has(spelling)) index.set(spelling, name);
		}
	}
	return index;
}

/** A name's spellings: in lower case, its words, without a version, without a namespace. */
function spellingsOfName(name: string): string[] {
	const words = wordsOf(name);
	const bare = withoutVersion(words);
	// What is left must be as telling as `call.completed`, for a text may be anything.
	const ends = bare.slice(0, -1).map((_word, start) => bare.slice(start));
	return [
		name.toLowerCase(),
		...[words, bare, ...ends.filter((_end, start) => start >= 2)].map((parts) => parts.join('')),
	];
}

/** A text's spellings: in lower case, and its words after whatever may be a namespace or a version. */
function spellingsOfText(text: string): string[] {
	const words = wordsOf(text);
	const bare = withoutVersion(words);
	const endsOf = (parts: string[]) =>
		parts
			.map((_word, start) => parts.slice(start))
			// `payment.failed` is not the `failed` of something else.
			.filter((end, start) => start !== 1 || end.length > 1)
			.map((end) => end.join(''));
	return [text.toLowerCase(), ...endsOf(words), ...endsOf(bare)];
}

function withoutVersion(words: string[]): string[] {
	const first = words.findIndex((word) => !/^v\d/.test(word));
	const last = words.findLastIndex((word) => !/^v\d/.test(word));
	return words.slice(Math.max(first, 0), last + 1);
}
