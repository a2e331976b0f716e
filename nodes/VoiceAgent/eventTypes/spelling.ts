/*
 * How names of event types are spelled. The contract shows one name (`call.completed`, section 6), and
 * neither how deliveries nor how lists spell it.
 */

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
 * @returns the name as it is spelled; undefined if there is none
 */
export function nameFinder(names: string[]): (text: string) => string | undefined {
	let index: Map<string, string> | undefined;
	return (text) => {
		if (names.includes(text)) return text;
		if (text.length > LONGEST_NAME) return undefined;
		const known = (index ??= indexOf(names));
		return spellingsOf(text)
			.map((spelling) => known.get(spelling))
			.find((name) => name !== undefined);
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

/** Maps spellings to names. Of two names with one spelling, the closer one is kept, then the first. */
function indexOf(names: string[]): Map<string, string> {
	const index = new Map<string, string>();
	const ofAll = names
		.filter((name) => !isWildcard(name) && name.length <= LONGEST_NAME)
		.map((name) => {
			const words = spelledWords(name);
			const ends = endsOf(withoutVersion(words));
			// The text may lack the name's namespace. Two words are left at least: `ended` is anybody's.
			return { name, ways: [[name.toLowerCase()], [words.join('')], [ends[0]], ends.slice(2, -1)] };
		});
	for (const way of [0, 1, 2, 3]) {
		for (const { name, ways } of ofAll) {
			for (const spelling of ways[way] ?? []) {
				if (spelling && !index.has(spelling)) index.set(spelling, name);
			}
		}
	}
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
