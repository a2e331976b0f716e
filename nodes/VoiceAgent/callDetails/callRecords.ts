/** Finds the objects of an event that belong to its call, and reads their fields. */
import { isObject } from '../matcher/json';
import { isEnd, readFieldName, type FieldName } from './fieldNames';
import { readPhone } from './phoneNumbers';
import { PARTICIPANTS } from './vocabulary/parties';
import { KINDS, OTHERS, type CallRecordKind } from './vocabulary/records';

/** A field of a call record. */
export interface CallField extends FieldName {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	value: unknown;
	record: CallRecord;
}

/** An object of the event that belongs to the call. */
export interface CallRecord {
	path: string;
	kind: CallRecordKind;
	/** The words of its own name. */
	name: string;
	depth: number;
	fields: CallField[];
}

/** Topics that show a call if the name has the word `call`: `call_id`. */
const OF_CALLS = ['id', 'start', 'end', 'duration', 'status'] as const;
/** Limits for hostile events: deeper, wider and more than any real event. */
const DEEPEST_RECORD = 10;
const MOST_RECORDS = 50;
const MOST_RECORD_FIELDS = 500;

/** Returns the objects of an event that belong to its call, the outer ones first. */
export function readCallRecords(event: unknown): CallRecord[] {
	const records = isObject(event) ? [recordOf(event, '', 'envelope', '', 0)] : [];
	for (const record of records) {
		for (const field of record.fields) {
			const { path, value } = field;
			if (typeof value !== 'object') continue;
			// A list with a single entry counts as that entry.
			const isList = Array.isArray(value) && value.length === 1;
			const object: unknown = isList ? value[0] : value;
			if (!isObject(object) || record.depth >= DEEPEST_RECORD || records.length >= MOST_RECORDS)
				continue;
			const kind = kindOf(field, object, record, isList);
			const place = isList ? `${path}[0]` : path;
			if (kind) records.push(recordOf(object, place, kind, field.phrase, record.depth + 1));
		}
	}
	return records;
}

/** Returns the kind of an object; undefined if it does not belong to the call. */
function kindOf(
	{ phrase, words, part }: FieldName,
	object: Record<string, unknown>,
	around: CallRecord,
	isList: boolean,
): CallRecordKind | undefined {
	const kind = KINDS.get(phrase);
	if (kind !== undefined) {
		const isOtherCall = isList && kind === 'envelope' && isCallRecord(around);
		if (isOtherCall) return undefined;
		// An envelope in `metadata` is metadata, too.
		return kind === 'envelope' ? around.kind : kind;
	}
	// A single leg is the call. So is the root's single object, whatever its name.
	const objects = around.fields.filter(({ value }) => typeof value === 'object');
	const isOther = part !== undefined || words.some((word) => OTHERS.has(word));
	const isSingle = around.path === '' && objects.length === 1 && !isOther;
	if (!(isList ? PARTICIPANTS.has(phrase) : isSingle) || around.kind !== 'envelope') return;
	const isCall = !isCallRecord(around) && isCallRecord(recordOf(object, '', 'envelope', '', 0));
	return isCall ? 'envelope' : undefined;
}

/** Whether an object has a field that only calls have: a direction, an end with a number, a `call_id`. */
export function isCallRecord({ kind, fields }: CallRecord): boolean {
	const isCalls = ({ topics, words, side, part, place, value }: CallField) => {
		const isOwn = words.includes('call') && OF_CALLS.some((topic) => topics.has(topic));
		const isNumber = isEnd(side) && (part === 'phone' || part === 'self');
		return topics.has('direction') || isOwn || (isNumber && readPhone(value, place) !== null);
	};
	return (kind === 'envelope' || kind === 'metadata') && fields.some(isCalls);
}

function recordOf(
	object: Record<string, unknown>,
	path: string,
	kind: CallRecordKind,
	name: string,
	depth: number,
): CallRecord {
	const record: CallRecord = { path, kind, name, depth, fields: [] };
	for (const key in object) {
		const value = object[key];
		if (value === null || value === undefined || value === '') continue;
		record.fields.push({ ...readFieldName(key), path: pathTo(path, key), value, record });
		if (record.fields.length >= MOST_RECORD_FIELDS) break;
	}
	return record;
}

/** A path as users write it. `data`, `caller number` → `data['caller number']` */
export function pathTo(path: string, key: string): string {
	if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}['${key}']`;
	return path === '' ? key : `${path}.${key}`;
}
