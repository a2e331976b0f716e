/** Recognises names of persons, and splits them. The words of texts that are none are in vocabulary/valueWords.ts. */
import { LONGEST_SHORT_TEXT, readStatedText } from './values';
import {
	BESIDE_WITHHELD,
	WITHHELD_WORDS,
	BESIDE_NO_NAMES,
	DENIALS,
	NO_NAMES,
	REGIONS,
	TITLES,
	PARTICLES,
	SUFFIXES,
} from './vocabulary/valueWords';
import { phraseMatcher, wordsIn } from '../text/words';

const isNobody = phraseMatcher(
	[...NO_NAMES, ...WITHHELD_WORDS],
	[...BESIDE_NO_NAMES, ...BESIDE_WITHHELD],
);
const isTitle = phraseMatcher([...TITLES]);
const denials = new Set(DENIALS.flatMap(wordsIn));
/** What a service puts before a name: `Sales: Ada Lovelace`, `[Support] Ada` */
const LABEL = /^(?:\[[^[\]]*\]|\p{L}[\p{L}\p{N} ]{0,30}:)\s+/u;
/** An address, a URL, a number, a mask, or a text in brackets. */
const NO_NAME =
	/[@<>{}]|:\/\/|\d[\d\s().-]{5}[\s().-]*\d|[*•█#]{2}|^\W*x{3,}\W*$|^\[.*\]$|^\(.*\)$/i;

/** Reads the name of a person: it has letters, and is no address, number, mask, place or placeholder. */
export function readName(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_SHORT_TEXT)?.replace(LABEL, '') ?? '';
	if (!/\p{L}/u.test(text) || NO_NAME.test(text)) return null;
	const isNone = isDenial(wordsIn(text)) || isNobody(text) || isTitle(text) || isPlace(text);
	return isNone ? null : text.replace(/\s+/g, ' ');
}

/** Whether a word says that there is no name: `Not given`; but not the last one of a name, `Mai Not` */
function isDenial(words: string[]): boolean {
	const isLastName = words.length === 2 && words[1] === 'not';
	return !isLastName && words.some((word) => denials.has(word));
}

/** Whether a text is a place as carriers write it, in capitals: `NEW YORK     NY` */
function isPlace(text: string): boolean {
	const [, state = ''] = /^\P{Ll}*\s([A-Z]{2})$/u.exec(text) ?? [];
	return REGIONS.has(state);
}

/**
 * Whether two names are of one person: one has all words of the other, in any order, case and spelling of
 * accents. `LOVELACE ADA`, `Ada Lovelace` → true; `Ada`, `Ada Lovelace` → true
 */
export function isSameName(a: string, b: string): boolean {
	const [x, y] = [new Set(nameWords(a)), new Set(nameWords(b))];
	const [part, whole] = x.size < y.size ? [x, y] : [y, x];
	return part.size > 0 && [...part].every((word) => whole.has(word));
}

/** Whether a spelling of a name is better: it has more words, or as many and not all in capitals. */
export function isBetterName(name: string, other: string): boolean {
	const more = nameWords(name).length - nameWords(other).length;
	return more > 0 || (more === 0 && /\p{Ll}/u.test(name) && !/\p{Ll}/u.test(other));
}

/** The words of a name. `Zoë O’Brien` → `zoe`, `obrien` */
export function nameWords(name: string): string[] {
	const plain = name
		.normalize('NFKD')
		.replace(/[\u0300-\u036f'’\p{Default_Ignorable_Code_Point}]/gu, '');
	return plain.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? [];
}

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
 * Splits a name. The last word is the last name, with the particles before it and the suffixes after it; a
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
