import { isEnd, readFieldName, type FieldName } from './names';
import { readPhone } from './phones';
import { PARTICIPANTS } from './vocabulary/parties';
import { KINDS, OTHERS, type Kind } from './vocabulary/records';

/** A field of an entered object. */
export interface Field {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	name: FieldName;
	value: unknown;
	record: CallRecord;
}

/** An entered object. */
export interface CallRecord {
	path: string;
	kind: Kind;
	/** The words of its own name. */
	name: string;
	depth: number;
	fields: Field[];
}

/** Topics that are a call's if their name says so: `call_id`. */
const OF_CALLS = ['id', 'start', 'end', 'duration', 'status'] as const;
/** Ends what is hostile: deeper, wider and more than any event. */
const DEEPEST = 10;
const MOST_RECORDS = 50;
const MOST_FIELDS = 500;

/** Tells whether a value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the objects of an event that are of its call, the outer ones first. */
export function readRecords(event: unknown): CallRecord[] {
	const records = isRecord(event) ? [recordOf(event, '', 'spine', '', 0)] : [];
	for (const record of records) {
		for (const { name, path, value } of record.fields) {
			// A list of one is as good as its entry.
			const isList = Array.isArray(value) && value.length === 1;
			const object: unknown = isList ? value[0] : value;
			if (!isRecord(object) || record.depth >= DEEPEST || records.length >= MOST_RECORDS) continue;
			const kind = kindOf(name, object, record, isList);
			const place = isList ? `${path}[0]` : path;
			if (kind) records.push(recordOf(object, place, kind, name.phrase, record.depth + 1));
		}
	}
	return records;
}

/** What an object is to the call; undefined for one that is not entered. */
function kindOf(
	{ phrase, words, part }: FieldName,
	object: Record<string, unknown>,
	around: CallRecord,
	isList: boolean,
): Kind | undefined {
	const kind = KINDS.get(phrase);
	if (kind !== undefined) {
		const isMore = isList && kind === 'spine' && tellsOfCall(around);
		const isOf = kind === 'recording' || kind === around.kind || around.kind === 'spine';
		return isOf && !isMore ? kind : undefined;
	}
	// A single leg is the call, and so is the single object of an event.
	const objects = around.fields.filter(({ value }) => typeof value === 'object');
	const isOther = part !== undefined || words.some((word) => OTHERS.has(word));
	const isSingle = around.path === '' && objects.length === 1 && !isOther;
	if (!(isList ? PARTICIPANTS.has(phrase) : isSingle) || around.kind !== 'spine') return undefined;
	const isCall = !tellsOfCall(around) && tellsOfCall(recordOf(object, '', 'spine', '', 0));
	return isCall ? 'spine' : undefined;
}

/** Tells whether an object states what only calls have: an end, a direction, an id or a time of a call. */
export function tellsOfCall({ kind, fields }: CallRecord): boolean {
	const isCalls = ({ name: { topics, words, side, part, place }, value }: Field) => {
		const isOwn = OF_CALLS.some((topic) => topics.has(topic)) && words.includes('call');
		const isNumber = isEnd(side) && (part === 'phone' || part === 'self');
		return topics.has('direction') || isOwn || (isNumber && readPhone(value, place) !== null);
	};
	return (kind === 'spine' || kind === 'annex') && fields.some(isCalls);
}

function recordOf(
	object: Record<string, unknown>,
	path: string,
	kind: Kind,
	name: string,
	depth: number,
): CallRecord {
	const record: CallRecord = { path, kind, name, depth, fields: [] };
	for (const key in object) {
		const value = object[key];
		if (value === null || value === undefined || value === '') continue;
		record.fields.push({ path: pathTo(path, key), name: readFieldName(key), value, record });
		if (record.fields.length >= MOST_FIELDS) break;
	}
	return record;
}

/** A path as users write it. `data`, `caller number` → `data['caller number']` */
export function pathTo(path: string, key: string): string {
	if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}['${key}']`;
	return path === '' ? key : `${path}.${key}`;
}
