import type { Topic } from './topics';
import type { Field, Records } from './records';

/** Texts that stand for no value. */
const EMPTY =
	/^(|-+|n\/?a|null|none|nil|undefined|true|false|unknown|(not|none) (provided|given|mentioned|specified|stated|shared|available|applicable|known))$/i;

/** The text of a value, unless it stands for none. */
export function textOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return EMPTY.test(text) ? undefined : text;
}

/** What the field tells that fits a topic best, by its name and its place; the outer one of two. */
export function best<T>(
	records: Records,
	topic: Topic,
	read: (field: Field) => T | undefined,
): T | undefined {
	let [found, most]: [T | undefined, number] = [undefined, 0];
	for (const field of records.topics[topic]) {
		const rank = rankOf(field, topic, records);
		// Reading costs more than ranking.
		if (rank <= most) continue;
		const value = read(field);
		if (value !== undefined) [found, most] = [value, rank];
	}
	return found;
}

/** How well a field fits a topic, by its name and its place; 0 for not at all. */
export function rankOf(field: Field, topic: Topic, { call }: Records): number {
	const { name, record, isEntry } = field;
	if (isBesideFor(topic, field)) return 0;
	const near = record === call ? 5 : record.isSpine ? 4 : 3;
	const far = (isEntry || record.isEntry ? 1 : 0) + (record.isCustom ? 2 : 0);
	return (name.topics[topic] ?? 1) + near - far;
}

/** Topics that are told apart from the call too, such as in an analysis. */
const APART = new Set<Topic>(['summary', 'transcript', 'recording']);

/** Tells whether a field stands where it tells of something else than the call. */
export function isBesideFor(topic: Topic, { name, record }: Field): boolean {
	if (name.side === 'other') return true;
	if (!record.isSpine && record.name?.holder !== undefined) return true;
	// An analysis tells how the call went, but nothing else of it.
	const isAnalysis = record.name?.words.includes('analysis') === true;
	if (isAnalysis && (topic === 'summary' || topic === 'outcome')) return false;
	return record.isBeside || (record.isApart && !APART.has(topic));
}
