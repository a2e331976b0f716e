interface Summary {
	median: number;
	/** The bounds of the median's 95 % confidence interval; of up to eight values, the minimum and maximum. */
	low: number;
	high: number;
}

/** The bound that a comparison has to reach. */
interface Goal {
	/** As in a table: `at least 0.97`. */
	text: string;
	/** @returns by how much a round reaches the bound; negative if it does not */
	margin: (ours: number, baseline: number) => number;
}

/** The connector and a baseline, measured in the same rounds. */
export interface Comparison {
	/** The measured operation, e.g. `accepted, CPU per delivery`. */
	name: string;
	/** The name of the baseline, e.g. `minimal trigger`. */
	baseline: string;
	unit: string;
	/** The connector's value of each round. */
	ours: number[];
	/** The baseline's value of each round. */
	baselineValues: number[];
	goal: Goal;
}

export const atLeast = (min: number): Goal => ({
	text: `at least ${min}`,
	margin: (ours, baseline) => ours - min * baseline,
});

export const atMost = (max: number): Goal => ({
	text: `at most ${max}`,
	margin: (ours, baseline) => max * baseline - ours,
});

/** @returns NaN in each field if there are no values */
function summarise(values: number[]): Summary {
	const sorted = values.toSorted((a, b) => a - b);
	const last = sorted.length - 1;
	const at = (rank: number) => sorted[Math.min(Math.max(rank, 0), last)] ?? NaN;
	const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
	// Ranks for any distribution, by the normal approximation: n/2 ± 1.96 × √n / 2.
	const reach = 0.98 * Math.sqrt(sorted.length);
	return {
		median,
		low: at(Math.floor(last / 2 - reach)),
		high: at(Math.ceil(last / 2 + reach)),
	};
}

/** Compares round by round, because other load on the machine affects both values of a round. */
function perRound({ ours, baselineValues }: Comparison, compare: Goal['margin']): Summary {
	return summarise(ours.map((value, round) => compare(value, baselineValues[round] ?? NaN)));
}

/** @returns `undecided` if the goal is within the confidence interval */
export function verdictOf(comparison: Comparison): 'reached' | 'missed' | 'undecided' {
	const { low, high } = perRound(comparison, comparison.goal.margin);
	if (low >= 0) return 'reached';
	return high < 0 ? 'missed' : 'undecided';
}

/** @returns comparisons as the rows of a table, header row first */
export const rowsOf = (comparisons: Comparison[]): string[][] => [
	['', 'ours', 'baseline', 'its value', 'ratio', 'goal', 'result'],
	...comparisons.map((comparison) => [
		comparison.name,
		formatSummary(summarise(comparison.ours), comparison.unit),
		comparison.baseline,
		formatSummary(summarise(comparison.baselineValues), comparison.unit),
		formatSummary(perRound(comparison, (ours, baseline) => ours / baseline)),
		comparison.goal.text,
		verdictOf(comparison),
	]),
];

/** Formats a median with its confidence interval, e.g. `105 ms (101 to 108)`. */
function formatSummary({ median, low, high }: Summary, unit = ''): string {
	if (Number.isNaN(median)) return '–';
	const interval = low === high ? '' : ` (${formatNumber(low)} to ${formatNumber(high)})`;
	return `${formatNumber(median)} ${unit}`.trim() + interval;
}

/** Rounds to three significant digits, but never the integer part: `1234.5` → `1235`. */
function formatNumber(value: number): string {
	if (value === 0) return '0';
	const decimals = 2 - Math.floor(Math.log10(Math.abs(value)));
	return value.toFixed(Math.min(Math.max(decimals, 0), 3));
}
