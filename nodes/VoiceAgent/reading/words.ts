/** The longest words that are taken apart, and the most parts of one. */
const LONGEST_GLUED = 24;
const MOST_PARTS = 3;

/** Takes a word apart that was written as one, where all its parts are known: `callid`. */
export function unglued(word: string, vocabulary: ReadonlySet<string>): string[] {
	return (
		(word.length > LONGEST_GLUED ? undefined : partsOf(word, MOST_PARTS, vocabulary)) ?? [word]
	);
}

function partsOf(
	word: string,
	most: number,
	vocabulary: ReadonlySet<string>,
): string[] | undefined {
	if (vocabulary.has(word)) return [word];
	if (most === 1) return undefined;
	for (let at = word.length - 2; at >= 2; at--) {
		if (!vocabulary.has(word.slice(0, at))) continue;
		const rest = partsOf(word.slice(at), most - 1, vocabulary);
		if (rest !== undefined) return [word.slice(0, at), ...rest];
	}
	return undefined;
}

/** A set of words, written as one text. */
export function setOf(words: string): ReadonlySet<string> {
	return new Set(words.split(' '));
}
