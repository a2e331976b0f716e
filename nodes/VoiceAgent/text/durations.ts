/** Recognises durations, and gives them in seconds. */
import { UNITS } from './words';

export const MINUTE = 60;
const HOUR = 3600;
/** A larger number without a unit is likely to be in milliseconds. */
const LONGEST_IN_SECONDS = HOUR;
/** The units of durations in seconds, by their words in names. A `min` may be the shortest duration. */
export const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
	...UNITS,
	['minute', MINUTE],
	...['hr', 'hour'].map((word) => [word, HOUR] as const),
]);

/** `0:03:07`, which is read as `0h03m07s` */
const CLOCK = /^(\d{1,2}):([0-5]\d):([0-5]\d(\.\d{1,9})?)$/;
/** `PT3M7S`, `3m 7s`, `1 hour 5 min`, `187s` */
const WITH_UNITS =
	/^(?:PT)?(?:(\d{1,3}) ?h(?:(?:ou)?rs?)?)? ?(?:(\d{1,5}) ?m(?:in(?:ute)?s?)?)? ?(?:(\d{1,6}(?:\.\d{1,9})?) ?s(?:ec(?:ond)?s?)?)?$/i;

/** The unit in the words of a name, in seconds. `duration`, `ms` → 0.001 */
export function unitIn(words: readonly string[]): number | undefined {
	return DURATION_UNITS.get(words.find((word) => DURATION_UNITS.has(word)) ?? '');
}

/** Reads a text that states its units: `0:03:07`, `PT3M7S`, `3m 7s` → 187 */
function readWithUnits(text: string): number | null {
	const parts = WITH_UNITS.exec(text.replace(CLOCK, '$1h$2m$3s'))?.slice(1) ?? [];
	const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
	return parts.some(Boolean) ? hours * HOUR + minutes * MINUTE + seconds : null;
}

/**
 * Reads a duration in seconds. Without a unit, end − start must confirm that it is in seconds. Alone, 10
 * whole seconds to an hour are sure: `7` and `12.5` may be minutes, `8500` milliseconds → null, `187` → 187
 *
 * @param name the words of its field, in which a unit may be
 * @param span end − start in seconds, which is more exact than minutes
 */
export function readSeconds(
	value: unknown,
	name: readonly string[] = [],
	span = NaN,
): number | null {
	const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
	if (!/^\d{1,15}(\.\d+)?$/.test(text)) return readWithUnits(text);
	const number = Number(text);
	const unit = unitIn(name);
	if (unit === undefined) return isInSeconds(text, number, span) ? number : null;
	// Rounded to milliseconds, which removes errors of floating point.
	const seconds = Math.round(number * unit * 1000) / 1000;
	return unit >= MINUTE && Math.abs(seconds - span) < unit ? span : seconds;
}

/** Whether a number without a unit is in seconds. */
function isInSeconds(text: string, number: number, span: number): boolean {
	const isAlone =
		Number.isNaN(span) && !text.includes('.') && number >= 10 && number <= LONGEST_IN_SECONDS;
	// A part of the call, such as its talk time, exceeds the whole if it is in minutes.
	const isPart = number <= span + 2 && number * 60 > span * 1.1;
	return number === 0 || isAlone || isPart;
}
