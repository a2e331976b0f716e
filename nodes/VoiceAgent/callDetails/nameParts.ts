/** Splits the name of a person into first and last name. */
import { PARTICLES, SUFFIXES, TITLES } from './vocabulary/nameWords';

/** The parts of a name; null for one that is unknown. */
interface NameParts {
	firstName: string | null;
	lastName: string | null;
}

/** The scripts of China, Japan and Korea. */
const EASTERN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;

/**
 * Whether the parts of a name may stand in any order: with a comma, of several words in capitals, as carriers write
 * them, and those of China, Japan and Korea. `Lovelace, Ada`, `LOVELACE ADA`, `山田 太郎` → true
 */
function isUnordered(name: string): boolean {
	const isInCapitals = /\p{Lu}/u.test(name) && !/\p{Ll}/u.test(name);
	return name.includes(',') || (name.includes(' ') && (isInCapitals || EASTERN.test(name)));
}

/**
 * Splits a name. The last word is the last name, with the particles before it and the suffixes behind it; a
 * lone word is a last name. `Dr. Ada van der Berg` → `Ada`, `van der Berg`
 *
 * @param stated the parts that are known; beside one of them, the other is the rest of the name
 */
export function splitName(name: string, { firstName, lastName }: NameParts): NameParts {
	const known = firstName ?? lastName;
	if (known !== null) {
		const rest = restOf(name, known);
		return { firstName: firstName ?? rest, lastName: lastName ?? rest };
	}
	if (isUnordered(name)) return { firstName, lastName };
	const words = wordsOfName(name);
	const start = startOfLastName(words);
	return { firstName: joined(words.slice(0, start)), lastName: joined(words.slice(start)) };
}

/** Returns a name without one of its parts. `LOVELACE ADA`, `Ada` → `LOVELACE` */
function restOf(name: string, part: string): string | null {
	const [words, stated] = [wordsOfName(name), wordsOfName(part.toLowerCase())];
	const others = words.filter((word) => !stated.includes(word.toLowerCase()));
	return others.length < words.length ? joined(others) : null;
}

/** `Dr. Ada King` → `Ada`, `King` */
function wordsOfName(name: string): string[] {
	const words = name.split(/[\s,]+/).filter(Boolean);
	const start = words.findIndex((word) => !TITLES.has(plainWord(word)));
	return words.slice(Math.max(start, 0));
}

/** Returns where the last name begins. `Ada`, `van`, `der`, `Berg`, `Jr.` → 1 */
function startOfLastName(words: string[]): number {
	// The first word of `Van Morrison` is no particle, that of `van Gogh` is one.
	const isParticle = (word = '', at: number) => PARTICLES.has(at === 0 ? word : word.toLowerCase());
	let start = words.findLastIndex((word) => !SUFFIXES.has(plainWord(word)));
	while (start > 0 && isParticle(words[start - 1], start - 1)) start--;
	return Math.max(start, 0);
}

function joined(words: string[]): string | null {
	return words.join(' ') || null;
}

/** `Jr.` → `jr` */
function plainWord(word: string): string {
	return word.replace(/\./g, '').toLowerCase();
}
