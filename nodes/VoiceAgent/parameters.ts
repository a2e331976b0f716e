/*
 * What an expression gives need not be of the type that its field has in the editor.
 */

/** @returns the text of a field, without blanks around it; empty for a value that is no text */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** @returns what was chosen in a field that takes several, each once: a list, or a text with commas */
export function readChoices(value: unknown): string[] {
	const given: unknown[] = Array.isArray(value) ? value : readText(value).split(',');
	return [...new Set(given.map(readText).filter(Boolean))];
}
