import type { IDataObject } from 'n8n-workflow';

import { wordsOf } from '../matcher/words';
import type { DetailKey, Direction } from './details';
import { readInstant, toIso } from './instants';
import { plainSeconds, readLength, toSeconds } from './lengths';
import { isWithheld, readPhone, WITHHELD } from './phones';
import { readTranscript } from './transcripts';
import { INBOUND, NO_VALUES, OUTBOUND, OURS, THEIRS } from './vocabulary/values';

const LONGEST_ID = 200;
const LONGEST_NAME = 120;
const LONGEST_OUTCOME = 200;
const LONGEST_EMAIL = 254;
const LONGEST_URL = 4000;

/** The text of a value; null for one that stands for none, such as `N/A`. */
export function readText(value: unknown): string | null {
	if (typeof value !== 'string') return null;
	const text = value.trim();
	return text === '' || (text.length < 30 && NO_VALUES.has(text.toLowerCase())) ? null : text;
}

/** Tells whether two texts are the same but for their case. */
export function isSameText(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}

/** An id is a short text without blanks, or a whole number. */
export function readId(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	const text = readText(value);
	return text !== null && text.length <= LONGEST_ID && !/\s/.test(text) ? text : null;
}

/** The direction that words say: `outbound-api` → outbound, `USER_INITIATED` → inbound. */
export function readDirection(value: unknown): Direction | null {
	const text = readText(value);
	if (text === null || text.length > LONGEST_OUTCOME) return null;
	const words = wordsOf(text);
	const says = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
	const isBegun = words.includes('initiated');
	const isIn = says(INBOUND) || (isBegun && says(THEIRS));
	const isOut = says(OUTBOUND) || (isBegun && says(OURS));
	if (isIn === isOut) return null;
	return isIn ? 'inbound' : 'outbound';
}

/** A name has letters, and is no address and no word for a hidden caller. */
export function readName(value: unknown): string | null {
	const text = readText(value);
	if (text === null || text.length > LONGEST_NAME || !/\p{L}/u.test(text)) return null;
	const isOther = /[@<>{}]|:\/\/|\d[\d\s().-]{5,}\d/.test(text) || isWithheld(text);
	return isOther ? null : text.replace(/\s+/g, ' ');
}

/** An e-mail address, never a SIP address. */
export function readEmail(value: unknown): string | null {
	const text = readText(value);
	if (text === null || text.length > LONGEST_EMAIL) return null;
	return /^[^\s@:<>,;"]+@[^\s@.:]+(\.[^\s@.:]+)*\.\p{L}{2,}$/u.test(text) ? text : null;
}

/** An address of the web. */
export function readUrl(value: unknown): string | null {
	const text = readText(value);
	if (text === null || text.length > LONGEST_URL) return null;
	return /^https?:\/\/[^\s/]+\/?\S*$/i.test(text) ? text : null;
}

/** The fields of an outcome and of a summary that are objects. */
const OUTCOME_FIELDS = ['name', 'label', 'value', 'code'];
const SUMMARY_FIELDS = ['text', 'content', 'summary'];

/** A value, or the first text in these fields of the object that it is. */
function valueIn(value: unknown, names: readonly string[]): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return names.map((name) => (value as IDataObject)[name]).find((one) => typeof one === 'string');
}

/** How a call went is a short text, no number and no address. */
export function readOutcome(value: unknown): string | null {
	const text = readText(valueIn(value, OUTCOME_FIELDS));
	if (text === null || text.length > LONGEST_OUTCOME) return null;
	return /\p{L}/u.test(text) && !/^https?:/i.test(text) ? text : null;
}

/** A summary is a text, or a list of texts. */
export function readSummary(value: unknown): string | null {
	if (!Array.isArray(value)) return readText(valueIn(value, SUMMARY_FIELDS));
	const texts = value.map(readText);
	return texts.includes(null) ? null : readText(texts.join('\n'));
}

/** A duration in seconds; a number without a unit is in seconds. */
export function readSeconds(value: unknown): number | null {
	const length = readLength(value);
	if (length === null) return null;
	const { number, unit } = length;
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
