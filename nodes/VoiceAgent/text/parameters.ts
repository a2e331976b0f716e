/* An expression may return a value of another type than its field has in the editor. */

/** @returns the trimmed text of a field; empty for a value that is neither text nor number */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** @returns the choices of a field, also repeated ones: `['a', 'b']` or `'a, b'` → a, b */
export function readChoices(value: unknown): string[] {
	const given: unknown[] = Array.isArray(value) ? value : readText(value).split(',');
	return given.map(readText).filter(Boolean);
}
