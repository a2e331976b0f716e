/** Groups the fields of an event by topic, and detects whether the event is about a call. */
import type { Candidate } from '../matcher/choose';
import { wordsOfText } from '../matcher/words';
import { isCallRecord, readCallRecords, type CallField, type CallRecord } from './callRecords';
import type { Topic } from './fieldNames';
import { readTranscript } from './transcripts';
import { readOutcome } from './values';
import { PARTICIPANTS } from './vocabulary/partyNames';
import { CALLS, type CallRecordKind } from './vocabulary/recordNames';
import { CALL_EVENTS, OTHER_EVENTS, WEB } from './vocabulary/valueWords';

/** A field that may be a value of the call. */
export type FieldCandidate = CallField & Candidate;

/** The fields of an event by topic. */
export interface CallFields {
	records: CallRecord[];
	/** The call's own record: its `id` and `status` are the call's. */
	main: CallRecord | undefined;
	/** The path of the call's own record; '' if no record is surely the call's. */
	place: string;
	/** The fields of a topic. */
	of: (topic: Topic) => FieldCandidate[];
}

/** Kinds of records whose fields count for a few topics only. */
const TOPICS_OF: Partial<Record<CallRecordKind, Topic[]>> = {
	analysis: ['summary', 'outcome'],
	artifact: ['recordingUrl', 'transcript'],
	recording: ['recordingUrl', 'transcript', 'address'],
};

/**
 * Reads the fields of an event. The call's own record is the outermost named `call`, else the innermost
 * with a field that only calls have. Without such a record, the innermost has the `id` and `status`.
 */
export function readCallFields(event: unknown): CallFields {
	const all = readCallRecords(event);
	const envelopes = all.filter(({ kind, name }) => kind === 'envelope' && !PARTICIPANTS.has(name));
	const call = envelopes.find(({ name }) => CALLS.has(name)) ?? envelopes.findLast(isCallRecord);
	// An envelope beside the call's has values of its own: `{ event: { started_at }, call: { … } }`.
	const place = call?.path ?? '';
	const isBeside = ({ path }: CallRecord) => !isWithin(path, place) && !isWithin(place, path);
	const records = all.filter((record) => record.kind !== 'envelope' || !isBeside(record));
	const byTopic = new Map<Topic, FieldCandidate[]>();
	for (const field of records.flatMap(({ fields }) => fields)) {
		for (const [topic, confidence] of field.topics) {
			const isRead = TOPICS_OF[field.record.kind]?.includes(topic) ?? topic !== 'address';
			if (!byTopic.has(topic)) byTopic.set(topic, []);
			if (isRead) byTopic.get(topic)?.push({ ...field, confidence });
		}
	}
	const of = (topic: Topic) => byTopic.get(topic) ?? [];
	return { records, main: call ?? envelopes.at(-1), place, of };
}

/** Whether a path is that of an object or leads into it. `data.call.id`, `data.call` → true */
export function isWithin(path: string, object: string): boolean {
	return object === '' || (path.startsWith(object) && !/^\w/.test(path.slice(object.length)));
}

function hasWord(fields: FieldCandidate[], words: ReadonlySet<string>): boolean {
	return fields.some(({ value }) => wordsOfText(value).some((word) => words.has(word)));
}

/** Whether the event states that it is no phone call: `call_type: web_call` → true */
export function isWebCall({ of }: CallFields): boolean {
	return hasWord(of('medium'), WEB);
}

/** Whether an event is about a call: by the words of its type, else by a value that only calls have. */
export function isCallEvent({ of, records }: CallFields): boolean {
	if (hasWord(of('event'), CALL_EVENTS) || hasWord(of('medium'), CALL_EVENTS)) return true;
	if (hasWord(of('event'), OTHER_EVENTS)) return false;
	return (
		records.some(isCallRecord) ||
		of('outcome').some(({ value }) => readOutcome(value) !== null) ||
		of('transcript').some(({ value }) => readTranscript(value) !== null)
	);
}
