import { choose, type Candidate, type Choice } from '../matcher/choose';
import { wordsOf } from '../matcher/words';
import type { DetailKey, Direction } from './details';
import { candidatesOf, type Call } from './callFields';
import { chooseTimes } from './moments';
import { SUREST } from './names';
import { areTurns, readTranscript } from './transcripts';
import { readDirection, readId, readOutcome, readSummary, readUrl } from './values';
import { RECORDING_FIELDS } from './vocabulary/topics';
import { OUTCOME_WORDS } from './vocabulary/values';

/** The values of the call itself. */
export type CallChoices = Record<
	Exclude<DetailKey, `${string}.${string}`>,
	Choice<string | number>
> & {
	direction: Choice<Direction>;
};

/** Reads what the call's own fields say. */
export function readCall(call: Call): CallChoices {
	const ids = candidatesOf(call, 'id').filter(
		({ field: { name, record } }) =>
			name.words.length > 1 || (record === call.main && !record.isLeg),
	);
	const transcripts = [
		...candidatesOf(call, 'transcript'),
		...lessSure(candidatesOf(call, 'turns').filter(({ value }) => areTurns(value))),
	];
	const recordings = [...candidatesOf(call, 'recording'), ...lessSure(addressesOf(call))];
	return {
		id: choose(ids, ({ value }) => readCallId(value)),
		direction: chooseDirection(call),
		...chooseTimes(call),
		outcome: choose(
			[
				...candidatesOf(call, 'outcome'),
				...lessSure(plainOf(call, 'reason')),
				...lessSure(lessSure(plainOf(call, 'status'))),
			],
			({ value }) => readOutcome(value),
			(a, b) => a.toLowerCase() === b.toLowerCase(),
		),
		summary: choose(candidatesOf(call, 'summary'), ({ value }) => readSummary(value)),
		transcript: choose(transcripts, ({ value }) => readTranscript(value)),
		recordingUrl: choose(recordings, ({ value }) => readUrl(value)),
	};
}

function lessSure<C extends Candidate>(candidates: C[]): C[] {
	return candidates.map((one) => ({ ...one, confidence: one.confidence - SUREST }));
}

/** Services mark the ids of events: `evt_1`. */
function readCallId(value: unknown): string | null {
	const id = readId(value);
	return id !== null && /^evt?_/i.test(id) ? null : id;
}

/**
 * The fields of a topic. One whose name may be of anything, such as `status`, counts in the call's own
 * record, with a word for how calls end.
 */
function plainOf(call: Call, topic: 'reason' | 'status'): Candidate[] {
	return candidatesOf(call, topic).filter(
		({ field: { name, record }, value }) =>
			name.words.includes('call') ||
			(record === call.main &&
				typeof value === 'string' &&
				wordsOf(value).some((word) => OUTCOME_WORDS.has(word))),
	);
}

/** The fields of the objects that are recordings. */
function addressesOf({ records }: Call): Candidate[] {
	return records
		.filter(({ kind }) => kind === 'recording')
		.flatMap(({ fields }) =>
			fields.flatMap(({ path, value, name: { phrase } }) => {
				const at = RECORDING_FIELDS.indexOf(phrase);
				return at < 0 ? [] : [{ path, value, confidence: SUREST - at }];
			}),
		);
}

/** Reads the direction from a field of that name, else from a type: `inboundPhoneCall`, `inbound.call.ended`. */
function chooseDirection(call: Call): Choice<Direction> {
	const types = [...candidatesOf(call, 'medium'), ...candidatesOf(call, 'event')];
	return choose([...candidatesOf(call, 'direction'), ...lessSure(types)], ({ field, value }) => {
		const { name } = field;
		if (name.topics.get('direction') === SUREST) return readDirection(value);
		if (typeof value === 'boolean' && name.topics.has('direction')) {
			const isIn = name.words.some((word) => word.startsWith('in'));
			return isIn === value ? 'inbound' : 'outbound';
		}
		if (typeof value !== 'string') return null;
		return readDirection(
			wordsOf(value)
				.filter((word) => /bound$|going$|coming$/.test(word))
				.join(' '),
		);
	});
}
