import type { DetailKey } from './details';
import { readInstant, toIso } from './instants';
import { plainSeconds, readLength, toSeconds, type Length } from './lengths';
import { readPhone, WITHHELD } from './phones';
import { readTranscript } from './transcripts';
import {
	readDirection,
	readEmail,
	readId,
	readName,
	readOutcome,
	readSummary,
	readUrl,
} from './values';

/** A duration in seconds; a number without a unit is in seconds. */
export function readSeconds(value: unknown): number | null {
	const { number, unit }: Length = readLength(value) ?? { number: NaN };
	const seconds = unit === undefined ? plainSeconds(number) : number * unit;
	return seconds === null ? null : toSeconds(seconds);
}

function readMappedPhone(value: unknown): string | null {
	const phone = readPhone(value, 'mapped');
	return phone === WITHHELD ? null : phone;
}

/**
 * What a detail is from a value that the user's mapping names: as strict as everything else, but
 * national phone numbers from seven digits on and JSON numbers count, for the user says what they are.
 */
export const NORMALISERS: Record<DetailKey, (value: unknown) => string | number | null> = {
	id: readId,
	direction: readDirection,
	'customer.phone': readMappedPhone,
	'customer.name': readName,
	'customer.email': readEmail,
	'agent.id': readId,
	'agent.name': readName,
	'agent.phone': readMappedPhone,
	startedAt: (value) => toIso(readInstant(value)),
	endedAt: (value) => toIso(readInstant(value)),
	durationSeconds: readSeconds,
	outcome: readOutcome,
	summary: readSummary,
	transcript: readTranscript,
	recordingUrl: readUrl,
};

/** All details, in the order of call details. */
export const DETAIL_KEYS = Object.keys(NORMALISERS) as DetailKey[];
