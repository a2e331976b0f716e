/** Splits the name of a person into first and last name. */
import { PARTICLES, SUFFIXES, TITLES } from './vocabulary/nameWords';

/** The parts of a name; null for one that is unknown. */
interface NameParts {
	firstName: string | null;
	lastName: string | null;
}

/** Scripts of China, Japan and Korea, where the last name stands first. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Names in capitals, as carriers write them, have the last name first or last. */
const IN_CAPITALS = /^(?=.*\p{Lu})[^\p{Ll}]* [^\p{Ll}]*$/u;

/**
 * Splits a name. The last word is the last name, with the particles before it and the suffixes behind it; a
 * lone word is a last name. Names of several words in capitals are not split.
 * `Dr. Ada van der Berg` → `Ada`, `van der Berg`; `Lovelace, Ada` → `Ada`, `Lovelace`; `山田 太郎` → `太郎`, `山田`
 *
 * @param stated the parts that are known; beside one of them, the other is the rest of the name
 */
export function splitName(name: string, { firstName, lastName }: NameParts): NameParts {
	if (firstName !== null) return { firstName, lastName: lastName ?? restOf(name, firstName) };
	if (lastName !== null) return { firstName: restOf(name, lastName), lastName };
	if (IN_CAPITALS.test(name)) return { firstName, lastName };
	const [first, last] = wordsOfParts(name);
	return { firstName: first.join(' ') || null, lastName: last.join(' ') || null };
}

/** Returns the words of a first name and of a last name. */
function wordsOfParts(name: string): [string[], string[]] {
	const [before = [], behind, ...others] = name.split(/\s*,\s*/).map((part) => part.split(' '));
	const isTurned = behind && others.length === 0 && !behind.every(isSuffix);
	if (isTurned) return [withoutTitles(behind), before];
	const words = withoutTitles(name.split(' '));
	const start = FAMILY_FIRST.test(name) ? 1 : startOfLastName(words);
	const [front, back] = [words.slice(0, start), words.slice(start)];
	return FAMILY_FIRST.test(name) ? [back, front] : [front, back];
}

/** Returns where the last name begins. `Ada`, `van`, `der`, `Berg`, `Jr.` → 1 */
function startOfLastName(words: string[]): number {
	const isParticle = (word: string, at: number) =>
		// The first word of `Van Morrison` is no particle, that of `van Gogh` is one.
		PARTICLES.has(at === 0 ? word : word.toLowerCase());
	let start = Math.max(
		words.findLastIndex((word) => !isSuffix(word)),
		0,
	);
	while (start > 0 && isParticle(words[start - 1] ?? '', start - 1)) start--;
	return start;
}

/** Returns a name without one of its parts, which stands first or last. `Ada Lovelace`, `Ada` → `Lovelace` */
function restOf(name: string, part: string): string | null {
	const [whole, known] = [name.toLowerCase(), part.toLowerCase()];
	const isFirst = whole.startsWith(`${known} `);
	if (!isFirst && !/[\s,]/.test(whole.slice(0, -known.length).slice(-1))) return null;
	const rest = isFirst ? name.slice(part.length) : name.slice(0, -part.length);
	return withoutTitles(rest.replace(/,/g, '').trim().split(' ')).join(' ') || null;
}

/** `Dr.`, `Ada`, `Lovelace` → `Ada`, `Lovelace` */
function withoutTitles(words: string[]): string[] {
	return words.slice(
		Math.max(
			words.findIndex((word) => !TITLES.has(plainWord(word))),
			0,
		),
	);
}

function isSuffix(word: string): boolean {
	return SUFFIXES.has(plainWord(word));
}

/** `Jr.` → `jr` */
function plainWord(word: string): string {
	return word.replace(/[.,]/g, '').toLowerCase();
}
