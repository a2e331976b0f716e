import { choose, type Candidate, type Choice } from '../matcher/choose';
import { wordsOf } from '../matcher/words';
import { isOwn, type Call, type FieldCandidate } from './call';
import type { Direction } from './details';
import { SUREST } from './names';
import { chooseTimes } from './times';
import { areTurns, readTranscript } from './transcripts';
import { isSameText, readDirection, readId, readOutcome, readSummary, readUrl } from './values';
import { ENDS } from './vocabulary/values';

/** A plain `reason` with more words is one of people, not of the telephone. */
const MOST_WORDS = 3;

/** Reads what the call's own fields say. */
export function readCall(call: Call) {
	const { of, main } = call;
	const isPlain = ({ field }: FieldCandidate) => field.name.words.length === 1;
	const ids = of('id').filter((one) => !isPlain(one) || isOwn(one.field, main));
	const turns = of('turns').filter(({ value }) => areTurns(value));
	const outcomes = [...of('outcome'), ...lessSure(of('status').filter(isOwnEnd))];
	const recordings = [...of('recording'), ...lessSure(of('address'))];
	return {
		id: choose(ids, ({ value }) => readCallId(value)),
		direction: chooseDirection(call),
		...chooseTimes(call),
		outcome: choose(outcomes, ({ value }) => readOutcome(value), isSameText),
		summary: choose(of('summary'), ({ value }) => readSummary(value)),
		transcript: choose([...of('transcript'), ...turns], ({ value }) => readTranscript(value)),
		recordingUrl: choose(recordings, ({ value }) => readUrl(value)),
	};

	/** What may be of anything, such as `status`, needs a word for how calls end. */
	function isOwnEnd({ field, value }: FieldCandidate): boolean {
		if (field.name.words.includes('call')) return true;
		const words = typeof value === 'string' ? wordsOf(value) : [];
		const isEnd = words.length <= MOST_WORDS && words.some((word) => ENDS.has(word));
		return isEnd && isOwn(field, main);
	}
}

function lessSure<C extends Candidate>(candidates: C[]): C[] {
	return candidates.map((one) => ({ ...one, confidence: one.confidence - SUREST }));
}

/** Services mark the ids of events: `evt_1`. */
function readCallId(value: unknown): string | null {
	const id = readId(value);
	return id !== null && /^evt?_/i.test(id) ? null : id;
}

/** Reads the direction from a field of that name, else from a type: `inboundPhoneCall`, `inbound.call.ended`. */
function chooseDirection({ of }: Call): Choice<Direction> {
	const types = lessSure([...of('medium'), ...of('event')]);
	return choose([...of('direction'), ...types], ({ field: { name }, confidence, value }) => {
		if (confidence === SUREST) return readDirection(value);
		if (typeof value === 'boolean') {
			const isIn = name.words.some((word) => word.startsWith('in'));
			return !name.topics.has('direction') ? null : isIn === value ? 'inbound' : 'outbound';
		}
		const words = typeof value === 'string' ? wordsOf(value) : [];
		return readDirection(words.filter((word) => /bound$|going$|coming$/.test(word)).join(' '));
	});
}
