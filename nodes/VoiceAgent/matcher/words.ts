/** The longest part of a name that is read; longer ones are text, not names. */
const LONGEST = 80;

/**
 * A name in lower-case words of the singular, whatever its spelling.
 * `callIDs`, `call_id`, `Call-Id`, `call.id` → `call`, `id`
 */
export function wordsOf(name: string): string[] {
	// Letters of other alphabets would leave the rest of their words: `número` → `mero`.
	if (/[^\x20-\x7e]/.test(name)) return [];
	const parts = name.slice(0, LONGEST).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? [];
	const words: string[] = [];
	let letters = '';
	for (const part of parts) {
		// Some services write each letter of an abbreviation as a word: `call_i_d`.
		if (part.length === 1 && /[A-Za-z]/.test(part)) {
			letters += part.toLowerCase();
			continue;
		}
		if (letters !== '') words.push(letters);
		letters = '';
		words.push(singular(part.toLowerCase()));
	}
	if (letters !== '') words.push(letters);
	return joined(words);
}

/** Words that some services write as two. */
const JOINED: Record<string, string> = {
	'hang up': 'hangup',
	'hung up': 'hangup',
	'voice mail': 'voicemail',
	'call back': 'callback',
	'time stamp': 'timestamp',
	'end user': 'enduser',
	'date time': 'datetime',
	'web hook': 'webhook',
	'web rtc': 'webrtc',
	'user agent': 'useragent',
};

function joined(words: string[]): string[] {
	const result: string[] = [];
	for (const word of words) {
		const pair = JOINED[`${result.at(-1) ?? ''} ${word}`];
		if (pair === undefined) result.push(word);
		else result[result.length - 1] = pair;
	}
	return result;
}

function singular(word: string): string {
	if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
	return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** The longest words that are taken apart, and the most parts of one. */
const LONGEST_GLUED = 24;
const MOST_PARTS = 3;

/** Takes a word apart that was written as one, where all its parts are in the vocabulary: `callid`. */
export function unglued(word: string, vocabulary: ReadonlySet<string>): string[] {
	const isShort = word.length <= LONGEST_GLUED;
	return (isShort ? partsOf(word, MOST_PARTS, vocabulary) : undefined) ?? [word];
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
