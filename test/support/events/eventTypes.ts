import { fc } from '../jest/random';

const FAMILIES = ['call', 'chat', 'agent', 'recording', 'zorb', 'quim'];
const VERBS = ['started', 'completed', 'failed', 'updated', 'blipped', 'fnarred'];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The spellings of a name from its words. */
export const STYLES: Array<(words: string[]) => string> = [
	(words) => words.join('.'),
	(words) => words.join('_'),
	(words) => words.join(':'),
	(words) => words.join('_').toUpperCase(),
	(words) => words.map(capital).join(''),
	(words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
];

/** A catalog of two to eight event types in one spelling, such as `call.started` or `CallStarted`. */
export const anyCatalog: fc.Arbitrary<string[]> = fc
	.tuple(
		fc.uniqueArray(fc.tuple(fc.constantFrom(...FAMILIES), fc.constantFrom(...VERBS)), {
			minLength: 2,
			maxLength: 8,
			selector: (words) => words.join(),
		}),
		fc.constantFrom(...STYLES),
	)
	.map(([names, write]) => names.map(write));

/** An event type that is never in {@link anyCatalog}. */
export const unknownType: fc.Arbitrary<string> = fc
	.tuple(
		fc.constantFrom('billing', 'call', 'plugh'),
		fc.constantFrom('moved', 'xyzzied', 'archived'),
		fc.constantFrom(...STYLES),
	)
	.map(([family, verb, write]) => write([family, verb]));

/** @returns spellings of the same event type, the first unchanged */
export function spellingsOf(name: string, choice: number): string[] {
	const words = name
		.replace(/([a-z])([A-Z])/g, '$1.$2')
		.split(/[^A-Za-z0-9]+/)
		.map((word) => word.toLowerCase());
	const restyled = STYLES[choice % STYLES.length]!(words);
	return [
		name,
		restyled,
		name.toUpperCase(),
		`v1.${name}`,
		`${name}.v2`,
		`com.example.${restyled}`,
		`urn:acme:events:${name}`,
	];
}
