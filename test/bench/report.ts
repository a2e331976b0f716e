import { type Comparison, ratiosOf, reaches, summarise } from './measure';

export interface Section {
	/** The section's name in the document's markers and on the command line. */
	name: string;
	title: string;
	comparisons: Comparison[];
	/** A table of values without a baseline, header row first. */
	record?: string[][];
}

/** The machine, its load and the options of a run. */
export type Environment = Record<string, string>;

/** Rounds to three significant digits, but never the integer part: `1234.5` → `1235`. */
export function formatNumber(value: number): string {
	if (value === 0) return '0';
	const decimals = 2 - Math.floor(Math.log10(Math.abs(value)));
	return value.toFixed(Math.min(Math.max(decimals, 0), 3));
}

/** Formats a median with its confidence interval, e.g. `105 ms (101 to 108)`. */
function formatValues(values: number[], unit: string): string {
	const { median, low, high } = summarise(values);
	if (Number.isNaN(median)) return '–';
	const interval = low === high ? '' : ` (${formatNumber(low)} to ${formatNumber(high)})`;
	return `${formatNumber(median)} ${unit}`.trim() + interval;
}

/** @returns a section's comparisons as the rows of a table, header row first */
export function rowsOf({ comparisons }: Section): string[][] {
	return [
		['', 'ours', 'baseline', 'its value', 'ratio', 'goal', 'reached'],
		...comparisons.map((comparison) => [
			comparison.name,
			formatValues(comparison.ours, comparison.unit),
			comparison.baseline,
			formatValues(comparison.baselineValues, comparison.unit),
			formatValues(ratiosOf(comparison), ''),
			comparison.goal?.text ?? '–',
			comparison.goal ? (reaches(comparison) ? 'yes' : '**no**') : '',
		]),
	];
}

/** Formats rows, header row first, as a table in Markdown. */
export function markdown([head = [], ...rows]: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** Formats a section as one or two tables in Markdown. */
export function sectionMarkdown(section: Section): string {
	const tables = [section.comparisons.length > 0 ? rowsOf(section) : [], section.record ?? []];
	return tables
		.filter((table) => table.length > 0)
		.map(markdown)
		.join('\n\n');
}

export function toJson(environment: Environment, sections: Section[]): string {
	const measured = sections.map(({ comparisons, ...section }) => ({
		...section,
		comparisons: comparisons.map((comparison) => ({
			...comparison,
			goal: comparison.goal?.text,
			ratio: summarise(ratiosOf(comparison)),
			reached: reaches(comparison),
		})),
	}));
	return `${JSON.stringify({ environment, sections: measured }, undefined, '\t')}\n`;
}

/**
 * Replaces the text between the markers `<!-- bench NAME -->` and `<!-- /bench -->`.
 *
 * @throws an Error if the document lacks the markers
 */
export function replaceMarked(document: string, name: string, text: string): string {
	const begin = `<!-- bench ${name} -->`;
	const end = '<!-- /bench -->';
	const start = document.indexOf(begin);
	const stop = document.indexOf(end, start);
	if (start < 0 || stop < 0) throw new Error(`The document has no markers for "${name}"`);
	return `${document.slice(0, start + begin.length)}\n\n${text}\n\n${document.slice(stop)}`;
}
