/*
 * Names of event types: which of them a text means, and what a selection of them covers. The contract
 * shows one name (`call.completed`, section 6), and neither how names are spelled in deliveries and
 * lists nor whether a catalog offers wildcards.
 */

/** Tells which name a text means, as the name is spelled; undefined where it means none. */
export type NameFinder = (text: string) => string | undefined;

/** Fewer are answered sooner by looking through the names than by making a set of them. */
const FEW_QUESTIONS = 30;

/** A word that is a version: `v1`, `v2beta3`. */
const VERSION = /^v\d(\w*\d)?$/;
const ENDS_IN_VERSION = /v\d\w*$/i;

/** Longer texts are no names: nothing of what a service sends is taken apart at any length. */
const LONGEST_NAME = 200;

/**
 * Finds the name that a text means: itself, or spelled differently in a way that does no harm, which
 * is in case, in what stands between the words (`call_completed`, `callCompleted`), with a version
 * (`call.completed.v1`) or a namespace (`com.example.call.completed`) on either side. What fits more
 * closely goes first, so none of the names is ever taken for another; of those that fit alike, the
 * first one.
 *
 * @returns a function for as many texts as there are: what it found once, it knows
 */
export function nameFinder(names: string[]): NameFinder {
	const has = memberOf(names);
	const found = new Map<string, string | undefined>();
	return (text) => {
		if (has(text)) return text;
		if (text.length > LONGEST_NAME) return undefined;
		if (!found.has(text)) found.set(text, findBySpelling(text, names));
		return found.get(text);
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
		isEveryType(selection) || (names.length > 0 && names.every((name) => expanded.has(name)));
	if (isEvery(listed, one) || isEvery(chosen, other)) {
		return isEvery(listed, one) && isEvery(chosen, other);
	}
	return one.size === other.size && [...one].every((name) => other.has(name));
}

/** Tells whether a selection is every event type there is: empty, or `*`. */
export function isEveryType(selection: string[]): boolean {
	return (
		selection.length === 0 ||
		selection.some((entry) => entry.startsWith('*') && /^\*+$/.test(entry))
	);
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
	const words = text.length > LONGEST_NAME ? [] : spelledWords(text);
	return words.some((_word, start) => fitsWildcard(words.slice(start).join('.'), wildcard));
}

/** @returns the words of a text in lower case: `call`, `completed` of `callCompleted` */
export function spelledWords(text: string): string[] {
	return spell(text).split('.').filter(Boolean);
}

/** Writes a text in lower case, with one dot for whatever stands between its words. */
function spell(text: string): string {
	return text
		.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1.$2')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}*]+/gu, '.');
}

function findBySpelling(text: string, names: string[]): string | undefined {
	const spelled = namesEndingLike(text, names).map(
		(name) => [name, spellingsOfName(name)] as const,
	);
	if (spelled.length === 0) return undefined;
	const rounds = Math.max(...spelled.map(([, { length }]) => length));
	for (const spelling of spellingsOfText(text)) {
		for (let round = 0; round < rounds; round++) {
			const name = spelled.find(([, spellings]) => spellings[round] === spelling)?.[0];
			if (name !== undefined) return name;
		}
	}
	return undefined;
}

/** Keeps the names that a text may mean, by their letters alone: of ten thousand, only few are spelled out. */
function namesEndingLike(text: string, names: string[]): string[] {
	const words = spelledWords(text);
	const [whole, bare] = [words.join(''), withoutVersion(words).join('')];
	return names.filter(
		(name) =>
			!isWildcard(name) &&
			name.length <= LONGEST_NAME &&
			(endsLike(name, whole) || endsLike(name, bare) || ENDS_IN_VERSION.test(name)),
	);
}

/** Compares two texts from their ends, until one has no more letters. */
function endsLike(name: string, letters: string): boolean {
	let left = letters.length - 1;
	for (let at = name.length - 1; at >= 0 && left >= 0; at--) {
		const code = name.charCodeAt(at);
		// Beyond ASCII, it is left to the spellings.
		if (code > 127) return true;
		const isCapital = code >= 65 && code <= 90;
		const isLetter = isCapital || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
		if (isLetter && (isCapital ? code + 32 : code) !== letters.charCodeAt(left--)) return false;
	}
	return letters !== '';
}

/** A name's spellings: in lower case, its words, without a version, without a namespace. */
function spellingsOfName(name: string): string[] {
	const words = spelledWords(name);
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
	const words = spelledWords(text);
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
	const first = words.findIndex((word) => !VERSION.test(word));
	const last = words.findLastIndex((word) => !VERSION.test(word));
	return words.slice(Math.max(first, 0), last + 1);
}
