import { type Comparison, ratiosOf, reaches, summarise } from './measure';

// In pixels.
const WIDTH = 880;
const LABELS = 420;
const ROW = 26;
const TOP = 44;
/** The ratios at the edges of the plot. */
const [MIN_RATIO, MAX_RATIO] = [0.1, 10];

const colours = { yes: '#2e7d32', no: '#c62828', record: '#607d8b' };

/** @returns the position of a ratio, in pixels from the left */
function x(ratio: number): number {
	const bounded = Math.min(Math.max(ratio, MIN_RATIO), MAX_RATIO);
	const share = Math.log(bounded / MIN_RATIO) / Math.log(MAX_RATIO / MIN_RATIO);
	return LABELS + share * (WIDTH - LABELS - 30);
}

/**
 * Draws the ratio of each comparison, median and confidence interval, on a logarithmic scale around 1.
 *
 * @returns an SVG
 */
export function plot(comparisons: Comparison[]): string {
	const height = TOP + comparisons.length * ROW + 16;
	const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((ratio) => {
		const at = x(ratio).toFixed(1);
		const weight = ratio === 1 ? 'stroke="#444" stroke-width="1.5"' : 'stroke="#ddd"';
		return `<line x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${height - 12}" ${weight}/><text x="${at}" y="${TOP - 14}" text-anchor="middle">${ratio}</text>`;
	});
	const rows = comparisons.map((comparison, index) => {
		const { median, low, high } = summarise(ratiosOf(comparison));
		const isMet = reaches(comparison);
		const colour = isMet === undefined ? colours.record : isMet ? colours.yes : colours.no;
		const y = TOP + index * ROW + ROW / 2;
		const label = escaped(`${comparison.name} / ${comparison.baseline}`);
		return [
			`<text x="${LABELS - 12}" y="${y + 4}" text-anchor="end">${label}</text>`,
			`<line x1="${x(low).toFixed(1)}" x2="${x(high).toFixed(1)}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="4" stroke-opacity="0.4"/>`,
			`<circle cx="${x(median).toFixed(1)}" cy="${y}" r="5" fill="${colour}"><title>${median.toFixed(3)}</title></circle>`,
		].join('');
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="#222">`,
		`<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
		`<text x="${LABELS - 12}" y="${TOP - 14}" text-anchor="end" font-weight="bold">ours / baseline</text>`,
		...ticks,
		...rows,
		'</svg>',
		'',
	].join('\n');
}

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
