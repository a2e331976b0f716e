/**
 * Recognises ids, directions, e-mail addresses, URLs, outcomes and instants. Each gives null
 * for anything else.
 */
import { phraseMatcher, wordsOf } from '../text/words';
import { isOfWhatsApp, isWithheld, withoutInvisible } from './phoneNumbers';
import { DIRECTIONS, INITIATORS, NO_MAILBOXES, NO_VALUES } from './vocabulary/valueWords';

/** The longest id, direction, name, e-mail address or outcome, and the longest URL. */
export const LONGEST_SHORT_TEXT = 250;
const LONGEST_URL = 4000;
const LONGEST_PLACEHOLDER = 40;

/** Reads a text, trimmed. `N/A` → null */
export function readStatedText(value: unknown, longest = Infinity): string | null {
	if (typeof value !== 'string' || value.length > longest) return null;
	const text = value.trim();
	// Words that stand twice: `N/A N/A`.
	const words = text.length <= LONGEST_PLACEHOLDER ? text.toLowerCase().split(/\s+/) : [];
	const isNone = NO_VALUES.has(words.join(' ')) || words.every((word) => NO_VALUES.has(word));
	return text === '' || (words.length > 0 && isNone) ? null : text;
}

/** Reads an id: a short text without blanks, or a whole number. */
export function readPlainId(value: unknown): string | null {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	const text = readStatedText(value, LONGEST_SHORT_TEXT);
	return text !== null && !/\s/.test(text) ? text : null;
}

/** Reads a direction. `outbound-api` → outbound, `USER_INITIATED` → inbound */
export function readDirection(value: unknown) {
	const words = wordsOf(readStatedText(value, LONGEST_SHORT_TEXT) ?? '');
	const tables = words.includes('initiated') ? [DIRECTIONS, INITIATORS] : [DIRECTIONS];
	const stated = tables.flatMap((table) => words.flatMap((word) => table.get(word) ?? []));
	const [direction = null, ...others] = new Set(stated);
	return others.length === 0 ? direction : null;
}

const isNoMailbox = phraseMatcher(NO_MAILBOXES);
const EMAIL = /^([^+\s@:<>,;"*][^\s@:<>,;"*]*)@[^\s@.:*]+(\.[^\s@.:*]+)*\.(?!invalid$)\p{L}{2,}$/u;

/** Reads an e-mail address. `sip:nora@example.com`, `+14155550123@sms.example`, `14155550123@c.us` → null */
export function readEmail(value: unknown): string | null {
	const text = withoutInvisible(readStatedText(value, LONGEST_SHORT_TEXT) ?? '');
	const [, user = ''] = EMAIL.exec(text) ?? [];
	const isNone =
		user === '' ||
		isOfWhatsApp(text) ||
		isWithheld(user) ||
		isNoMailbox(user) ||
		/^x{2,}$/i.test(user);
	return isNone ? null : text.toLowerCase();
}

/** Reads a URL of the web. */
export function readWebUrl(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_URL) ?? '';
	return /^https?:\/\/[^\s/]\S*$/i.test(text) ? text : null;
}

/** Reads an outcome: a short text with letters, and no URL. */
export function readOutcome(value: unknown): string | null {
	const text = readStatedText(value, LONGEST_SHORT_TEXT) ?? '';
	return /\p{L}/u.test(text) && !/^https?:/i.test(text) ? text : null;
}

/** The years of plausible calls. */
const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2100);

/** Offsets from UTC reach 14 hours. */
const ZONE = String.raw`(?<zone>Z|UTC|GMT|[+-](0\d|1[0-4])(:?[0-5]\d)?)?$`;
const ISO_8601 = new RegExp(
	String.raw`^(?<date>20\d\d-\d\d-(?<day>\d\d))[T ](?<time>(?<hour>\d\d):\d\d(:\d\d(\.\d{1,9})?)?) ?${ZONE}`,
	'i',
);
/** `Wed, 18 Nov 2026 15:05:52 +0000` */
const RFC_2822 = new RegExp(
	String.raw`^[a-z]{3}, (?<date>(?<day>\d\d?) [a-z]{3} 20\d\d) (?<time>(?<hour>\d\d):\d\d:\d\d) ${ZONE}`,
	'i',
);

/**
 * Reads an instant: the epoch in seconds (also with a fraction), milli-, micro- or nanoseconds, ISO 8601 or RFC
 * 2822 with a time zone. `1714557600.123` → 1714557600123; `2024-02-29T10:00:00`, 30 February → null
 *
 * @param isUtc whether a time without a zone is in UTC; otherwise it gives null
 * @returns milliseconds since the epoch, or null
 */
export function readInstant(value: unknown, isUtc = false): number | null {
	if (typeof value === 'number') return instantFromEpoch(value);
	if (typeof value !== 'string') return null;
	const text = value.trim();
	const isEpoch = /^\d{9,19}(\.\d{1,9})?$/.test(text);
	return isEpoch ? instantFromEpoch(Number(text)) : instantFromText(text, isUtc);
}

function instantFromText(text: string, isUtc: boolean): number | null {
	const { date, day, time, hour, zone } =
		(ISO_8601.exec(text) ?? RFC_2822.exec(text))?.groups ?? {};
	if (zone === undefined && !isUtc) return null;
	// JavaScript reads 30 February as 2 March.
	const there = new Date(`${date} ${time} Z`);
	const isReal = there.getUTCDate() === Number(day) && there.getUTCHours() === Number(hour);
	return isReal ? plausibleInstant(Date.parse(`${date} ${time} ${zone ?? 'Z'}`)) : null;
}

/** Reads the epoch: the unit is the one that gives a plausible time. */
function instantFromEpoch(number: number): number | null {
	const instants = [number * 1000, number, number / 1000, number / 1_000_000];
	return instants.map(plausibleInstant).find((instant) => instant !== null) ?? null;
}

/** Returns an instant in whole milliseconds; null outside the years of plausible calls. */
function plausibleInstant(instant: number): number | null {
	return instant >= EARLIEST && instant < LATEST ? Math.round(instant) : null;
}

/** An instant as ISO 8601 in UTC. */
export function toIso(instant: number | null): string | null {
	return instant === null ? null : new Date(instant).toISOString();
}

/** Whether two numbers of seconds are one, which may be rounded: `187`, `187.4` → true */
export const areTwins = (a: number, b: number): boolean => Math.abs(a - b) < 1;
