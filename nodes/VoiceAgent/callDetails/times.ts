import { choose, without, type Choice } from '../matcher/choose';
import type { Call, FieldCandidate } from './call';
import { readInstant, toIso } from './instants';
import { plainSeconds, readLength, toSeconds } from './lengths';
import { SUREST } from './names';
import { isRecord } from './records';

/** A duration below this share of end − start says that the end is another one's. */
const SHORTEST_SHARE = 0.3;
/** Seconds in the units that a duration without one can have. */
const UNITS = [1, 0.001, 60];
const MINUTE = 60;

/** The choices of when the call was, and how long. */
export interface TimeChoices {
	startedAt: Choice<string>;
	endedAt: Choice<string>;
	durationSeconds: Choice<number>;
}

/** Reads when the call was, and how long: a stated duration, else end − start. */
export function chooseTimes({ of }: Call): TimeChoices {
	const [started, ended] = (['start', 'end'] as const).map((topic) =>
		choose(of(topic), ({ field: { name }, value }) =>
			readInstant(value, name.words.includes('utc') || name.words.includes('gmt')),
		),
	) as [Choice<number>, Choice<number>];
	const isSpan = started.value !== null && ended.value !== null;
	const span = isSpan ? (Number(ended.value) - Number(started.value)) / 1000 : null;
	const durationSeconds = chooseDuration(of('duration'), span);
	const startedAt = { ...started, value: toIso(started.value) };
	const endedAt = { ...ended, value: toIso(ended.value) };
	if (span !== null && span < 0) {
		const why = 'the end is before the start';
		return { startedAt: without(startedAt, why), endedAt: without(endedAt, why), durationSeconds };
	}
	// Some services set the end to when the call would have been cut off.
	const isCutOff = (durationSeconds.value || Infinity) < (span ?? 0) * SHORTEST_SHARE;
	const why = 'the duration is far below end − start';
	return { startedAt, endedAt: isCutOff ? without(endedAt, why) : endedAt, durationSeconds };
}

/** Chooses the duration in seconds; minutes are too coarse to contradict them. */
function chooseDuration(fields: FieldCandidate[], span: number | null): Choice<number> {
	const candidates = fields.flatMap(totalsOf).map((one) => {
		const length = readLength(one.value);
		const unit = length?.unit ?? one.field.name.unit;
		const seconds = length && secondsOf(length.number, unit, span);
		return { ...one, seconds, confidence: one.confidence - (unit === MINUTE ? SUREST : 0) };
	});
	const choice = choose(
		candidates,
		({ seconds }) => (seconds === null ? null : toSeconds(seconds)),
		(a, b) => Math.abs(a - b) < 1,
	);
	if (candidates.length > 0 || span === null || span < 0) return choice;
	return { ...choice, value: toSeconds(span), why: 'end − start' };
}

/** A duration, or the whole one of an object of several: `duration: { total: 187, queue: 16 }`. */
function totalsOf(candidate: FieldCandidate): FieldCandidate[] {
	const { value, path } = candidate;
	if (!isRecord(value)) return [candidate];
	return Object.keys(value)
		.filter((key) => /^total(_?duration)?$|^duration$/i.test(key))
		.map((key) => ({ ...candidate, value: value[key], path: `${path}.${key}` }));
}

/**
 * Seconds of a duration. Without a unit it is in the one that fits end − start, else in seconds below
 * 24 hours. `187000` with a span of 187 s → 187
 */
function secondsOf(number: number, unit: number | undefined, span: number | null): number | null {
	if (unit !== undefined) return number * unit;
	if (span === null) return plainSeconds(number);
	const isNear = (seconds: number) => Math.abs(seconds - span) <= Math.max(2, span * 0.02);
	const fitting = UNITS.map((one) => number * one).find(isNear);
	// The talk time is shorter than the span; it is in seconds if it is too long for minutes.
	const isPart = number <= span && number * MINUTE > span * 1.1;
	return fitting ?? (isPart || number === 0 ? number : null);
}
