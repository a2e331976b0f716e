/** Years in which a call can have been. */
const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2100);

const ISO =
	/^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9}))? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** RFC 2822: `Wed, 18 Nov 2026 15:05:52 +0000`. */
const MAIL = /^[a-z]{3}, (\d\d?) ([a-z]{3}) (\d{4}) (\d\d:\d\d:\d\d) (GMT|UTC|Z|[+-]\d{4})$/i;
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';

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
	const iso = ISO.exec(ofMail(text) ?? text);
	if (iso === null) return null;
	const [, year, month, day, minutes, seconds = ':00', fraction = '0', zone] = iso;
	if (zone === undefined && !isUtc) return null;
	// JavaScript reads February 31 as March 2.
	const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
	if (date.getUTCDate() !== Number(day)) return null;
	const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
	return plausible(
		Date.parse(`${year}-${month}-${day}T${minutes}${seconds}.${milliseconds}${isoZone(zone)}`),
	);
}

function ofMail(text: string): string | undefined {
	const [, day, name = '', year, clock, zone] = MAIL.exec(text) ?? [];
	const month = MONTHS.indexOf(name.toLowerCase()) / 3 + 1;
	if (day === undefined || !Number.isInteger(month) || month < 1) return undefined;
	return `${year}-${`${month}`.padStart(2, '0')}-${day.padStart(2, '0')} ${clock}${zone}`;
}

function isoZone(zone = 'Z'): string {
	if (/^[a-z]/i.test(zone)) return 'Z';
	const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
	return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
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
