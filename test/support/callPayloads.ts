import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';

/** A documented payload of a real service, and what a careful reader finds in it. */
export interface Payload {
	service: string;
	variant: string;
	source: string;
	eventType: string;
	body: IDataObject;
	headers?: Record<string, string>;
	attested: 'body' | 'fields' | 'partly';
	/** A value; null for none; `{ anyOf }` for several that are right; `'?'` for what nobody can tell. */
	expected: Record<ExpectedField, unknown>;
	derived?: string[];
	note?: string;
}

/** Where each expected value stands in call details. */
export const FIELDS = {
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
} satisfies Record<string, (details: CallDetails) => unknown>;

export type ExpectedField = keyof typeof FIELDS;

/** The folders under `test/payloads`; its README says what each is for. */
export const FOLDERS = ['tuning', 'held-out'] as const;

/** The payloads of a folder, in the order of their files. */
export function readPayloads(folder: (typeof FOLDERS)[number]): Payload[] {
	const path = join(__dirname, '..', 'payloads', folder);
	return readdirSync(path)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.flatMap((file) => JSON.parse(readFileSync(join(path, file), 'utf8')) as Payload[]);
}

/** What became of an expected value: right with something to find, missed, wrong, or not counted. */
export type Judgement = 'found' | 'missed' | 'wrong' | 'right';

/** Compares what was read with what was to be read. */
export function judge(field: ExpectedField, expected: unknown, read: unknown): Judgement {
	if (expected === '?') return 'right';
	const wanted = isAnyOf(expected) ? expected.anyOf : [expected];
	const isNothing = (value: unknown) =>
		value === null || value === false || (field === 'person' && value === 'unknown');
	const isRight = wanted.some((one) => isSame(field, one, read));
	const isToFind = !wanted.some(isNothing);
	if (isRight) return isToFind ? 'found' : 'right';
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
