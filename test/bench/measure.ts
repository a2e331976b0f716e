export interface Summary {
	median: number;
	/** The bounds of the median's 95 % confidence interval; of up to eight values, the minimum and maximum. */
	low: number;
	high: number;
}

/** The bound that a comparison has to reach. */
export interface Goal {
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
	/** The baseline's value of each round, or one value for all rounds. */
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
export function summarise(values: number[]): Summary {
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
function perRound(
	{ ours, baselineValues }: Comparison,
	compare: (ours: number, baseline: number) => number,
): Summary {
	const baselineOf = (round: number) => baselineValues[round] ?? baselineValues[0] ?? NaN;
	return summarise(ours.map((value, round) => compare(value, baselineOf(round))));
}

export function ratioOf(comparison: Comparison): Summary {
	return perRound(comparison, (ours, baseline) => ours / baseline);
}

/** @returns `undecided` if the goal is within the confidence interval */
export function verdictOf(comparison: Comparison): 'reached' | 'missed' | 'undecided' {
	const { low, high } = perRound(comparison, comparison.goal.margin);
	if (low >= 0) return 'reached';
	return high < 0 ? 'missed' : 'undecided';
}

/** @returns the same names with other values */
export function mapped<Name extends string, Value, Result>(
	values: Record<Name, Value>,
	change: (value: Value) => Result,
) {
	const entries = Object.entries<Value>(values).map(([name, value]) => [name, change(value)]);
	return Object.fromEntries(entries) as Record<Name, Result>;
}

/**
 * Measures several peers in turns, every second round in reverse order, so that other load on the
 * machine affects all peers alike.
 *
 * @returns the values of each peer, one per round
 */
export async function inTurns<Peer extends string, Value>(
	rounds: number,
	peers: Record<Peer, () => Promise<Value> | Value>,
): Promise<Record<Peer, Value[]>> {
	const names = Object.keys(peers) as Peer[];
	const values = mapped(peers, (): Value[] => []);
	for (let round = 0; round < rounds; round++) {
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			values[name].push(await peers[name]());
		}
	}
	return values;
}
