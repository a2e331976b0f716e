import type { Candidate } from '../matcher/choose';
import type { Topic } from './names';
import type { CallRecord, Field } from './records';

/** A field that may be a value of the call. */
export interface FieldCandidate extends Candidate {
	field: Field;
}

/** An event's fields by what they say, and what the whole event is about. */
export interface Call {
	records: CallRecord[];
	/** The call's own record: the only one whose plain `id` and `status` are the call's. */
	main: CallRecord | undefined;
	fields: Field[];
}

/** Longer texts are no types. */
const LONGEST_TEXT = 100;

/** The topics that each kind of record may tell of. */
const ALLOWED: Record<CallRecord['kind'], (topic: Topic) => boolean> = {
	spine: () => true,
	annex: () => true,
	analysis: (topic) => topic === 'summary' || topic === 'outcome',
	recording: (topic) => topic === 'recording' || topic === 'transcript',
};

/** Finds the call's own record: the outermost that is named so, else the innermost that says something of it. */
export function callOf(records: CallRecord[]): Call {
	const spine = records.filter(({ kind }) => kind === 'spine');
	const isTelling = ({ fields }: CallRecord) => fields.some(({ name }) => tells(name.topics));
	const main =
		spine.find((record) => record.isCall && isTelling(record)) ??
		spine.findLast(isTelling) ??
		spine.at(-1);
	return { records, main, fields: records.flatMap(({ fields }) => fields) };
}

function tells(topics: ReadonlyMap<Topic, number>): boolean {
	return [...topics.keys()].some(
		(topic) => topic !== 'event' && topic !== 'medium' && topic !== 'turns',
	);
}

/** The fields of a topic as candidates. */
export function candidatesOf({ fields }: Call, topic: Topic): FieldCandidate[] {
	return fields.flatMap((field) => {
		const { path, value, name, record } = field;
		const confidence = ALLOWED[record.kind](topic) ? name.topics.get(topic) : undefined;
		return confidence === undefined ? [] : [{ path, value, confidence, field }];
	});
}

/** The short texts of a topic. */
export function textsOf(call: Call, topic: Topic): string[] {
	return candidatesOf(call, topic).flatMap(({ value }) =>
		typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : [],
	);
}
