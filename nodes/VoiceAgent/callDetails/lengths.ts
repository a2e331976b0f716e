/** Recognises lengths of time. */

/** A minute in seconds. */
export const MINUTE = 60;
/** The possible units of a number without a unit, in seconds. */
const POSSIBLE_UNITS = [1, 0.001, MINUTE];

const HOURS_MINUTES_SECONDS = /^(\d{1,3}):(\d\d):(\d\d(?:\.\d+)?)$/;
/** `3m 7s`, `PT3M7S` */
const NUMBERS_WITH_UNITS =
	/^(?:PT)?(?=\d)(?:(\d+) ?h(?:(?:ou)?rs?)?,? ?)?(?:(\d+) ?m(?:in(?:ute)?s?)?,? ?)?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?)?$/i;
const LONGEST_LENGTH_TEXT = 40;

/** The longest number without a unit that counts as seconds; a larger one may be milliseconds. */
const LONGEST_PLAIN_SECONDS = 4 * 3600;

/**
 * Reads a length in seconds: a number, `hh:mm:ss`, or numbers with units. `3m 7s` → 187
 *
 * @param unit of a number, in seconds
 * @param span end − start in seconds, if known: a number without a unit has the unit that agrees with it
 */
export function readSeconds(value: unknown, unit?: number, span = NaN): number | null {
	if (typeof value === 'number') return secondsOf(value, unit, span);
	if (typeof value !== 'string' || value.length > LONGEST_LENGTH_TEXT) return null;
	const text = value.trim();
	if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return secondsOf(Number(text), unit, span);
	const parts = HOURS_MINUTES_SECONDS.exec(text) ?? NUMBERS_WITH_UNITS.exec(text);
	if (parts === null) return null;
	const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part = '0') => Number(part));
	return hours * 3600 + minutes * 60 + seconds;
}

/** `187000` with a span of 187 → 187 */
function secondsOf(number: number, unit: number | undefined, span: number): number | null {
	if (number < 0 || number >= 1e9) return null;
	if (unit !== undefined) return roundedSeconds(number * unit);
	if (Number.isNaN(span)) {
		// A fraction below 60 may be minutes: `1.7` → null
		const isSeconds = Number.isInteger(number) || number > 60;
		return isSeconds && number < LONGEST_PLAIN_SECONDS ? number : null;
	}
	const isNear = (seconds: number) => Math.abs(seconds - span) <= Math.max(2, span * 0.02);
	const fitting = POSSIBLE_UNITS.map((one) => roundedSeconds(number * one)).find(isNear);
	// A part of the call, such as its talk time, is in seconds if as minutes it exceeds the whole.
	const isPart = number <= span && number * MINUTE > span * 1.1;
	return fitting ?? (isPart || number === 0 ? number : null);
}

/** Rounds to milliseconds, which removes errors of floating point. */
function roundedSeconds(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}
