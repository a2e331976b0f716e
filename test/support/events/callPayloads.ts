import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import type { CallDetails, DetailKey } from '../../../nodes/VoiceAgent/callDetails/details';

/** What tests read of a documented payload of a real service. */
export interface Payload {
	service: string;
	variant: string;
	eventType: string;
	body: IDataObject;
	headers?: Record<string, string>;
	/** A value; null, or no entry, for no value; `{ anyOf }` for several right values; `'?'` if any value is right. */
	expected: Partial<Record<ExpectedField, unknown>>;
}

/** `customer.phone` → `customerPhone` */
type FieldOf<K> = K extends `${infer S}.${infer P}` ? `${S}${Capitalize<P>}` : K;
/** The details that payloads expect under other names, or that have tests of their own. */
type Other = 'id' | 'customerFirstName' | 'customerLastName' | 'collected';
export type ExpectedField = 'callId' | 'person' | Exclude<FieldOf<DetailKey>, Other>;

/** The value of each expected field in call details. */
const FIELDS: Record<ExpectedField, (details: CallDetails) => unknown> = {
	callId: ({ id }) => id,
	direction: ({ direction }) => direction,
	customerPhone: ({ customer }) => customer.phone,
	customerName: ({ customer }) => customer.name,
	customerEmail: ({ customer }) => customer.email,
	agentPhone: ({ agent }) => agent.phone,
	agentId: ({ agent }) => agent.id,
	agentName: ({ agent }) => agent.name,
	startedAt: ({ startedAt }) => startedAt,
	endedAt: ({ endedAt }) => endedAt,
	durationSeconds: ({ durationSeconds }) => durationSeconds,
	outcome: ({ outcome }) => outcome,
	summary: ({ summary }) => summary,
	transcript: ({ transcript }) => transcript !== null,
	recordingUrl: ({ recordingUrl }) => recordingUrl,
	person: ({ person }) => person,
};

export const FIELD_NAMES = Object.keys(FIELDS) as ExpectedField[];

/** The folders under `test/payloads`, whose README describes them. */
export const FOLDERS = ['tuning', 'held-out'] as const;
type Folder = (typeof FOLDERS)[number];

const PAYLOADS = join(__dirname, '..', '..', 'payloads');

/** The payloads of a folder, in the order of their files. */
export function readPayloads(folder: Folder): Payload[] {
	const path = join(PAYLOADS, folder);
	return readdirSync(path)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.flatMap((file) => readJson(join(path, file)) as Payload[]);
}

function readJson(file: string): unknown {
	return JSON.parse(readFileSync(file, 'utf8'));
}

export type MisleadingEvent = Pick<Payload, 'service' | 'variant' | 'body' | 'expected'>;

/** @returns constructed events with values that look like call details, but are not */
export function readMisleading(): MisleadingEvent[] {
	return readJson(join(PAYLOADS, 'misleading.json')) as MisleadingEvent[];
}

/** The fields of a payload by their judgement. A field that is rightly null is in no list. */
export type JudgedFields = Record<(typeof LISTS)[number], ExpectedField[]>;

export const LISTS = ['found', 'missed', 'wrong'] as const;

export function judgeEvent({ body, expected }: Pick<Payload, 'body' | 'expected'>): JudgedFields {
	const details = readCallDetails(body);
	const fields: JudgedFields = { found: [], missed: [], wrong: [] };
	for (const field of FIELD_NAMES) {
		const judgement = judge(field, expected[field] ?? null, FIELDS[field](details));
		if (judgement !== 'right') fields[judgement].push(field);
	}
	return fields;
}

/** The judged fields of each payload, by name. */
export type JudgedPayloads = Record<string, JudgedFields>;

/** Judges the payloads of a folder, by `folder/service: variant`. */
export function judgeFolder(folder: Folder): JudgedPayloads {
	const payloads = readPayloads(folder);
	return Object.fromEntries(
		payloads.map((payload) => [
			`${folder}/${payload.service}: ${payload.variant}`,
			judgeEvent(payload),
		]),
	);
}

/** @returns how many fields of the payloads are in a list */
export function countFields(payloads: JudgedPayloads, list: (typeof LISTS)[number]): number {
	return Object.values(payloads).reduce((sum, fields) => sum + fields[list].length, 0);
}

/** `found`: a right value; `missed`: null instead of a value; `right`: rightly null, or unclear. */
export type Judgement = 'found' | 'missed' | 'wrong' | 'right';

export function judge(field: ExpectedField, expected: unknown, read: unknown): Judgement {
	if (expected === '?') return 'right';
	const wanted = isAnyOf(expected) ? expected.anyOf : [expected];
	const nothing = { transcript: false, person: 'unknown' }[field as string];
	const isNothing = (value: unknown) => value === null || value === nothing;
	const isRight = wanted.some((value) => isSame(field, value, read));
	const hasValue = !wanted.some(isNothing);
	if (isRight) return hasValue ? 'found' : 'right';
	return isNothing(read) ? 'missed' : 'wrong';
}

function isAnyOf(expected: unknown): expected is { anyOf: unknown[] } {
	return typeof expected === 'object' && expected !== null && 'anyOf' in expected;
}

function isSame(field: ExpectedField, wanted: unknown, read: unknown): boolean {
	if (wanted === null || read === null) return wanted === read;
	if (field === 'startedAt' || field === 'endedAt') {
		return Date.parse(wanted as string) === Date.parse(read as string);
	}
	return wanted === read;
}
