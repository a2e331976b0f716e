/** Detects texts that consist of known words, in any spelling and script. */
import { splitWords } from '../matcher/words';

/** The words of a text, without numbers. `UnknownCaller 2` → `unknown`, `caller` */
export function wordsIn(text: string): string[] {
	return splitWords(text.replace(/\p{N}+/gu, ' '));
}

/** Scripts without blanks between words: of China, Japan and Thailand. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Makes a function that detects a text of these words, or a phrase of these, in any spelling.
 * `['unknown', 'no name']` beside `['caller']`: `UNKNOWN CALLER`, `NoName` → true
 */
export function phraseMatcher(phrases: string[], beside: string[] = []): (text: string) => boolean {
	const glued = (text: string) => wordsIn(text).join('');
	const [sure, all] = [new Set(phrases.map(glued)), new Set([...phrases, ...beside].map(glued))];
	// Words of languages that write none between them are split.
	const unspaced = [...all]
		.filter((word) => UNSPACED.test(word))
		.sort((a, b) => b.length - a.length);
	const splitter = new RegExp(`(${unspaced.join('|') || '$^'})`);
	return (text) => {
		const words = wordsIn(text).flatMap((word) => word.split(splitter).filter(Boolean));
		const isSure = [...words, words.join('')].some((word) => sure.has(word));
		return isSure && (sure.has(words.join('')) || words.every((word) => all.has(word)));
	};
}
