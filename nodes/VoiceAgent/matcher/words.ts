/** The longest part of a name that is read; longer ones are text, not names. */
const LONGEST = 80;
/** The longest words that are taken apart. */
const LONGEST_GLUED = 24;

/**
 * A name in lower-case words of the singular, whatever its spelling; none for other alphabets, which
 * would leave the rest of their words. `callIds`, `call_id`, `Call-Id`, `call.id` → `call`, `id`
 */
export function wordsOf(name: string): string[] {
	if (/[^\x20-\x7e]/.test(name)) return [];
	const parts = name.slice(0, LONGEST).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
	return parts.map((part) => singular(part.toLowerCase()));
}

function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
	return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** @returns what takes words apart that were written as one, where all parts are in the vocabulary: `callid` */
export function ungluer(vocabulary: ReadonlySet<string>): (word: string) => string[] {
	const one = `(${[...vocabulary].sort((a, b) => b.length - a.length).join('|')})`;
	const glued = new RegExp(`^${one}${one}${one}?$`);
	return (word) => {
		const parts = vocabulary.has(word) || word.length > LONGEST_GLUED ? null : glued.exec(word);
		return parts?.slice(1).filter(Boolean) ?? [word];
	};
}
