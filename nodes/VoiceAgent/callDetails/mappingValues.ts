/** Reads the values at the paths of the user's mapping. */
import type { DetailKey } from './details';
import { readInstant, toIso } from './instants';
import { readSeconds } from './lengths';
import { readPhone, WITHHELD } from './phoneNumbers';
import { readTranscript } from './transcripts';
import {
	readDirection,
	readEmail,
	readName,
	readOutcome,
	readPlainId,
	readSummary,
	readWebUrl,
} from './values';

function readMappedPhone(value: unknown): string | null {
	const phone = readPhone(value, 'mapped');
	return phone === WITHHELD ? null : phone;
}

/** Reads the value of each detail. A mapped phone number may be national or a JSON number. */
export const NORMALISERS: Record<DetailKey, (value: unknown) => string | number | null> = {
	id: readPlainId,
	direction: readDirection,
	'customer.phone': readMappedPhone,
	'customer.name': readName,
	'customer.email': readEmail,
	'agent.id': readPlainId,
	'agent.name': readName,
	'agent.phone': readMappedPhone,
	startedAt: (value) => toIso(readInstant(value)),
	endedAt: (value) => toIso(readInstant(value)),
	durationSeconds: (value) => readSeconds(value),
	outcome: readOutcome,
	summary: readSummary,
	transcript: readTranscript,
	recordingUrl: readWebUrl,
};
