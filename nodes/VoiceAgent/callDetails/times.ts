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

/** Reads when the call was, and how long: a stated duration, else end − start. */
export function chooseTimes({ of }: Call) {
	const chosen = (topic: 'start' | 'end') =>
		choose(of(topic), ({ field: { name }, value }) =>
			readInstant(value, name.words.includes('utc') || name.words.includes('gmt')),
		);
	const [start, end] = [chosen('start'), chosen('end')];
	const span = ((end.value ?? NaN) - (start.value ?? NaN)) / 1000;
	const durationSeconds = chooseDuration(of('duration'), span);
	// Some services set the end to when the call would have been cut off.
	const isCutOff = (durationSeconds.value || Infinity) < span * SHORTEST_SHARE;
	const [startedAt, endedAt] = [start, end].map((one, at) =>
		span < 0 || (isCutOff && at === 1)
			? without({ ...one, value: null }, 'start, end and duration contradict each other')
			: { ...one, value: toIso(one.value) },
	) as [Choice<string>, Choice<string>];
	return { startedAt, endedAt, durationSeconds };
}

/** Chooses the duration in seconds; minutes are too coarse to contradict them. */
function chooseDuration(fields: FieldCandidate[], span: number): Choice<number> {
	const candidates = fields.map((one) => {
		// An object of several: `{ total: 187, queue: 16 }`.
		const length = readLength(isRecord(one.value) ? one.value.total : one.value);
		const unit = length?.unit ?? one.field.name.unit;
		const seconds = length && secondsOf(length.number, unit, span);
		return { ...one, seconds, confidence: one.confidence - (unit === MINUTE ? SUREST : 0) };
	});
	const choice = choose(
		candidates,
		({ seconds }) => (seconds === null ? null : toSeconds(seconds)),
		(a, b) => Math.abs(a - b) < 1,
	);
	const isDerived = candidates.length === 0 && span >= 0;
	return isDerived ? { ...choice, value: toSeconds(span), why: 'end − start' } : choice;
}

/**
 * Seconds of a duration. Without a unit it is in the one that fits end − start, else in seconds below
 * 24 hours. `187000` with a span of 187 s → 187
 */
function secondsOf(number: number, unit: number | undefined, span: number): number | null {
	if (unit !== undefined) return number * unit;
	if (Number.isNaN(span)) return plainSeconds(number);
	const isNear = (seconds: number) => Math.abs(seconds - span) <= Math.max(2, span * 0.02);
	const fitting = UNITS.map((one) => number * one).find(isNear);
	// The talk time is shorter than the span; it is in seconds if it is too long for minutes.
	const isPart = number <= span && number * MINUTE > span * 1.1;
	return fitting ?? (isPart || number === 0 ? number : null);
}
