/** Recognises instants: epoch numbers, ISO 8601 and RFC 2822. */

/** The years of plausible calls. */
const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2100);

const ISO_8601 =
	/^(?<date>20\d\d-\d\d-\d\d)[T ](?<time>\d\d:\d\d(:\d\d(\.\d{1,9})?)?) ?(?<zone>Z|UTC|GMT|[+-]\d\d(:?\d\d)?)?$/i;
/** `Wed, 18 Nov 2026 15:05:52 +0000` */
const RFC_2822 =
	/^[a-z]{3}, (?<date>\d\d? [a-z]{3} 20\d\d) (?<time>\d\d:\d\d:\d\d) (?<zone>Z|UTC|GMT|[+-]\d{4})$/i;

/**
 * Reads an instant: epoch seconds (also with a fraction) or milliseconds, ISO 8601 or RFC 2822 with a
 * time zone. `1714557600.123` → 1714557600123, `2024-02-29T10:00:00` → null
 *
 * @param isUtc whether a time without a zone is in UTC; otherwise it gives null
 * @returns milliseconds since the epoch, or null
 */
export function readInstant(value: unknown, isUtc = false): number | null {
	if (typeof value === 'number') return instantFromEpoch(value);
	if (typeof value !== 'string') return null;
	const text = value.trim();
	if (/^\d{9,13}(\.\d{1,9})?$/.test(text)) return instantFromEpoch(Number(text));
	const { date, time, zone } = (ISO_8601.exec(text) ?? RFC_2822.exec(text))?.groups ?? {};
	if (zone === undefined && !isUtc) return null;
	return plausibleInstant(Date.parse(`${date} ${time} ${zone ?? 'Z'}`));
}

/** Reads seconds, or milliseconds, since the epoch. */
function instantFromEpoch(number: number): number | null {
	return plausibleInstant(number * 1000) ?? plausibleInstant(number);
}

/** Returns an instant in whole milliseconds; null outside the years of plausible calls. */
function plausibleInstant(instant: number): number | null {
	return instant >= EARLIEST && instant < LATEST ? Math.round(instant) : null;
}

/** An instant as ISO 8601 in UTC. */
export function toIso(instant: number | null): string | null {
	return instant === null ? null : new Date(instant).toISOString();
}
