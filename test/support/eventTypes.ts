import { fc } from './random';

/*
 * Event types as services may name and spell them, for tests that draw them at random.
 */

const FAMILIES = ['call', 'chat', 'agent', 'recording', 'zorb', 'quim'];
const HAPPENINGS = ['started', 'completed', 'failed', 'updated', 'blipped', 'fnarred'];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The ways in which a service writes all names of its catalog, by their words. */
const STYLES: Array<(words: string[]) => string> = [
	(words) => words.join('.'),
	(words) => words.join('_'),
	(words) => words.join(':'),
	(words) => words.join('_').toUpperCase(),
	(words) => words.map(capital).join(''),
	(words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
];

/** A catalog of two to eight names, all written in one style, such as `call.started` or `CallStarted`. */
export const anyCatalog: fc.Arbitrary<string[]> = fc
	.tuple(
		fc.uniqueArray(fc.tuple(fc.constantFrom(...FAMILIES), fc.constantFrom(...HAPPENINGS)), {
			minLength: 2,
			maxLength: 8,
			selector: (words) => words.join(),
		}),
		fc.constantFrom(...STYLES),
	)
	.map(([names, write]) => names.map(write));

/** A name that {@link anyCatalog} never has, in the style of most. */
export const unknownType: fc.Arbitrary<string> = fc
	.tuple(
		fc.constantFrom('billing', 'call', 'plugh'),
		fc.constantFrom('moved', 'xyzzied', 'archived'),
		fc.constantFrom(...STYLES),
	)
	.map(([family, happening, write]) => write([family, happening]));

/** Spellings of a name that mean the same, beside itself. */
export function spelledHarmlessly(name: string, choice: number): string[] {
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
