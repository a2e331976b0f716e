import type { Candidate } from '../matcher/choose';
import { wordsOf } from '../matcher/words';
import type { Topic } from './names';
import { readRecords, tellsOfCall, type CallRecord, type Field } from './records';
import { readTranscript } from './transcripts';
import { readOutcome, readUrl } from './values';
import { PARTICIPANTS } from './vocabulary/parties';
import { CALLS, type Kind } from './vocabulary/records';
import { CALL_EVENTS, OTHER_EVENTS, WEB } from './vocabulary/values';

/** A field that may be a value of the call. */
export interface FieldCandidate extends Candidate {
	field: Field;
}

/** What an event says, by topics. */
export interface Call {
	records: CallRecord[];
	/** The call's own record: the only one whose plain `id` and `status` are the call's. */
	main: CallRecord | undefined;
	/** The fields of a topic. */
	of: (topic: Topic) => FieldCandidate[];
}

/** The topics that a record may tell of, where not all. */
const TOPICS_OF: Partial<Record<Kind, Topic[]>> = {
	analysis: ['summary', 'outcome'],
	recording: ['recording', 'transcript', 'address'],
};
/** Longer texts are no types. */
const LONGEST_TYPE = 100;

/** Reads an event's fields, and finds the call's own record: the outermost named so, else the innermost. */
export function readFields(event: unknown): Call {
	const records = readRecords(event);
	const byTopic = new Map<Topic, FieldCandidate[]>();
	for (const field of records.flatMap(({ fields }) => fields)) {
		const { kind } = field.record;
		for (const [topic, confidence] of field.name.topics) {
			const isAllowed = TOPICS_OF[kind]?.includes(topic) ?? topic !== 'address';
			if (!isAllowed) continue;
			const candidates = byTopic.get(topic) ?? [];
			candidates.push({ path: field.path, value: field.value, confidence, field });
			byTopic.set(topic, candidates);
		}
	}
	const spine = records.filter(({ kind }) => kind === 'spine');
	const main =
		spine.find(({ name }) => CALLS.has(name)) ??
		spine.findLast(({ name }) => !PARTICIPANTS.has(name));
	return { records, main, of: (topic) => byTopic.get(topic) ?? [] };
}

/** Tells whether a plain name, such as `id`, is the call's own in this field. */
export function isOwn({ name, record }: Field, main: CallRecord | undefined): boolean {
	return name.words.includes('call') || record === main;
}

function wordsIn({ of }: Call, ...topics: Topic[]): string[] {
	const texts = topics.flatMap(of).map(({ value }) => value);
	return texts.flatMap((text) =>
		typeof text === 'string' && text.length <= LONGEST_TYPE ? wordsOf(text) : [],
	);
}

/** Tells whether the event says that it is no phone call: `call_type: web_call`. */
export function isWeb(call: Call): boolean {
	return wordsIn(call, 'medium').some((word) => WEB.has(word));
}

/** Tells whether an event is about a call: its type says so, or it has what only calls have. */
export function isOfCall(call: Call): boolean {
	if (wordsIn(call, 'event', 'medium').some((word) => CALL_EVENTS.has(word))) return true;
	if (wordsIn(call, 'event').some((word) => OTHER_EVENTS.has(word))) return false;
	return (
		call.records.some(tellsOfCall) ||
		call.of('outcome').some(({ value }) => readOutcome(value) !== null) ||
		call.of('transcript').some(({ value }) => readTranscript(value) !== null) ||
		[...call.of('recording'), ...call.of('address')].some(({ value }) => readUrl(value) !== null)
	);
}
