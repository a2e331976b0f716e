/** Recognises durations, with the units in their texts and in the names of their fields. */
import { UNITS } from '../text/vocabulary';
import { wordsOf } from '../text/words';

/** A field of a call. */
interface DurationField {
	words: readonly string[];
	value: unknown;
	record: { path: string };
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Longer than any call, in seconds. */
const LONGEST_SECONDS = 1e6;
/** The units of durations in seconds, by their words in names. */
export const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
	...UNITS,
	...['min', 'minute'].map((word) => [word, MINUTE] as const),
	...['hr', 'hour'].map((word) => [word, HOUR] as const),
]);

/** `0:03:07` */
const CLOCK = /^(?<hours>\d{1,2}):(?<minutes>[0-5]\d):(?<seconds>[0-5]\d(\.\d{1,9})?)$/;
/** `PT3M7S`, `3m 7s`, `1 hour 5 min`, `187s` */
const WITH_UNITS =
	/^(PT)?((?<hours>\d{1,3}) ?h((ou)?rs?)?)? ?((?<minutes>\d{1,5}) ?m(in(ute)?s?)?)? ?((?<seconds>\d{1,6}(\.\d{1,9})?) ?s(ec(ond)?s?)?)?$/i;

/** The unit in the words of a name, in seconds. `duration`, `ms` → 0.001 */
function unitIn(words: readonly string[]): number | undefined {
	return DURATION_UNITS.get(words.find((word) => DURATION_UNITS.has(word)) ?? '');
}

/** Reads a number, which may be a text: `' 187.5'` → 187.5 */
function readNumber(value: unknown): number | null {
	const isText = typeof value === 'string' && /^\s*\d{1,15}(\.\d{1,9})?\s*$/.test(value);
	const number = isText ? Number(value) : value;
	return typeof number === 'number' && number >= 0 ? number : null;
}

/** Reads a text that states its units: `0:03:07`, `PT3M7S`, `3m 7s` → 187 */
function readWithUnits(value: unknown): number | null {
	const text = typeof value === 'string' ? value.trim() : '';
	const { hours, minutes, seconds } = (CLOCK.exec(text) ?? WITH_UNITS.exec(text))?.groups ?? {};
	if (!(hours ?? minutes ?? seconds)) return null;
	return Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE + Number(seconds ?? 0);
}

/**
 * Reads a duration in seconds. Without a unit, end − start must confirm that it is in seconds. Alone, 10
 * whole seconds to a day are sure: `7` and `12.5` may be minutes → null, `187` → 187
 *
 * @param name the words of its field, in which a unit may be
 * @param span end − start in seconds, which is more exact than minutes
 */
export function readSeconds(
	value: unknown,
	name: readonly string[] = [],
	span = NaN,
): number | null {
	const unit = unitIn(name);
	const number = readNumber(value);
	if (number === null) return readWithUnits(value);
	return unit === undefined ? inSeconds(value, number, span) : fromUnit(number, unit, span);
}

function fromUnit(number: number, unit: number, span: number): number | null {
	// Rounded to milliseconds, which removes errors of floating point.
	const seconds = Math.round(number * unit * 1000) / 1000;
	if (unit >= MINUTE && Math.abs(seconds - span) < unit) return span;
	return seconds < LONGEST_SECONDS ? seconds : null;
}

/** Returns a number without a unit if it is in seconds. */
function inSeconds(value: unknown, number: number, span: number): number | null {
	const isWhole = !`${value as string | number}`.includes('.');
	const isAlone = Number.isNaN(span) && isWhole && number >= 10 && number <= DAY;
	// A part of the call, such as its talk time, exceeds the whole if it is in minutes.
	const isPart = number <= span + 2 && number * 60 > span * 1.1;
	return number === 0 || isAlone || isPart ? number : null;
}

/** Joins fields that are parts of one duration. `duration_minutes: 3`, `duration_seconds: 7` → 187 s */
export function joinParts<F extends DurationField>(fields: F[]): F[] {
	const groups = new Map<string, F[]>();
	for (const field of fields) {
		const words = field.words.filter((word) => !DURATION_UNITS.has(word));
		const key = `${field.record.path} ${words.join(' ')}`;
		const group = groups.get(key);
		if (group) group.push(field);
		else groups.set(key, [field]);
	}
	return [...groups.values()].flatMap((group) => joinGroup(group));
}

/** Joins fields that differ in their unit. The same duration may also stand there in several units: `3`, `187` → 187 s */
function joinGroup<F extends DurationField>(group: F[]): F[] {
	const parts = group
		.map((field) => ({
			field,
			unit: unitIn(field.words) ?? 0,
			seconds: readSeconds(field.value, field.words) ?? NaN,
		}))
		.sort((a, b) => a.unit - b.unit);
	const [least, ...larger] = parts as [(typeof parts)[0], ...typeof parts];
	const isRepeated = new Set(parts.map(({ unit }) => unit)).size < parts.length;
	if (isRepeated || !larger.some(({ unit }) => unit >= MINUTE)) return group;
	const most = MINUTE * least.unit;
	const isPart = parts.every(({ unit, seconds }) => unit >= 1 && Number.isInteger(seconds / unit));
	if (!isPart || least.seconds >= most) return [least.field];
	const sum = larger.reduce((total, { seconds }) => total + seconds, 0);
	// `1` minute may be `45` seconds, rounded.
	const isSure = parts.length > 2 || sum === 0 || sum - least.seconds >= most;
	return isSure ? [{ ...least.field, value: sum + least.seconds, words: ['second'] }] : [];
}

/** Reads a duration at the end of a path. `duration_minutes`, 3.5 → 210 */
export function readDuration(value: unknown, name = ''): number | null {
	return readSeconds(value, wordsOf(name));
}
