/** Years in which a call can have been. */
const EARLIEST = Date.UTC(2000);
const LATEST = Date.UTC(2100);

const ISO =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** RFC 2822 and what JavaScript writes, with a zone. */
const WORDED = /^[A-Za-z]{3},? [A-Za-z0-9 ,:]{10,40}(?:GMT|UTC|Z|[+-]\d{4})/;

/**
 * Reads an instant: seconds, milliseconds, micro- or nanoseconds since the epoch, ISO 8601, or
 * RFC 2822.
 *
 * @param isUtc tells that a time without a zone is in UTC; else it is no instant
 * @returns milliseconds since the epoch, or undefined
 */
export function readInstant(value: unknown, isUtc: boolean): number | undefined {
	if (typeof value === 'number') return ofEpoch(value);
	if (typeof value !== 'string' || value.length > 60) return undefined;
	const text = value.trim();
	if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return ofEpoch(Number(text));
	const [, date, clock, fraction = '0', zone] = ISO.exec(text) ?? [];
	if (date !== undefined && clock !== undefined) {
		if (zone === undefined && !isUtc) return undefined;
		const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
		const time = clock.length === 5 ? `${clock}:00` : clock;
		return plausible(Date.parse(`${date}T${time}.${milliseconds}${isoZone(zone)}`));
	}
	return WORDED.test(text) ? plausible(Date.parse(text)) : undefined;
}

function isoZone(zone: string | undefined): string {
	if (zone === undefined || /^[A-Z]/i.test(zone)) return 'Z';
	const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
	return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function ofEpoch(number: number): number | undefined {
	for (const perMillisecond of [0.001, 1, 1000, 1e6]) {
		const instant = plausible(number / perMillisecond);
		if (instant !== undefined) return instant;
	}
	return undefined;
}

/** Milliseconds since the epoch that may be a call's. */
function plausible(instant: number): number | undefined {
	return instant >= EARLIEST && instant < LATEST ? Math.trunc(instant) : undefined;
}

/** A length of time: its number, and its unit in seconds where that is told. */
export interface Length {
	number: number;
	unit?: number;
}

const UNITS: Record<string, number> = { ms: 0.001, h: 3600, m: 60, s: 1 };
const ISO_LENGTH = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/i;
const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{2}(?:\.\d+)?)$/;
const WORDS =
	/^(\d+(?:\.\d+)?) ?(ms|milliseconds?|h|hrs?|hours?|m|min|mins|minutes?|s|secs?|seconds?)\b ?/i;

/** Reads a length of time: a number, `mm:ss`, `hh:mm:ss`, ISO 8601, or words such as `1m 42s`. */
export function readLength(value: unknown): Length | undefined {
	if (typeof value === 'number') return value >= 0 && value < 1e9 ? { number: value } : undefined;
	if (typeof value !== 'string' || value.length > 40) return undefined;
	const text = value.trim();
	if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return { number: Number(text) };
	const parts = ISO_LENGTH.exec(text) ?? CLOCK.exec(text);
	if (parts !== null && text.length > 2) {
		const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part = '0') => Number(part));
		return { number: hours * 3600 + minutes * 60 + seconds, unit: 1 };
	}
	let [sum, rest] = [0, text.replace(/,/g, ' ').replace(/ {2,}/g, ' ')];
	while (rest !== '') {
		const [all, number, unit = ''] = WORDS.exec(rest) ?? [];
		if (all === undefined) return undefined;
		const short = /^m(s|illi)/i.test(unit) ? 'ms' : unit[0]?.toLowerCase();
		sum += Number(number) * (UNITS[short ?? ''] ?? 0);
		rest = rest.slice(all.length);
	}
	return text === '' ? undefined : { number: sum, unit: 1 };
}
