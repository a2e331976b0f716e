import { wordsOf } from '../matcher/words';
import { BESIDE_WITHHELD, WITHHELD_NUMBERS, WITHHELD_WORDS } from './vocabulary/values';

/** Tells whether a text stands for a hidden caller: `Anonymous`, `Unknown Caller`, `+266696687`. */
export function isWithheld(text: string): boolean {
	if (text.length > 40) return false;
	if (WITHHELD_NUMBERS.has(text.replace('+', ''))) return true;
	const words = wordsOf(text);
	return (
		words.some((word) => WITHHELD_WORDS.has(word)) &&
		words.every((word) => WITHHELD_WORDS.has(word) || BESIDE_WITHHELD.has(word)) &&
		!/\d/.test(text)
	);
}
