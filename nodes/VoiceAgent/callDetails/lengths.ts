/** A length of time: its number, and its unit in seconds where the value has one. */
export interface Length {
	number: number;
	unit?: number;
}

/** `hh:mm:ss`, and numbers with units, also of ISO 8601: `3m 7s`, `PT3M7S`. */
const CLOCK = /^(\d{1,3}):(\d\d):(\d\d(?:\.\d+)?)$/;
const PARTS =
	/^(?:PT)?(?=\d)(?:(\d+) ?h(?:(?:ou)?rs?)?,? ?)?(?:(\d+) ?m(?:in(?:ute)?s?)?,? ?)?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?)?$/i;

/** The longest call, in seconds, that a number without a unit can be; a larger one may be milliseconds. */
const LONGEST_PLAIN = 4 * 3600;

/** Reads a length: a number, `hh:mm:ss`, or numbers with units: `3m 7s` → 187 of unit 1. */
export function readLength(value: unknown): Length | null {
	if (typeof value === 'number') return value >= 0 && value < 1e9 ? { number: value } : null;
	if (typeof value !== 'string' || value.length > 40) return null;
	const text = value.trim();
	if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return { number: Number(text) };
	const parts = CLOCK.exec(text) ?? PARTS.exec(text);
	if (parts === null) return null;
	const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part = '0') => Number(part));
	return { number: hours * 3600 + minutes * 60 + seconds, unit: 1 };
}

/** Seconds of a number without a unit; a fraction below a minute may be minutes: `1.7` → null */
export function plainSeconds(number: number): number | null {
	return number < LONGEST_PLAIN && (Number.isInteger(number) || number > 60) ? number : null;
}

/** Seconds without the rounding errors of computing. */
export function toSeconds(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}
