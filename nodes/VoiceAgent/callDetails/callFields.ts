/** Finds the objects of an event that belong to its call, and reads their fields by topic. */
import type { IDataObject } from 'n8n-workflow';

import type { Candidate } from '../text/topics';
import { isObject, pathTo } from '../text/json';
import { hasAny, hasOnly, wordsOf } from '../text/words';
import { DETAILS } from './details';
import { isEnd, readFieldName, type FieldName, type Topic } from './fieldNames';
import { readPhone } from './phoneNumbers';
import { PARTICIPANTS, CALLS, KINDS, OF_USER, type CallRecordKind } from './vocabulary/fieldWords';
import { CALL_EVENTS, OTHER_EVENTS, TEST_TYPES, TESTS, WEB } from './vocabulary/valueWords';

/** A field of a call record. */
export type CallField = FieldName & {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	value: unknown;
	record: CallRecord;
};

/** An object of the event that belongs to the call. */
export interface CallRecord {
	path: string;
	kind: CallRecordKind;
	/** Its name in words: `call_data` → `call data` */
	name: string;
	fields: CallField[];
}

/** A field that may be a value of the call. */
export type FieldCandidate = CallField & Candidate;

/** The fields of an event by topic. */
export type CallFields = ReturnType<typeof readCallFields>;

/** Topics of fields that only calls have, if the name has the word `call`: `call_id`. */
const OF_CALLS = ['id', 'startedAt', 'endedAt', 'durationSeconds', 'status'] as const;
/** Kinds of records whose fields count for a few topics only. */
const TOPICS_OF: Partial<Record<CallRecordKind, Topic[]>> = {
	part: ['summary', 'outcome', 'collected', 'recordingUrl', 'transcript'],
	recording: ['recordingUrl', 'transcript', 'address'],
};
/** The place of the event itself. */
const ROOT = { path: '', kind: 'envelope', name: '' } as const;
/** Limits for hostile events. Real events have fewer records and fields. */
const MOST_RECORDS = 50;
const MOST_RECORD_FIELDS = 500;
export const LONGEST_FIELD_NAME = 200;

/**
 * Reads the fields of an event. The call's own record is the outermost named `call`, else the innermost
 * with a field that only calls have. Without such a record, the innermost has the `id` and `status`.
 *
 * @returns the records; as `main` the call's own record, whose `id` and `status` are the call's; and `get`,
 *   which returns the fields of a topic
 */
export function readCallFields(event: unknown) {
	const all = readCallRecords(event);
	const envelopes = all.filter(({ kind, name }) => kind === 'envelope' && !PARTICIPANTS.has(name));
	const call = envelopes.find(({ name }) => CALLS.has(name)) ?? envelopes.findLast(isCallRecord);
	// An envelope beside the call's has values of its own: `{ event: { started_at }, call: { … } }`.
	const place = call?.path ?? '';
	const isBeside = ({ path }: CallRecord) => !isWithin(path, place) && !isWithin(place, path);
	const records = all.filter((record) => record.kind !== 'envelope' || !isBeside(record));
	const candidates = records.flatMap(({ kind, fields }) =>
		fields.flatMap((field) =>
			[...field.topics]
				.filter(([topic]) => TOPICS_OF[kind]?.includes(topic) ?? topic !== 'address')
				.map(([topic, confidence]) => ({ ...field, topic, confidence })),
		),
	);
	// Metadata is the user's own where the call states the same detail: `{ id, metadata: { call_id } }`.
	const isOfCall = ({ record }: CallField) => !call || !OF_USER.has(record.name);
	const get = (topic: Topic): FieldCandidate[] => {
		const fields = candidates.filter((one) => one.topic === topic);
		const reader = topic in DETAILS ? DETAILS[topic as keyof typeof DETAILS] : undefined;
		const isStated = (one: CallField) => isOfCall(one) && reader?.read(one.value) !== null;
		return reader && fields.some(isStated) ? fields.filter(isOfCall) : fields;
	};
	return { records, main: call ?? envelopes.at(-1), get };
}

/** Returns the objects of an event that belong to its call, the outer ones first. */
function readCallRecords(event: unknown): CallRecord[] {
	const records = isObject(event) ? [recordOf(event, ROOT)] : [];
	for (const record of records) {
		for (const field of record.fields) {
			const { value, phrase: name } = field;
			// A list with a single entry counts as that entry.
			const isList = Array.isArray(value) && value.length === 1;
			const object: unknown = isList ? value[0] : value;
			if (!isObject(object) || records.length >= MOST_RECORDS) continue;
			const kind = kindOf(field, object, isList);
			const path = isList ? `${field.path}[0]` : field.path;
			if (kind) records.push(recordOf(object, { path, kind, name }));
		}
	}
	return records;
}

/** Returns the kind of the object in a field; undefined if it does not belong to the call. */
function kindOf({ phrase, record }: CallField, object: IDataObject, isList: boolean) {
	// A single leg can be the call.
	const isLeg = isList && PARTICIPANTS.has(phrase) && isCallRecord(recordOf(object, ROOT));
	const kind = isLeg ? 'envelope' : KINDS.get(phrase);
	// An envelope in `metadata` is metadata, too. A list in a call holds other calls.
	if (kind === 'envelope') return isList && isCallRecord(record) ? undefined : record.kind;
	return kind;
}

/** Whether an object has a field that only calls have: a direction, an end with a number, a `call_id`. */
function isCallRecord({ kind, fields }: CallRecord): boolean {
	const isCalls = ({ topics, words, side, part, place, value }: CallField) => {
		const isOwn = words.includes('call') && OF_CALLS.some((topic) => topics.has(topic));
		const isNumber = isEnd(side) && (part === 'phone' || part === 'self');
		return topics.has('direction') || isOwn || (isNumber && readPhone(value, place) !== null);
	};
	return (kind === 'envelope' || kind === 'metadata') && fields.some(isCalls);
}

function recordOf(object: IDataObject, place: Omit<CallRecord, 'fields'>): CallRecord {
	const record: CallRecord = { ...place, fields: [] };
	record.fields = Object.entries(object)
		.filter(([key, value]) => (value ?? '') !== '' && key.length <= LONGEST_FIELD_NAME)
		.slice(0, MOST_RECORD_FIELDS)
		.map(([key, value]) => {
			return { ...readFieldName(key), path: pathTo(place.path, key), value, record };
		});
	return record;
}

/** Whether a path is that of an object or leads into it. `data.call.id`, `data.call` → true */
export function isWithin(path: string, object: string): boolean {
	return object === '' || (path.startsWith(object) && /^([.[]|$)/.test(path.slice(object.length)));
}

function hasWord(fields: FieldCandidate[], words: ReadonlySet<string>): boolean {
	return fields.some(({ value }) => hasAny(wordsOf(value), words));
}

/** Whether the event states that it is no phone call: `call_type: web_call` → true */
export function isWebCall({ get }: CallFields): boolean {
	return hasWord(get('medium'), WEB);
}

/** Whether the event states that it is a test: `test: true`, `type: call.completed.test` */
export function isTestEvent({ get }: CallFields): boolean {
	const isTest = (words: readonly string[]) => hasAny(words, TESTS) && hasOnly(words, TEST_TYPES);
	return (
		get('test').some(({ value }) => `${value}` === 'true') ||
		get('event').some(({ value }) => isTest(wordsOf(value)))
	);
}

/** Whether an event is about a call: by the words of its type, else by a value that only calls have. */
export function isCallEvent({ get, records }: CallFields): boolean {
	if (hasWord(get('event'), CALL_EVENTS) || hasWord(get('medium'), CALL_EVENTS)) return true;
	if (hasWord(get('event'), OTHER_EVENTS)) return false;
	const states = (key: 'outcome' | 'transcript') =>
		get(key).some(({ value }) => DETAILS[key].read(value) !== null);
	return records.some(isCallRecord) || states('outcome') || states('transcript');
}
