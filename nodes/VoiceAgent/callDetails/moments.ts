import { choose, without, type Choice } from '../matcher/choose';
import { candidatesOf, type Call, type FieldCandidate } from './callFields';
import { SUREST } from './names';
import { isRecord } from './records';
import { readInstant, readLength, type Length } from './times';
import { toIso, toMilliseconds } from './values';

/** Seconds in the units that a duration without one can have. */
const UNITS = [1, 0.001, 60];
const A_DAY = 24 * 3600;

/** Reads when the call was, and how long: a stated duration, else end − start. */
export function chooseTimes(call: Call): {
	startedAt: Choice<string>;
	endedAt: Choice<string>;
	durationSeconds: Choice<number>;
} {
	const [started, ended] = [chooseInstant(call, 'start'), chooseInstant(call, 'end')];
	const span =
		started.value === null || ended.value === null ? null : (ended.value - started.value) / 1000;
	const durationSeconds = chooseDuration(call, span);
	const [startedAt, endedAt] = [inIso(started), inIso(ended)];
	if (span === null) return { startedAt, endedAt, durationSeconds };
	if (span < 0) {
		const why = 'the end is before the start';
		return {
			startedAt: without(startedAt, why),
			endedAt: without(endedAt, why),
			durationSeconds: without(durationSeconds, why),
		};
	}
	// Some services set the end to when the call would have been cut off.
	const seconds = durationSeconds.value ?? 0;
	const isCutOff = seconds > 0 && seconds < span * SHORTEST_SHARE;
	const why = 'the duration is far below end − start';
	return { startedAt, endedAt: isCutOff ? without(endedAt, why) : endedAt, durationSeconds };
}

/** A duration below this share of end − start says that the end is another one's. */
const SHORTEST_SHARE = 0.3;

function chooseInstant(call: Call, topic: 'start' | 'end'): Choice<number> {
	return choose(candidatesOf(call, topic), ({ field, value }) => {
		const { words } = field.name;
		return readInstant(value, words.includes('utc') || words.includes('gmt'));
	});
}

function inIso(choice: Choice<number>): Choice<string> {
	return { ...choice, value: toIso(choice.value) };
}

/**
 * Chooses the duration. Without a unit it is in the unit that fits end − start, else in seconds below
 * 24 hours. `duration: 187000` with a span of 187 s → 187
 *
 * @param span seconds from the start to the end, which is the duration where none is stated
 */
function chooseDuration(call: Call, span: number | null): Choice<number> {
	const stated = candidatesOf(call, 'duration').flatMap(totalsOf);
	const choice = choose(
		stated.map((one) => ({ ...one, confidence: confidenceOf(one) })),
		({ field, value }) => {
			const length = readLength(value);
			if (length === null) return null;
			const seconds = secondsOf(
				{ number: length.number, unit: length.unit ?? field.name.unit },
				span,
			);
			return seconds === null ? null : toMilliseconds(seconds);
		},
		(a, b) => Math.abs(a - b) < 1,
	);
	if (stated.length > 0 || span === null || span < 0) return choice;
	return { ...choice, value: toMilliseconds(span), why: 'end − start' };
}

/** A duration, or the whole one of an object of several: `duration: { total: 187, queue: 16 }`. */
function totalsOf(candidate: FieldCandidate): FieldCandidate[] {
	const { value, path } = candidate;
	if (!isRecord(value)) return [candidate];
	return Object.keys(value)
		.filter((key) => /^total(_?duration)?$|^duration$/i.test(key))
		.map((key) => ({ ...candidate, value: value[key], path: `${path}.${key}` }));
}

/** A minute is too coarse to contradict seconds. */
function confidenceOf({ field, value, confidence }: FieldCandidate): number {
	const unit = readLength(value)?.unit ?? field.name.unit;
	return confidence - (unit === 60 ? SUREST : unit === undefined ? 0.5 : 0);
}

function secondsOf({ number, unit }: Length, span: number | null): number | null {
	if (unit !== undefined) return number * unit;
	if (span === null) return number < A_DAY ? number : null;
	const fitting = UNITS.map((one) => number * one).find((one) => isNear(one, span));
	// Shorter than the span, such as the talk time, and too long to be in minutes.
	const isPart = number <= span && number * 60 > span * 1.1;
	return fitting ?? (isPart || number === 0 ? number : null);
}

function isNear(seconds: number, span: number): boolean {
	return Math.abs(seconds - span) <= Math.max(2, span * 0.02);
}
