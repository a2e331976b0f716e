/** Chooses the start, the end and the duration of the call, which must agree with each other. */
import { choose, without, type Choice } from '../matcher/choose';
import { SUREST } from '../matcher/topics';
import type { CallFields, FieldCandidate } from './callFields';
import { isRecord } from './callRecords';
import { readInstant, toIso } from './instants';
import { plainSeconds, readLength, toSeconds } from './lengths';

/** A duration below this share of end − start contradicts it: one of them is not the whole call's. */
const SHORTEST_SHARE = 0.3;
/** The units of a duration that states none, in seconds. */
const POSSIBLE_UNITS = [1, 0.001, 60];
const MINUTE = 60;

/** Chooses the times of the call: instants as stated, and a stated duration, else end − start. */
export function chooseTimes({ of }: CallFields) {
	const chosen = (topic: 'start' | 'end') =>
		choose(of(topic), ({ name: { words }, value }) =>
			readInstant(value, words.includes('utc') || words.includes('gmt')),
		);
	const [start, end] = [chosen('start'), chosen('end')];
	const span = ((end.value ?? NaN) - (start.value ?? NaN)) / 1000;
	const duration = chooseDuration(of('duration'), span);
	// A talk time is shorter than the call; and some services set the end to the call's time limit.
	const isTooShort = (duration.value || Infinity) < span * SHORTEST_SHARE;
	const veto = <T>(choice: Choice<T>, isContradicted: boolean) =>
		isContradicted ? without(choice, 'start, end and duration contradict each other') : choice;
	return {
		startedAt: veto({ ...start, value: toIso(start.value) }, span < 0),
		endedAt: veto({ ...end, value: toIso(end.value) }, span < 0 || isTooShort),
		durationSeconds: veto(duration, isTooShort),
	};
}

/** Chooses the duration in seconds. Minutes are less sure, for they are rounded. */
function chooseDuration(fields: FieldCandidate[], span: number): Choice<number> {
	const candidates = fields.map((one) => {
		// Several durations in one object: `{ total: 187, queue: 16 }`.
		const length = readLength(isRecord(one.value) ? one.value.total : one.value);
		const unit = length?.unit ?? one.name.unit;
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
 * The seconds of a duration. Without a unit, it has the unit that agrees with end − start.
 * `187000` with a span of 187 s → 187
 */
function secondsOf(number: number, unit: number | undefined, span: number): number | null {
	if (unit !== undefined) return number * unit;
	if (Number.isNaN(span)) return plainSeconds(number);
	const isNear = (seconds: number) => Math.abs(seconds - span) <= Math.max(2, span * 0.02);
	const fitting = POSSIBLE_UNITS.map((one) => number * one).find(isNear);
	// Another duration than the whole call's is in seconds if it is too long for minutes.
	const isPart = number <= span && number * MINUTE > span * 1.1;
	return fitting ?? (isPart || number === 0 ? number : null);
}
