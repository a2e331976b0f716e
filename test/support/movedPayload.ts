import type { IDataObject } from 'n8n-workflow';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Spellings of a key of several words. */
export const STYLES = {
	camel: (words: string[]) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
	Pascal: (words: string[]) => words.map(capital).join(''),
	snake: (words: string[]) => words.join('_'),
	Header: (words: string[]) => words.map(capital).join('-'),
	SCREAMING: (words: string[]) => words.join('_').toUpperCase(),
	blanks: (words: string[]) => words.join(' '),
};

/** Spells the keys of a payload in a style, reverses their order, and puts the payload into two envelopes. */
export function move(body: IDataObject, style: keyof typeof STYLES): IDataObject {
	return walk({ detail: { record: body } }) as IDataObject;

	function walk(value: unknown): unknown {
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).map(([key, inner]) => [styled(key), walk(inner)]);
		return Object.fromEntries(entries.reverse()) as object;
	}

	function styled(key: string): string {
		const words = key.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [key];
		return STYLES[style](words.map((word) => word.toLowerCase()));
	}
}
