import { createHash } from 'node:crypto';

/** @returns a function that returns the next number from 0 to 1; the same seed repeats the numbers */
export function randomOf(seed: string): () => number {
	let drawn = 0;
	return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}

/** A disturbance, and the number of events that are sent before it. */
export interface Scheduled<Disturbance> {
	after: number;
	disturb: Disturbance;
}

/**
 * Shuffles disturbances, divides the events into as many equal parts, and places one disturbance at a
 * random event of each part.
 *
 * @param events the number of events
 * @returns in ascending order
 */
export function scatter<Disturbance>(
	random: () => number,
	events: number,
	disturbances: Disturbance[],
): Array<Scheduled<Disturbance>> {
	return disturbances
		.map((disturb) => ({ disturb, key: random() }))
		.sort((one, other) => one.key - other.key)
		.map(({ disturb }, index) => ({
			after: Math.floor(((index + random()) * events) / disturbances.length),
			disturb,
		}));
}
