/** Recognises names of persons, and splits them. The words of texts that are none are in vocabulary/valueWords.ts. */
import { withoutLabel } from './phoneNumbers';
import { LONGEST_SHORT_TEXT, readStatedText } from './values';
import {
	BESIDE_WITHHELD,
	WITHHELD_WORDS,
	BESIDE_NO_NAMES,
	DENIALS,
	NO_NAMES,
	REGIONS,
	TITLES,
} from './vocabulary/valueWords';
import { LETTERS, normalized, phraseMatcher, splitWords } from '../text/words';

const isNobody = phraseMatcher(
	[...NO_NAMES, ...WITHHELD_WORDS],
	[...BESIDE_NO_NAMES, ...BESIDE_WITHHELD],
);
const isTitle = phraseMatcher([...TITLES]);
const denials = new Set(DENIALS.flatMap((text) => splitWords(text, LETTERS)));
/** What a service puts before a name: `Sales: Ada Lovelace`, `[Support] Ada` */
const LABEL = /^(?:\[[^[\]]*\]|\p{L}[\p{L}\p{N} ]{0,30}[:：])\s+/u;
/** An address, a URL, a number, a mask, or a text in brackets. */
const NO_NAME =
	/[@<>{}]|:\/\/|\d[\d\s().-]{5}[\s().-]*\d|[*•█#]{2}|^\W*x{3,}\W*$|^\[.*\]$|^\(.*\)$/i;

/** Reads a name: it has letters, and is no address, number, mask, place or placeholder. */
export function readName(value: unknown): string | null {
	const text = withoutLabel(readStatedText(value, LONGEST_SHORT_TEXT) ?? '', LABEL);
	if (!/\p{L}/u.test(text) || NO_NAME.test(text)) return null;
	// `Not given`
	const isDenial = splitWords(text, LETTERS).some((word) => denials.has(word));
	const isNone = isDenial || isNobody(text) || isTitle(text) || isPlace(text);
	return isNone ? null : text.replace(/\s+/g, ' ');
}

/** In lower case behind other words, they make a sentence of a text. */
const ofSentences = new Set([...NO_NAMES, ...BESIDE_NO_NAMES]);
/** A word with its value, or an id: `Wife: Ann King`, `cust_8812` */
const NO_PERSON = /[:_]|\d{3}/;

/** A word that names have in lower case, also of companies: `van`, `of` */
export const PARTICLE =
	/^(?:van|von|de[lnr]?|la|los|das?|dal|dos|di|du|le|al|el|bin|ibn|in|of|for|the|and|by)$/;

/** Reads the name of a person: a name that does not go on like a sentence. */
export function readPersonName(value: unknown): string | null {
	const name = readName(value) ?? '';
	return name === '' || isSentence(name) || NO_PERSON.test(name) ? null : name;
}

/**
 * Whether a text that begins with a capital goes on in lower case with a word of sentences, or with many words.
 * `Ada or Eva`, `Hung up before they gave it` → true; `Jose luis Perez`, `Ada van der Berg` → false
 */
function isSentence(text: string): boolean {
	const words = text.match(/(?<=[^-]\s)(?:\p{Ll}{3,}|is|it|no|or|to)(?=[\s,?]|$)/gu) ?? [];
	const isOfSentences = (word: string) => ofSentences.has(word) && !PARTICLE.test(word);
	return /^\p{Lu}/u.test(text) && (words.length > 2 || words.some(isOfSentences));
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
	return normalized(name.replace(/['’]/g, '')).match(/[\p{L}\p{M}\d]+/gu) ?? [];
}

/** A word of a name in mixed case: `Ada`, `McDonald`, `O’Brien` */
const NAME_WORD = /^\p{Lu}(?=\P{Ll}*\p{Ll})[\p{L}\p{M}'’-]+$/u;
/** What may stand beside a lone last name, or the name of a company. */
const NO_PART =
	/^(?:[JS]r|junior|senior|esq|I{2,3}|iv|Md|Phd|gmbh|inc|ltd|llc|corp|co|srl|plc|pty|group|hotel|praxis|don|pani?)$/i;

/**
 * Splits a name of two words in mixed case. `Ada Lovelace` → `Ada`, `Lovelace`; `LOVELACE ADA`,
 * `Ada van der Berg`, `Frau Okafor`, `Lovelace` → null, null
 */
export function splitName(name: string) {
	const [firstName = '', lastName = '', ...more] = name.split(' ');
	const isSplit =
		more.length === 0 &&
		[firstName, lastName].every((word) => NAME_WORD.test(word)) &&
		!TITLES.has(firstName.toLowerCase()) &&
		![firstName, lastName].some((word) => NO_PART.test(word));
	return isSplit ? { firstName, lastName } : { firstName: null, lastName: null };
}
