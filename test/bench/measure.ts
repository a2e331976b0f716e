/** The middle of some figures, and how far they spread. */
export interface Summary {
	median: number;
	least: number;
	most: number;
}

/** A goal that a comparison is to reach. */
export interface Goal {
	/** In words, as in a table: `at least 0.97`. */
	text: string;
	/** @param medians ours, the other's, and the median of the rounds' ratios */
	isMet: (medians: { ours: number; other: number; ratio: number }) => boolean;
}

/** Something of ours, measured in the same rounds as something else. */
export interface Comparison {
	/** What was measured, e.g. `accepted deliveries`. */
	what: string;
	/** What it was measured beside, e.g. `the floor`. */
	beside: string;
	unit: string;
	/** A figure of each round. */
	ours: number[];
	/** Those of the other in the same rounds; one for all where it is no measured figure. */
	other: number[];
	/** Without one it is for the record. */
	goal?: Goal;
}

export const atLeast = (least: number): Goal => ({
	text: `at least ${least}`,
	isMet: ({ ratio }) => ratio >= least,
});

export const atMost = (most: number): Goal => ({
	text: `at most ${most}`,
	isMet: ({ ratio }) => ratio <= most,
});

export const noMore: Goal = { text: 'no more', isMet: ({ ours, other }) => ours <= other };

export const below: Goal = { text: 'below 1', isMet: ({ ratio }) => ratio < 1 };

export const above: Goal = { text: 'above 1', isMet: ({ ratio }) => ratio > 1 };

/** @param figures at least one */
export function summarise(figures: number[]): Summary {
	const sorted = figures.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	const [low = NaN, high = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	return { median: (low + high) / 2, least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** The ratios of ours to the other's, round by round: what the machine did meanwhile met both. */
export function ratiosOf({ ours, other }: Pick<Comparison, 'ours' | 'other'>): number[] {
	return ours.map((figure, round) => figure / (other[round] ?? other[0] ?? NaN));
}

/** Tells whether a comparison reaches its goal; undefined where it has none. */
export function reaches(comparison: Comparison): boolean | undefined {
	return comparison.goal?.isMet({
		ours: summarise(comparison.ours).median,
		other: summarise(comparison.other).median,
		ratio: summarise(ratiosOf(comparison)).median,
	});
}

/**
 * Measures several peers in turns, every second round backwards, so that whatever else the machine
 * does meets all of them alike.
 *
 * @returns the figures of each peer, one a round
 */
export async function inTurns<Peer extends string, Figure>(
	rounds: number,
	peers: Record<Peer, () => Promise<Figure> | Figure>,
): Promise<Record<Peer, Figure[]>> {
	const names = Object.keys(peers) as Peer[];
	const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
		Peer,
		Figure[]
	>;
	for (let round = 0; round < rounds; round++) {
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			figures[name].push(await peers[name]());
		}
	}
	return figures;
}
