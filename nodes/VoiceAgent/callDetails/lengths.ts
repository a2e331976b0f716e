/** Recognises lengths of time. */

/** A length of time: a number, and the unit in seconds if the value states one. */
export interface Length {
	number: number;
	unit?: number;
}

const HOURS_MINUTES_SECONDS = /^(\d{1,3}):(\d\d):(\d\d(?:\.\d+)?)$/;
/** `3m 7s`, `PT3M7S` */
const NUMBERS_WITH_UNITS =
	/^(?:PT)?(?=\d)(?:(\d+) ?h(?:(?:ou)?rs?)?,? ?)?(?:(\d+) ?m(?:in(?:ute)?s?)?,? ?)?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?)?$/i;
const LONGEST_LENGTH_TEXT = 40;

/** The longest number without a unit that counts as seconds; a larger one may be milliseconds. */
const LONGEST_PLAIN_SECONDS = 4 * 3600;

/** Reads a length: a number, `hh:mm:ss`, or numbers with units. `3m 7s` → 187 of unit 1 */
export function readLength(value: unknown): Length | null {
	if (typeof value === 'number') return value >= 0 && value < 1e9 ? { number: value } : null;
	if (typeof value !== 'string' || value.length > LONGEST_LENGTH_TEXT) return null;
	const text = value.trim();
	if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return { number: Number(text) };
	const parts = HOURS_MINUTES_SECONDS.exec(text) ?? NUMBERS_WITH_UNITS.exec(text);
	if (parts === null) return null;
	const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part = '0') => Number(part));
	return { number: hours * 3600 + minutes * 60 + seconds, unit: 1 };
}

/** The seconds of a number without a unit. A fraction below 60 may be minutes: `1.7` → null */
export function plainSeconds(number: number): number | null {
	const isSeconds = Number.isInteger(number) || number > 60;
	return isSeconds && number < LONGEST_PLAIN_SECONDS ? number : null;
}

/** Removes rounding errors. `0.1 + 0.2` → 0.3 */
export function toSeconds(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}
