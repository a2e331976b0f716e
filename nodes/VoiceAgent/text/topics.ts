/* The topics of field names, and the choice among the fields of a topic. */
import { splitList, setOf, wordsOf } from './words';

/** The names of a topic's fields: a table of vocabulary, whose texts list names with commas. */
export interface TopicNames {
	/** Names of the highest confidence. */
	sure?: string;
	/** Names of the next lower confidence. */
	lessSure?: string;
	/** Names in falling confidence, below both. */
	ranked?: string;
	/** Words that may stand beside a name. */
	beside?: string;
}

/** The confidence of a topic's surest names, and of the next ones. Ranked names are below both. */
export const SUREST = 100;
export const LESS_SURE = SUREST - 1;

/**
 * Makes a function that finds the topics of a name. An unknown word makes it the name of another field.
 * `{ start: { sure: 'started', beside: 'at' } }`: `started`, `at` → start with confidence 100
 *
 * @param read splits a name of the tables into words, as the names of fields are split
 * @returns the function, and all names and words of the tables
 */
export function topicFinder<T extends string>(
	tables: Record<T, TopicNames>,
	read: (name: string) => readonly string[] = wordsOf,
) {
	const topics = Object.entries<TopicNames>(tables).map(([topic, table]) => {
		const { sure, lessSure, ranked, beside } = table;
		const tiers = [
			splitList(sure),
			splitList(lessSure),
			...splitList(ranked).map((name) => [name]),
		];
		const names = tiers.flatMap((tier, at) =>
			tier.map((name): [string, number] => [read(name).join(' '), SUREST - at]),
		);
		// Of a name that stands twice, the first one counts.
		return { topic: topic as T, names: new Map(names.reverse()), beside: setOf(beside) };
	});
	return {
		vocabulary: topics.flatMap(({ names, beside }) => [...names.keys(), ...beside]),
		topicsOf: (words: readonly string[]): ReadonlyMap<T, number> => {
			const phrase = words.join(' ');
			return new Map(
				topics.flatMap(({ topic, names, beside }) => {
					const core = words.filter((word) => !beside.has(word));
					// `mobile_number`: a word beside other names may be a name itself.
					const own = core.length > 0 ? core : words.filter((word) => names.has(word));
					const confidence = names.get(phrase) ?? names.get(own.join(' '));
					return confidence === undefined ? [] : [[topic, confidence] as const];
				}),
			);
		},
	};
}

/** A value that may be a detail. */
export interface Candidate {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	value: unknown;
	/** Candidates of the same confidence must agree. */
	confidence: number;
}

/**
 * Chooses the value of the surest candidate that can be read. Different values of the same confidence give null.
 * `call_id: 'a'` and, less sure, `session_id: 'b'` → `a`; `summary: 'x'` and `recap: 'y'` → null
 *
 * @param read the detail in a candidate, or null; called for the surest candidates only
 * @param isSame whether two values are the same detail
 * @param isBetter whether a value is chosen in place of another one that is the same; by default the longer text
 */
export function choose<T, C extends Pick<Candidate, 'confidence'>>(
	candidates: C[],
	read: (candidate: C) => T | null,
	isSame: (a: T, b: T) => boolean = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b),
	isBetter: (value: T, other: T) => boolean = (a, b) => `${a}`.length > `${b}`.length,
): T | null {
	let winner: { value: T; confidence: number } | undefined;
	for (const candidate of candidates.toSorted((a, b) => b.confidence - a.confidence)) {
		const { confidence } = candidate;
		if (winner && confidence < winner.confidence) break;
		const value = read(candidate);
		if (value === null) continue;
		if (winner && !isSame(winner.value, value)) return null;
		if (!winner || isBetter(value, winner.value)) winner = { value, confidence };
	}
	return winner ? winner.value : null;
}

/** Reads the surest candidate that can be read; of several with the same confidence, the first. */
export function chooseFirst<T, C extends Pick<Candidate, 'confidence'>>(
	candidates: C[],
	read: (candidate: C) => T | null,
): T | null {
	const isSame = () => true;
	const isBetter = () => false;
	return choose(candidates, read, isSame, isBetter);
}
