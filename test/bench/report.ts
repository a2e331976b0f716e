import { table } from '../reliability/report';
import { type Comparison, ratioOf, type Summary, summarise, verdictOf } from './measure';

export interface Section {
	/** The section's name in the document's markers and on the command line. */
	name: string;
	comparisons: Comparison[];
}

/** Rounds to three significant digits, but never the integer part: `1234.5` → `1235`. */
function formatNumber(value: number): string {
	if (value === 0) return '0';
	const decimals = 2 - Math.floor(Math.log10(Math.abs(value)));
	return value.toFixed(Math.min(Math.max(decimals, 0), 3));
}

/** Formats a median with its confidence interval, e.g. `105 ms (101 to 108)`. */
function formatSummary({ median, low, high }: Summary, unit = ''): string {
	if (Number.isNaN(median)) return '–';
	const interval = low === high ? '' : ` (${formatNumber(low)} to ${formatNumber(high)})`;
	return `${formatNumber(median)} ${unit}`.trim() + interval;
}

/** @returns a section's comparisons as the rows of a table, header row first */
function rowsOf({ comparisons }: Section): string[][] {
	return [
		['', 'ours', 'baseline', 'its value', 'ratio', 'goal', 'result'],
		...comparisons.map((comparison) => [
			comparison.name,
			formatSummary(summarise(comparison.ours), comparison.unit),
			comparison.baseline,
			formatSummary(summarise(comparison.baselineValues), comparison.unit),
			formatSummary(ratioOf(comparison)),
			comparison.goal.text,
			verdictOf(comparison),
		]),
	];
}

/** Formats a section as a table in Markdown. */
export const sectionMarkdown = (section: Section) => table(rowsOf(section)).join('\n');

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
