/** Recognises instants, and writes them as people read them. */
import { memoize } from './words';

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
	// Some nodes for databases give times as objects.
	if (value instanceof Date) return plausibleInstant(value.getTime());
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

/** Writes an instant, or several as a span: ISO 8601 or milliseconds since the epoch. */
type Clock = (...instants: Array<string | number>) => string;

/**
 * Makes the clock of the workflow's time zone. The zone is named, because texts leave n8n, and few people know
 * their workflow's zone: n8n's default is New York.
 * `2026-01-31T09:01:00.000Z` → `31 Jan 2026, 10:01 (Europe/Berlin)`
 *
 * @param timezone `Europe/Berlin`; one that Node.js does not know counts as UTC
 */
export const clockOf = (timezone = 'UTC'): Clock => clockIn(timezone).forTexts;

/** Writes an instant for a column that can be sorted. `2026-01-31T09:01:00.000Z` → `2026-01-31 10:01` */
export function sortableTime(instant: string, timezone = 'UTC'): string {
	return clockIn(timezone).forTables(instant);
}

const clockIn = memoize((timeZone): Record<'forTexts' | 'forTables', Clock> => {
	const clockLike = (locale: string, dateStyle: 'medium' | 'short', end: string): Clock => {
		const { format } = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone });
		const write = (instant: string | number) => format(new Date(instant));
		return (...instants) => [...new Set(instants.map(write))].join(' to ') + end;
	};
	try {
		// Sweden writes dates as ISO 8601 does.
		return {
			forTexts: clockLike('en-GB', 'medium', ` (${timeZone})`),
			forTables: clockLike('sv-SE', 'short', ''),
		};
	} catch {
		return clockIn('UTC');
	}
});
