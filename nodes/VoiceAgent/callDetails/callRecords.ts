/** Finds the objects of an event that belong to its call, and reads their fields. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../matcher/json';
import { isEnd, readFieldName, type FieldName } from './fieldNames';
import { readPhone } from './phoneNumbers';
import { PARTICIPANTS } from './vocabulary/partyNames';
import { KINDS, type CallRecordKind } from './vocabulary/recordNames';

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
	/** Its name in words: `call_data` → `call data` */
	name: string;
	fields: CallField[];
}

/** Topics of fields that only calls have, if the name has the word `call`: `call_id`. */
const OF_CALLS = ['id', 'startedAt', 'endedAt', 'durationSeconds', 'status'] as const;
/** The place of the event itself. */
const ROOT = { path: '', kind: 'envelope', name: '' } as const;
/** Limits for hostile events. Real events have fewer records and fields. */
const MOST_RECORDS = 50;
const MOST_RECORD_FIELDS = 500;

/** Returns the objects of an event that belong to its call, the outer ones first. */
export function readCallRecords(event: unknown): CallRecord[] {
	const records = isObject(event) ? [recordOf(event, ROOT)] : [];
	for (const record of records) {
		for (const field of record.fields) {
			const { value, phrase: name } = field;
			// A list with a single entry counts as that entry.
			const isList = Array.isArray(value) && value.length === 1;
			const object: unknown = isList ? value[0] : value;
			if (!isObject(object) || records.length >= MOST_RECORDS) continue;
			const kind = kindOf(name, object, record, isList);
			const path = isList ? `${field.path}[0]` : field.path;
			if (kind) records.push(recordOf(object, { path, kind, name }));
		}
	}
	return records;
}

/** Returns the kind of an object; undefined if it does not belong to the call. */
function kindOf(
	name: string,
	object: IDataObject,
	around: CallRecord,
	isList: boolean,
): CallRecordKind | undefined {
	// A single leg can be the call.
	const isLeg = isList && PARTICIPANTS.has(name) && isCallRecord(recordOf(object, ROOT));
	const kind = isLeg ? 'envelope' : KINDS.get(name);
	// An envelope in `metadata` is metadata, too. A list in a call holds other calls.
	if (kind === 'envelope') return isList && isCallRecord(around) ? undefined : around.kind;
	return kind;
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

function recordOf(object: IDataObject, place: Omit<CallRecord, 'fields'>): CallRecord {
	const record: CallRecord = { ...place, fields: [] };
	for (const key in object) {
		const value = object[key];
		if (value === null || value === undefined || value === '') continue;
		record.fields.push({ ...readFieldName(key), path: pathTo(place.path, key), value, record });
		if (record.fields.length >= MOST_RECORD_FIELDS) break;
	}
	return record;
}

/** A path as users write it. `data`, `caller number` → `data['caller number']` */
export function pathTo(path: string, key: string): string {
	if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}['${key}']`;
	return path === '' ? key : `${path}.${key}`;
}
