/*
 * How names of event types are spelled. The contract shows one name (`call.completed`, section 6), and
 * neither how deliveries nor how lists spell it.
 */

/** Returns the name that a text stands for, as the name is spelled; undefined if there is none. */
export type NameFinder = (text: string) => string | undefined;

/** A word that is a version: `v1`, `v2beta3`. */
const VERSION = /^v\d\w*$/;

/** Longer texts are no names. */
const LONGEST_NAME = 200;

/**
 * Makes a function that finds the name a text stands for: itself, or spelled differently in case, in
 * separators (`call_completed`, `callCompleted`), with a version (`call.completed.v1`) or with a
 * namespace (`com.example.call.completed`). The closest spelling wins, then the first name.
 *
 * @param names wildcards among them are not found
 */
export function nameFinder(names: string[]): NameFinder {
	// Most texts are spelled as the name is, and need none of this.
	let letters: string[] | undefined;
	const found = new Map<string, string | undefined>();
	const search = (text: string): string | undefined => {
		// In each spelling of a text its last word comes last, but for a version.
		const word = withoutVersion(spelledWords(text)).at(-1) ?? '';
		letters ??= names.map(lettersOf);
		const spellings = indexOf(names.filter((_name, at) => letters?.[at]?.includes(word)));
		const fitting = spellingsOf(text).find((spelling) => spellings.has(spelling));
		return fitting === undefined ? undefined : spellings.get(fitting);
	};
	return (text) => {
		if (names.includes(text)) return text;
		if (text.length > LONGEST_NAME) return undefined;
		if (!found.has(text)) found.set(text, search(text));
		return found.get(text);
	};
}

/** @returns true for an entry that stands for several names: `*`, `call.*` */
export function isWildcard(entry: string): boolean {
	return entry.includes('*');
}

/** @returns the words of a text in lower case: `callCompleted` → `call`, `completed` */
export function spelledWords(text: string): string[] {
	return text.length > LONGEST_NAME ? [] : spell(text).split('.').filter(Boolean);
}

/** Writes a text in lower case, with one dot for each separator: `callCompleted` → `call.completed` */
export function spell(text: string): string {
	return text
		.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1.$2')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}*]+/gu, '.');
}

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Maps spellings to names. Of two names with one spelling, the closer one is kept, then the first. */
function indexOf(names: string[]): Map<string, string> {
	const index = new Map<string, string>();
	const spelled = names
		.filter((name) => !isWildcard(name) && name.length <= LONGEST_NAME)
		.map((name) => ({ name, words: spelledWords(name) }));
	const ways: Array<(name: string, words: string[]) => string[]> = [
		(name) => [name.toLowerCase()],
		(_name, words) => [words.join('')],
		(_name, words) => [withoutVersion(words).join('')],
		// The text lacks the name's namespace. Two words are left at least: `ended` is anybody's.
		(_name, words) => endsOf(withoutVersion(words)).slice(2, -1),
	];
	for (const way of ways) {
		for (const { name, words } of spelled) {
			for (const spelling of way(name, words)) {
				if (!index.has(spelling)) index.set(spelling, name);
			}
		}
	}
	index.delete('');
	return index;
}

/** A text's spellings, the closest first: in lower case, then its words without leading ones. */
function spellingsOf(text: string): string[] {
	const words = spelledWords(text);
	return [text.toLowerCase(), ...namesIn(words), ...namesIn(withoutVersion(words))];
}

/** `payment.failed` is not the `failed` of something else: a namespace of a single word has two. */
function namesIn(words: string[]): string[] {
	return endsOf(words).filter((_end, start) => start !== 1 || words.length > 2);
}

/** @returns the words joined from each of them on: `a`, `b`, `c` → `abc`, `bc`, `c` */
function endsOf(words: string[]): string[] {
	return words.map((_word, start) => words.slice(start).join(''));
}

function withoutVersion(words: string[]): string[] {
	const first = words.findIndex((word) => !VERSION.test(word));
	const last = words.findLastIndex((word) => !VERSION.test(word));
	return words.slice(Math.max(first, 0), last + 1);
}
