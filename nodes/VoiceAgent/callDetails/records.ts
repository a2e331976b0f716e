import { readFieldName, type FieldName } from './names';
import { PARTICIPANTS } from './vocabulary/parties';
import { ANALYSES, ANNEXES, CALLS, ENVELOPES, OTHERS, RECORDINGS } from './vocabulary/records';

/** A field of an entered object. */
export interface Field {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	name: FieldName;
	value: unknown;
	record: CallRecord;
}

/**
 * An entered object. `spine`: the event, or an envelope on the way to the call; `annex`: values of the
 * call, but nobody's name; `analysis`: how it went; `recording`: where it can be heard.
 */
export interface CallRecord {
	path: string;
	kind: 'spine' | 'annex' | 'analysis' | 'recording';
	/** Its own name says that it is the call. */
	isCall: boolean;
	/** It is one leg of the call, whose plain `id` is the leg's. */
	isLeg: boolean;
	fields: Field[];
}

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
	if (!isRecord(event)) return [];
	const root = recordOf(event, '', 'spine', '');
	const records = [root];
	const depths = new Map([[root, 0]]);
	for (const record of records) {
		const depth = depths.get(record) ?? 0;
		if (depth >= DEEPEST) continue;
		for (const { name, path, value } of record.fields) {
			const object = records.length < MOST_RECORDS ? objectIn(value) : undefined;
			const kind = object && kindOf(name, object, record, object === value);
			if (object === undefined || kind === undefined) continue;
			const inner = recordOf(object, object === value ? path : `${path}[0]`, kind, name.phrase);
			depths.set(inner, depth + 1);
			records.push(inner);
		}
	}
	return records;
}

/** The object that a value is, or the single one that a list holds. */
function objectIn(value: unknown): Record<string, unknown> | undefined {
	const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	return isRecord(single) ? single : undefined;
}

/** What an object is to the call; undefined for one that is not entered. */
function kindOf(
	{ phrase, words, part }: FieldName,
	object: Record<string, unknown>,
	around: CallRecord,
	isPlain: boolean,
): CallRecord['kind'] | undefined {
	const { kind, path } = around;
	if (RECORDINGS.has(phrase)) return 'recording';
	if ((kind === 'spine' || kind === 'annex') && ANNEXES.has(phrase)) return 'annex';
	if (kind !== 'spine') return undefined;
	if (ANALYSES.has(phrase)) return 'analysis';
	if (ENVELOPES.has(phrase)) return isPlain || !tellsOfCall(around) ? 'spine' : undefined;
	// One leg is the call, and so is the single object of the event where nothing of a call stands beside it.
	const isLeg = !isPlain && PARTICIPANTS.has(phrase);
	const isSingle =
		path === '' && around.fields.filter(({ value }) => typeof value === 'object').length === 1;
	const isOther = part !== undefined || words.some((word) => OTHERS.has(word));
	const isCall =
		(isLeg || (isSingle && isPlain && !isOther)) &&
		tellsOfCall(recordOf(object, '', 'spine', '')) &&
		!tellsOfCall(around);
	return isCall ? 'spine' : undefined;
}

/** Tells whether an object states something that only calls have: an end, a direction, an id of a call. */
export function tellsOfCall({ fields }: CallRecord): boolean {
	return fields.some(
		({ name: { topics, side, part, words } }) =>
			topics.has('direction') ||
			((topics.has('id') || topics.has('start')) && words.includes('call')) ||
			((side === 'origin' || side === 'target') && part === 'phone'),
	);
}

function recordOf(
	object: Record<string, unknown>,
	path: string,
	kind: CallRecord['kind'],
	name: string,
): CallRecord {
	const record: CallRecord = {
		path,
		kind,
		isCall: CALLS.has(name),
		isLeg: PARTICIPANTS.has(name),
		fields: [],
	};
	for (const key in object) {
		const value = object[key];
		if (value === null || value === undefined || value === '') continue;
		const name = readFieldName(key);
		record.fields.push({ path: pathTo(path, key), name, value, record });
		if (record.fields.length >= MOST_FIELDS) break;
	}
	return record;
}

/** A path as users write it. `data`, `caller number` → `data['caller number']` */
export function pathTo(path: string, key: string): string {
	if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}['${key}']`;
	return path === '' ? key : `${path}.${key}`;
}
