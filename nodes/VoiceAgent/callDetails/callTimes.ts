/** Chooses the start, the end and the duration of the call, which must agree with each other. */
import { choose, choiceUnless, type Choice } from '../matcher/choose';
import { isObject } from '../matcher/json';
import { SUREST } from '../matcher/topics';
import type { CallFields, FieldCandidate } from './callFields';
import { readInstant, toIso } from './instants';
import { MINUTE, readSeconds } from './lengths';
import { UNITS } from './vocabulary/topics';

/** A duration below this share of end − start contradicts it: one of them is not the whole call's. */
const SHORTEST_SHARE = 0.3;

/** Chooses the times of the call: instants as stated, and a stated duration, else end − start. */
export function chooseTimes({ of }: CallFields) {
	const chosen = (topic: 'start' | 'end') =>
		choose(of(topic), ({ words, value }) =>
			readInstant(value, words.includes('utc') || words.includes('gmt')),
		);
	const [start, end] = [chosen('start'), chosen('end')];
	const span = ((end.value ?? NaN) - (start.value ?? NaN)) / 1000;
	const duration = chooseDuration(of('duration'), span);
	// A talk time is shorter than the call; and some services set the end to the call's time limit.
	const isTooShort = (duration.value || Infinity) < span * SHORTEST_SHARE;
	const why = 'start, end and duration contradict each other';
	return {
		startedAt: choiceUnless(span < 0, why, { ...start, value: toIso(start.value) }),
		endedAt: choiceUnless(span < 0 || isTooShort, why, { ...end, value: toIso(end.value) }),
		durationSeconds: choiceUnless(isTooShort, why, duration),
	};
}

/** Chooses the duration in seconds. Minutes are less sure, for they are rounded. */
function chooseDuration(fields: FieldCandidate[], span: number): Choice<number> {
	const candidates = fields.map((one) => {
		const unit = UNITS.get(one.words.find((word) => UNITS.has(word)) ?? '');
		// Several durations in one object: `{ total: 187, queue: 16 }`.
		const value = isObject(one.value) ? one.value.total : one.value;
		return { ...one, unit, value, confidence: one.confidence - (unit === MINUTE ? SUREST : 0) };
	});
	const choice = choose(
		candidates,
		({ unit, value }) => readSeconds(value, unit, span),
		(a, b) => Math.abs(a - b) < 1,
	);
	const isDerived = candidates.length === 0 && span >= 0;
	return isDerived ? { ...choice, value: span, why: 'end − start' } : choice;
}
