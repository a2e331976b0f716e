import type { DetailKey } from '../callDetails/details';

/** How many events are compared with how many before. */
export const NEWEST = 20;
export const BEFORE = 100;
/** In how many of the events before a detail counts as usual. */
const USUAL = 90;

/** What is remembered of an event: its type, and which details it states, without their values. */
export interface SeenEvent {
	type?: string;
	found: DetailKey[];
}

/**
 * Finds details that the service may have renamed: nine of ten events of a type state it, and the last ones of that
 * type don't. Events of different types may state different details.
 *
 * 96 of 100 events with a phone number, then 20 without → `customer.phone`
 *
 * @param events the oldest first
 * @returns each detail, and in how many events before it was found
 */
export function findDrifts(events: SeenEvent[]) {
	const types = [...new Set(events.map(({ type }) => type))];
	return types.flatMap((type) => {
		const ofType = events.filter((event) => event.type === type).slice(-(BEFORE + NEWEST));
		if (ofType.length < BEFORE + NEWEST) return [];
		const counts = countDetails(ofType.slice(0, BEFORE));
		const stated = countDetails(ofType.slice(BEFORE));
		return [...counts]
			.filter(([detail, found]) => found >= USUAL && !stated.has(detail))
			.map(([detail, found]) => ({ detail, found }));
	});
}

function countDetails(events: SeenEvent[]): Map<DetailKey, number> {
	const counts = new Map<DetailKey, number>();
	for (const detail of events.flatMap(({ found }) => found)) {
		counts.set(detail, (counts.get(detail) ?? 0) + 1);
	}
	return counts;
}
