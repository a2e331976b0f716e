/** Finds the objects of an event that belong to its call, and reads their fields by topic. */
import type { IDataObject } from 'n8n-workflow';

import type { Candidate } from '../text/topics';
import { isObject, isWithin, pathTo } from '../text/json';
import { DETAILS } from './details';
import { isEnd, readFieldName, type FieldName, type Topic } from './fieldNames';
import { readPhone, WITHHELD } from './phoneNumbers';
import { isSameNumber } from './sameNumber';
import { readPlainId } from './values';
import { PARTICIPANTS, CALLS, KINDS, OF_USER, type CallObjectKind } from './vocabulary/fieldWords';

/** A field of an object of the call. */
export type CallField = FieldName & {
	/** Where it stands in the event: `data.call.from`. */
	path: string;
	value: unknown;
	holder: CallObject;
};

/** An object of the event that belongs to the call. */
export interface CallObject {
	path: string;
	kind: CallObjectKind;
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
/** Kinds of objects whose fields count for a few topics only. */
const TOPICS_OF: Partial<Record<CallObjectKind, Topic[]>> = {
	part: ['summary', 'outcome', 'collected', 'recordingUrl', 'transcript'],
	recording: ['recordingUrl', 'transcript', 'address'],
};
/** Names of envelopes in a call that hold its values. */
const VALUES = new Set(['data', 'payload', 'body']);
/** The place of the event itself. */
const ROOT = { path: '', kind: 'envelope', name: '' } as const;
/** Limits for hostile events. Real events have fewer objects and fields. */
const MOST_OBJECTS = 50;
const MOST_OBJECT_FIELDS = 500;
export const LONGEST_FIELD_NAME = 200;

/**
 * Reads the fields of an event. The call's own object is the outermost named `call`, else the innermost
 * with a field that only calls have, if it is not another call. Without such an object, the innermost has the `id` and
 * `status`.
 *
 * @returns the objects; as `main` the call's own object, whose `id` and `status` are the call's; `place`, the path of
 *   that object, or of the innermost `data` with a known field; `get`, which returns the fields of a topic; and
 *   `isOfCall`, whether a field is none that a user has added to the call
 */
export function readCallFields(event: unknown) {
	const all = readCallObjects(event);
	const envelopes = all.filter(({ kind, name }) => kind === 'envelope' && !PARTICIPANTS.has(name));
	const named = envelopes.filter(({ name }) => CALLS.has(name));
	const plain = named.find(({ name }) => name === 'call');
	const stated = [plain, ...named].find((one) => one && hasCallField(one));
	const isAround = ({ path }: CallObject) => isWithin(named[0]?.path ?? path, path);
	const around = envelopes.filter(isAround).filter(hasCallField);
	const innermost = around.findLast((one) => !isAnotherCall(one, around[0]!));
	const call = stated ?? plain ?? innermost ?? named[0];
	const objects = call ? objectsOfCall(all, call) : all;
	const candidates = objects.flatMap(({ kind, fields }) =>
		fields.flatMap((field) =>
			[...field.topics]
				.filter(([topic]) => TOPICS_OF[kind]?.includes(topic) ?? topic !== 'address')
				.map(([topic, confidence]) => ({ ...field, topic, confidence })),
		),
	);
	// Metadata is the user's own, unless it has fields that only calls have, and the call does not state the detail.
	const ofUser = all.filter(({ name }) => OF_USER.has(name));
	const isOfCall = ({ holder }: CallField) =>
		!call || !ofUser.some(({ path }) => isWithin(holder.path, path));
	const get = (topic: Topic): FieldCandidate[] => {
		const fields = candidates.filter((one) => one.topic === topic);
		if (topic === 'event') return fields.filter(isOfCall);
		const reader = topic in DETAILS ? DETAILS[topic as keyof typeof DETAILS] : undefined;
		if (!reader) return fields;
		const isStated = (one: CallField) => isOfCall(one) && reader.read(one.value) !== null;
		const areStated = fields.some(isStated);
		return fields.filter((one) => isOfCall(one) || (!areStated && hasCallField(one.holder)));
	};
	const hasValues = ({ name, fields }: CallObject) =>
		VALUES.has(name) && fields.some(({ topics }) => topics.size > 0);
	const { path: place = '' } = call ?? envelopes.findLast(hasValues) ?? {};
	return { objects, place, main: call ?? envelopes.at(-1), get, isOfCall };
}

/**
 * Leaves out envelopes with values of their own, and what they hold: `event` in `{ event: { started_at }, call: { … } }`,
 * or an appointment in `{ call_id, direction, result: { customer_name, start_time } }`. The analysis and the recording in
 * a `data` beside the call stay.
 *
 * @param call the call's own object
 */
function objectsOfCall(all: CallObject[], call: CallObject): CallObject[] {
	const others = all.filter((one) => one.kind === 'envelope' && !isEnvelopeOf(call, one));
	const isIn = ({ path }: CallObject, other: CallObject) =>
		VALUES.has(other.name) ? path === other.path : isWithin(path, other.path);
	return all.filter((one) => !others.some((other) => isIn(one, other)));
}

/** Whether an envelope holds the call; or is in it, with its values or a field of calls, and is no other call. */
function isEnvelopeOf(call: CallObject, one: CallObject): boolean {
	if (isWithin(call.path, one.path)) return true;
	const isOfValues = CALLS.has(one.name) || VALUES.has(one.name) || hasCallField(one);
	return isWithin(one.path, call.path) && isOfValues && !isAnotherCall(one, call);
}

/**
 * Whether an object in a call is another call: it states another `call_id` and not the same numbers; or one of the two
 * states no `call_id`, and it has numbers of its own at both ends, of which one is at neither end of the call. What has
 * no number, or numbers of its own without a `call_id` and a direction as a relay does, holds no other call.
 */
function isAnotherCall(one: CallObject, call: CallObject): boolean {
	const [id, own] = [callIdOf(one), callIdOf(call)];
	const isCall = own !== null || call.fields.some(({ topics }) => topics.has('direction'));
	const ends = numbersOf(call);
	if (ends.length === 0 || !isCall) return false;
	const numbers = numbersOf(one).filter((number) => number !== WITHHELD);
	const areEnds = numbers.every((number) =>
		ends.some((end) => end === WITHHELD || isSameNumber(number, end)),
	);
	if (id === null || own === null) return numbers.length > 1 && !areEnds;
	return id !== own && (numbers.length === 0 || !areEnds);
}

function callIdOf({ fields }: CallObject): string | null {
	const id = readPlainId(fields.find(({ phrase }) => phrase === 'call id')?.value);
	return id?.toLowerCase() ?? null;
}

function numbersOf({ fields }: CallObject): string[] {
	return fields.flatMap((field) => numberOfEnd(field) ?? []);
}

/** Returns the objects of an event that belong to its call, the outer ones first. */
function readCallObjects(event: unknown): CallObject[] {
	const objects = isObject(event) ? [readObject(event, ROOT)] : [];
	for (const { fields } of objects) {
		for (const field of fields) {
			const { value, phrase: name } = field;
			// A list with a single entry counts as that entry.
			const isList = Array.isArray(value) && value.length === 1;
			const object: unknown = isList ? value[0] : value;
			if (!isObject(object) || objects.length >= MOST_OBJECTS) continue;
			const kind = kindOf(field, object, isList);
			const path = isList ? `${field.path}[0]` : field.path;
			if (kind) objects.push(readObject(object, { path, kind, name }));
		}
	}
	return objects;
}

/** Returns the kind of the object in a field; undefined if it does not belong to the call. */
function kindOf({ phrase, holder }: CallField, object: IDataObject, isList: boolean) {
	// A single leg can be the call.
	const isLeg = isList && PARTICIPANTS.has(phrase) && hasCallField(readObject(object, ROOT));
	const kind = isLeg ? 'envelope' : KINDS.get(phrase);
	// An envelope in `metadata` is metadata, too. A list in a call holds other calls.
	if (kind === 'envelope') return isList && hasCallField(holder) ? undefined : holder.kind;
	return kind;
}

/** Whether an object has a field that only calls have: a direction, an end with a number, a `call_id`. */
export function hasCallField({ kind, fields }: CallObject): boolean {
	const isCalls = (field: CallField) => {
		const { topics, words } = field;
		const isOwn = words.includes('call') && OF_CALLS.some((topic) => topics.has(topic));
		return topics.has('direction') || isOwn || numberOfEnd(field) !== null;
	};
	return (kind === 'envelope' || kind === 'metadata') && fields.some(isCalls);
}

/** Reads the phone number of an end of the call: `from`, `callee_number`; null for another field. */
function numberOfEnd({ side, part, place, value }: CallField): string | null {
	return isEnd(side) && (part === 'phone' || part === 'self') ? readPhone(value, place) : null;
}

function readObject(object: IDataObject, place: Omit<CallObject, 'fields'>): CallObject {
	const holder: CallObject = { ...place, fields: [] };
	holder.fields = Object.entries(object)
		.filter(([key, value]) => (value ?? '') !== '' && key.length <= LONGEST_FIELD_NAME)
		.slice(0, MOST_OBJECT_FIELDS)
		.map(([key, value]) => {
			return { ...readFieldName(key), path: pathTo(place.path, key), value, holder };
		});
	return holder;
}
