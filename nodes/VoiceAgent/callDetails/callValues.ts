/** Chooses the call's own details: id, direction, times, outcome, summary, transcript and recording. */
import { choose, type Candidate, type Choice } from '../matcher/choose';
import { SUREST } from '../matcher/topics';
import { wordsOfText } from '../matcher/words';
import type { CallFields, FieldCandidate } from './callFields';
import { chooseTimes } from './callTimes';
import { DETAIL_KEYS, DETAILS, type Detail, type DetailKey } from './details';
import { areTurns } from './transcripts';
import { readDirection, readOutcome, type Direction } from './values';
import { BESIDE_ENDS, ENDS } from './vocabulary/values';

/** Chooses the details that the call's own fields state. */
export function chooseCallValues(call: CallFields) {
	const { of, main } = call;
	/** The candidates of details for which not only the fields of their names count. */
	const candidates: Partial<Record<DetailKey, FieldCandidate[]>> = {
		id: of('id').filter((one) => one.words.length > 1 || one.record === main),
		outcome: [...of('outcome'), ...withLowConfidence(of('status').filter(isOutcome))],
		transcript: [...of('transcript'), ...of('turns').filter(({ value }) => areTurns(value))],
		recordingUrl: [...of('recordingUrl'), ...withLowConfidence(of('address'))],
	};
	const choices = DETAIL_KEYS.map((key) => {
		const { read }: Detail = DETAILS[key];
		return [key, choose(candidates[key] ?? of(key), ({ value }) => read(value))];
	});
	return {
		...(Object.fromEntries(choices) as Record<DetailKey, Choice<string | number>>),
		direction: chooseDirection(call),
		...chooseTimes(call),
	};

	/** Whether a field such as `status` states how the call ended. `reason: cancel order` → false */
	function isOutcome({ words, record, value }: FieldCandidate): boolean {
		const stated = wordsOfText(value);
		const others = stated.filter((word) => !ENDS.has(word));
		const isEnding = others.length < stated.length && others.every((word) => BESIDE_ENDS.has(word));
		return isEnding && (words.includes('call') || record === main);
	}
}

/** Reads the stated outcome; null if the event only states how the call ended, such as `status: completed`. */
export function readDisposition({ of }: CallFields): string | null {
	const stated = of('outcome').filter(({ confidence }) => confidence > SUREST - 2);
	return choose(stated, ({ value }) => readOutcome(value)).value;
}

/** Returns candidates with a confidence below all others of their topic. */
function withLowConfidence<C extends Candidate>(candidates: C[]): C[] {
	return candidates.map((one) => ({ ...one, confidence: one.confidence - SUREST }));
}

/** Reads the direction from a field of that name, else from a type: `inboundPhoneCall` → inbound */
function chooseDirection({ of }: CallFields): Choice<Direction> {
	const types = withLowConfidence([...of('medium'), ...of('event')]);
	return choose([...of('direction'), ...types], ({ words, topics, confidence, value }) => {
		if (confidence === SUREST) return readDirection(value);
		if (typeof value === 'boolean') {
			const isIn = words.some((word) => word.startsWith('in'));
			return !topics.has('direction') ? null : isIn === value ? 'inbound' : 'outbound';
		}
		const stated = wordsOfText(value).filter((word) => /bound$|going$|coming$/.test(word));
		return readDirection(stated.join(' '));
	});
}
