/** Chooses the start, the end and the duration of the call, which must agree with each other. */
import { choose, choiceUnless, type Choice } from '../matcher/choose';
import { isObject } from '../matcher/json';
import type { CallFields, FieldCandidate } from './callFields';
import { readInstant, toIso } from './instants';
import { readSeconds } from './values';
import { UNITS } from './vocabulary/topics';

/** A duration below this share of end − start contradicts it: one of them is not the whole call's. */
const SHORTEST_SHARE = 0.3;

/** Chooses the times of the call: instants as stated, and a stated duration, else end − start. */
export function chooseTimes({ of }: CallFields) {
	const chosen = (topic: 'startedAt' | 'endedAt') =>
		choose(of(topic), ({ value }) => readInstant(value));
	const [start, end] = [chosen('startedAt'), chosen('endedAt')];
	const span = ((end.value ?? NaN) - (start.value ?? NaN)) / 1000;
	const duration = chooseDuration(of('durationSeconds'), span);
	// A talk time is shorter than the call; and some services set the end to the call's time limit.
	const isTooShort = (duration.value || Infinity) < span * SHORTEST_SHARE;
	const why = 'start, end and duration contradict each other';
	return {
		startedAt: choiceUnless(span < 0, why, { ...start, value: toIso(start.value) }),
		endedAt: choiceUnless(span < 0 || isTooShort, why, { ...end, value: toIso(end.value) }),
		durationSeconds: choiceUnless(isTooShort, why, duration),
	};
}

/** Chooses the duration in seconds. */
function chooseDuration(fields: FieldCandidate[], span: number): Choice<number> {
	const choice = choose(fields, ({ words, value }) => {
		const unit = UNITS.get(words.find((word) => UNITS.has(word)) ?? '');
		// Several durations in one object: `{ total: 187, queue: 16 }`.
		return readSeconds(isObject(value) ? value.total : value, unit, span);
	});
	const isDerived = fields.length === 0 && span >= 0;
	return isDerived ? { ...choice, value: span, why: 'end − start' } : choice;
}
