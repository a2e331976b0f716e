/** Chooses the call's own details: id, direction, times, outcome, summary, transcript and recording. */
import { choose, type Candidate, type Choice } from '../matcher/choose';
import { SUREST } from '../matcher/topics';
import { wordsOfText } from '../matcher/words';
import type { CallFields, FieldCandidate } from './callFields';
import { chooseTimes } from './callTimes';
import type { Direction } from './details';
import { areTurns, readTranscript } from './transcripts';
import { readDirection, readOutcome, readPlainId, readStatedText, readWebUrl } from './values';
import { BESIDE_ENDS, ENDS } from './vocabulary/values';

/** Chooses the details that the call's own fields state. */
export function chooseCallValues(call: CallFields) {
	const { of, main } = call;
	const ids = of('id').filter((one) => one.words.length > 1 || one.record === main);
	const turns = of('turns').filter(({ value }) => areTurns(value));
	const outcomes = [...of('outcome'), ...withLowConfidence(of('status').filter(isOutcome))];
	const recordings = [...of('recording'), ...withLowConfidence(of('address'))];
	return {
		id: choose(ids, ({ value }) => readPlainId(value)),
		direction: chooseDirection(call),
		...chooseTimes(call),
		outcome: choose(outcomes, ({ value }) => readOutcome(value)),
		summary: choose(of('summary'), ({ value }) => readStatedText(value)),
		transcript: choose([...of('transcript'), ...turns], ({ value }) => readTranscript(value)),
		recordingUrl: choose(recordings, ({ value }) => readWebUrl(value)),
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
