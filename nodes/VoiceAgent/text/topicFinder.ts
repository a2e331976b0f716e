import { listed, setOf, wordsOf } from './words';

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
		const tiers = [listed(sure), listed(lessSure), ...listed(ranked).map((name) => [name])];
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
