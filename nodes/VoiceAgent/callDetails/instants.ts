/** Years in which a call can have been. */
const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2100);

/** ISO 8601, and RFC 2822: `Wed, 18 Nov 2026 15:05:52 +0000`. */
const ISO =
	/^20\d\d-\d\d-(\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const MAIL = /^[a-z]{3}, (\d\d?) [a-z]{3} 20\d\d \d\d:\d\d:\d\d (Z|UTC|GMT|[+-]\d{4})$/i;

/**
 * Reads an instant: epoch seconds (also with a fraction) or milliseconds, ISO 8601 or RFC 2822 with a
 * time zone, and real dates only. `2024-02-31T10:00:00Z` → null, `1714557600.123` → 1714557600123
 *
 * @param isUtc a time without a zone is in UTC; else it is no instant
 * @returns milliseconds since the epoch, or null
 */
export function readInstant(value: unknown, isUtc = false): number | null {
	if (typeof value === 'number') return ofEpoch(value);
	if (typeof value !== 'string' || value.length > 60) return null;
	const text = value.trim();
	if (/^\d{9,13}(\.\d{1,9})?$/.test(text)) return ofEpoch(Number(text));
	const [, day, zone = ''] = ISO.exec(text) ?? MAIL.exec(text) ?? [];
	if (day === undefined || (zone === '' && !isUtc)) return null;
	const local = text
		.slice(0, text.length - zone.length)
		.trim()
		.replace(/(?<=\d)t/i, ' ');
	// JavaScript reads February 31 as March 2.
	const isReal = new Date(`${local} Z`).getUTCDate() === Number(day);
	return isReal ? plausible(Date.parse(`${local} ${zone || 'Z'}`)) : null;
}

function ofEpoch(number: number): number | null {
	return plausible(number * 1000) ?? plausible(number);
}

/** An instant that can be a call's, in whole milliseconds. */
function plausible(instant: number): number | null {
	return instant >= EARLIEST && instant < LATEST ? Math.round(instant) : null;
}

/** An instant as ISO 8601 in UTC. */
export function toIso(instant: number | null): string | null {
	return instant === null ? null : new Date(instant).toISOString();
}
