import type { IDataObject } from 'n8n-workflow';

import { fc, type ValueOf } from '../jest/random';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const STYLES = {
	sent: undefined,
	camel: (words: string[]) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
	Pascal: (words: string[]) => words.map(capital).join(''),
	snake: (words: string[]) => words.join('_'),
	kebab: (words: string[]) => words.join('-'),
	Header: (words: string[]) => words.map(capital).join('-'),
	SCREAMING: (words: string[]) => words.join('_').toUpperCase(),
	blanks: (words: string[]) => words.join(' '),
};

/** Formats of a phone number in E.164. */
const WRITINGS = {
	sent: (number: string) => number,
	blanks: (number: string) => number.replace(/(\d{2})(\d{3})/, '$1 $2 '),
	brackets: (number: string) => number.replace(/(\d{2})(\d{3})(\d{3})/, '$1 ($2) $3-'),
	tel: (number: string) => `tel:${number}`,
	sip: (number: string) => `sip:${number}@sip.example.com;user=phone`,
};

const ENVELOPES = ['data', 'payload', 'body', 'detail', 'event', 'resource', 'record', 'object'];

/** Changes of a payload's form: spelling and order of keys, phone number format, and neutral envelopes, the outer first. */
export const moves = fc.record({
	style: fc.constantFrom(...(Object.keys(STYLES) as Array<keyof typeof STYLES>)),
	writing: fc.constantFrom(...(Object.keys(WRITINGS) as Array<keyof typeof WRITINGS>)),
	isReversed: fc.boolean(),
	envelopes: fc.array(fc.constantFrom(...ENVELOPES), { maxLength: 3 }),
});

export function move(body: IDataObject, how: ValueOf<typeof moves>): IDataObject {
	const moved = walk(body) as IDataObject;
	return how.envelopes.reduceRight((inner, name) => ({ [styled(name)]: inner }), moved);

	function walk(value: unknown): unknown {
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value === 'string') {
			return /^\+\d{8,15}$/.test(value) ? WRITINGS[how.writing](value) : value;
		}
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).map(([key, inner]) => [styled(key), walk(inner)]);
		return Object.fromEntries(how.isReversed ? entries.reverse() : entries) as object;
	}

	function styled(key: string): string {
		const words = key.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [key];
		return STYLES[how.style]?.(words.map((word) => word.toLowerCase())) ?? key;
	}
}
