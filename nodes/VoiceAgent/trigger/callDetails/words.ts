/** The longest part of a name or of a telling value that is read; longer ones are text, not names. */
const LONGEST = 80;

/**
 * A name in lower-case words of the singular, whatever its spelling: `callIDs`, `call_id`, `Call-Id`
 * and `call.id` are all `call`, `id`.
 */
export function wordsOf(name: string): string[] {
	const parts = name.slice(0, LONGEST).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
	const words: string[] = [];
	let letters = '';
	for (const part of parts) {
		// Some write each letter of an abbreviation as a word: `call_i_d`.
		if (part.length === 1 && /[A-Za-z]/.test(part)) {
			letters += part.toLowerCase();
			continue;
		}
		if (letters !== '') words.push(letters);
		letters = '';
		words.push(singular(part.toLowerCase()));
	}
	if (letters !== '') words.push(letters);
	return words;
}

function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
	return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** Takes words apart that were written as one, where all of them are known: `callid`. */
export function unglued(word: string, vocabulary: ReadonlySet<string>): string[] {
	if (word.length < 6 || word.length > 24 || vocabulary.has(word)) return [word];
	for (let at = 2; at <= word.length - 2; at++) {
		const [head, tail] = [word.slice(0, at), word.slice(at)];
		if (!vocabulary.has(head)) continue;
		const rest = unglued(tail, vocabulary);
		if (rest.every((part) => vocabulary.has(part))) return [head, ...rest];
	}
	return [word];
}

/** A set of words, written as one text. */
export function setOf(words: string): ReadonlySet<string> {
	return new Set(words.split(' '));
}
