import { type Comparison, ratiosOf, reaches, summarise } from './measure';

/** What a part of the bench has measured. */
export interface Section {
	/** Names its place in the document, and on the command line. */
	name: string;
	title: string;
	comparisons: Comparison[];
	/** What was measured with nothing beside it: a table, its head first. */
	record?: string[][];
}

/** How a run was made: what of the machine and the programs bears on its figures. */
export type Circumstances = Record<string, string>;

/** Three digits, or all that stand before the point. */
export function inDigits(figure: number): string {
	if (figure === 0) return '0';
	const decimals = 2 - Math.floor(Math.log10(Math.abs(figure)));
	return figure.toFixed(Math.min(Math.max(decimals, 0), 3));
}

function inWords(figures: number[], unit: string): string {
	const { median, least, most } = summarise(figures);
	if (Number.isNaN(median)) return '–';
	const spread = least === most ? '' : ` (${inDigits(least)} to ${inDigits(most)})`;
	return `${inDigits(median)} ${unit}`.trim() + spread;
}

/** A section's comparisons as the rows of a table, its head first. */
export function rowsOf({ comparisons }: Section): string[][] {
	return [
		['', 'ours', 'beside', 'its figure', 'ratio', 'to reach', ''],
		...comparisons.map((comparison) => [
			comparison.what,
			inWords(comparison.ours, comparison.unit),
			comparison.beside,
			inWords(comparison.other, comparison.unit),
			inWords(ratiosOf(comparison), ''),
			comparison.goal?.text ?? '–',
			comparison.goal ? (reaches(comparison) ? 'yes' : '**no**') : '',
		]),
	];
}

/** A table in Markdown, its head first. */
export function markdown([head = [], ...rows]: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** What stands in the document of a section. */
export function documentOf(section: Section): string {
	const tables = [section.comparisons.length > 0 ? rowsOf(section) : [], section.record ?? []];
	return tables
		.filter((table) => table.length > 0)
		.map(markdown)
		.join('\n\n');
}

/** All that was measured, for programs. */
export function toJson(circumstances: Circumstances, sections: Section[]): string {
	const measured = sections.map(({ comparisons, ...section }) => ({
		...section,
		comparisons: comparisons.map(({ goal, ...comparison }) => ({
			...comparison,
			goal: goal?.text,
			ratio: summarise(ratiosOf(comparison)),
			reached: reaches({ ...comparison, goal }),
		})),
	}));
	return `${JSON.stringify({ circumstances, sections: measured }, undefined, '\t')}\n`;
}

/**
 * Puts text between the markers of a name, `<!-- bench NAME -->` and `<!-- /bench -->`.
 *
 * @throws an Error where the document lacks them
 */
export function replaceMarked(document: string, name: string, text: string): string {
	const begin = `<!-- bench ${name} -->`;
	const end = '<!-- /bench -->';
	const start = document.indexOf(begin);
	const stop = document.indexOf(end, start);
	if (start < 0 || stop < 0) throw new Error(`The document has no place for "${name}"`);
	return `${document.slice(0, start + begin.length)}\n\n${text}\n\n${document.slice(stop)}`;
}
