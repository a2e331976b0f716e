/**
 * Reads what an event is about, and chooses the call's own details: id, direction, times, outcome, summary, transcript
 * and recording.
 */
import { choose, SUREST } from '../text/topics';
import { isObject } from '../text/json';
import { hasAny, hasOnly, wordsOf } from '../text/words';
import { hasCallField, type CallFields, type FieldCandidate } from './callFields';
import { DETAIL_KEYS, DETAILS, type DetailKey, type DetailValues } from './details';
import { MINUTE, readSeconds, unitIn } from '../text/durations';
import { readInstant, toIso } from '../text/times';
import { areTurns } from './transcripts';
import { readDirection } from './values';
import { CALLS } from './vocabulary/fieldWords';
import {
	BESIDE_ENDS,
	CALL_EVENTS,
	ENDS,
	OTHER_EVENTS,
	TEST_TYPES,
	TESTS,
	WEB,
	type Direction,
} from './vocabulary/valueWords';

/** The details that are not a party's. */
const OWN_KEYS = DETAIL_KEYS.filter((key) => !key.includes('.'));

const NO_TIMES = { startedAt: null, endedAt: null, durationSeconds: null };

/** Of a duration and of end − start, a share of the other below this contradicts it: one is not the whole call's. */
const LEAST_SHARE = 0.3;

/** Chooses the details that the call's own fields state. */
export function chooseCallValues(call: CallFields): Partial<DetailValues> {
	const { get, main } = call;
	// Beside an envelope that is the call, an object named for it counts as well.
	const isOwn = ({ holder }: FieldCandidate) =>
		holder === main || (!CALLS.has(main?.name ?? '') && CALLS.has(holder.name));
	const isOutcome = (one: FieldCandidate) =>
		!isOfRecording(call) && isEnding(one.value) && (one.words.includes('call') || isOwn(one));
	/** The candidates of details for which not only the fields of their names count. */
	const candidates: Partial<Record<DetailKey, FieldCandidate[]>> = {
		id: get('id').filter((one) => one.words.length > 1 || isOwn(one)),
		outcome: [...get('outcome'), ...withLowConfidence(get('status').filter(isOutcome))],
		transcript: [...get('transcript'), ...get('turns').filter(({ value }) => areTurns(value))],
		recordingUrl: [...get('recordingUrl'), ...withLowConfidence(get('address'))],
	};
	const valueOf = (key: DetailKey) =>
		choose(candidates[key] ?? get(key), ({ value }) => DETAILS[key].read(value));
	const values = Object.fromEntries(OWN_KEYS.map((key) => [key, valueOf(key)]));
	const times = isOfRecording(call) ? NO_TIMES : chooseTimes(call);
	return { ...values, direction: chooseDirection(call), ...times };
}

/** Whether the event is about a recording, with its times and its status: `recordingAvailable` → true */
function isOfRecording({ get }: CallFields): boolean {
	return get('event').some(({ value }) => wordsOf(value).includes('recording'));
}

/** Whether a value such as that of `status` states how a call ended. `cancel order` → false */
function isEnding(value: unknown): boolean {
	const stated = wordsOf(value);
	const others = stated.filter((word) => !ENDS.has(word));
	return others.length < stated.length && hasOnly(others, BESIDE_ENDS);
}

/** Returns candidates with a confidence below all others of their topic. */
function withLowConfidence(candidates: FieldCandidate[]): FieldCandidate[] {
	return candidates.map((one) => ({ ...one, confidence: one.confidence - SUREST }));
}

/** Whether a word means a direction in any text, as `in` does not: `outbound`, `outgoing` */
const isOfDirection = (word: string) => /bound$|going$|coming$/.test(word);

/** Reads the direction from a field of that name, else from a type: `inboundPhoneCall` → inbound */
function chooseDirection({ get, isOfCall }: CallFields): Direction | null {
	const types = withLowConfidence([...get('medium').filter(isOfCall), ...get('event')]);
	return choose([...get('direction'), ...types], ({ value, words, topics, confidence }) => {
		if (confidence === SUREST) return readDirection(value);
		if (typeof value === 'boolean') {
			const isIn = words.some((word) => word.startsWith('in'));
			return !topics.has('direction') ? null : isIn === value ? 'inbound' : 'outbound';
		}
		// Alone, beside a word for calls or their ends, or in a `call_type`; but not `topic: Outbound shipping delay`.
		const all = wordsOf(value);
		const stated = all.filter(isOfDirection);
		const others = all.filter((word) => !isOfDirection(word));
		const isType = topics.has('medium') && words.length > 1;
		const isSure = isType || hasOnly(others, ENDS) || hasAny(others, CALL_EVENTS);
		return isSure ? readDirection(stated.join(' ')) : null;
	});
}

/**
 * Chooses the start, the end and the duration of the call, which must agree with each other: instants as stated, and a
 * stated duration, else end − start.
 */
function chooseTimes({ get, isOfCall }: CallFields) {
	const [start, end] = [chooseInstant(get('startedAt')), chooseInstant(get('endedAt'))];
	const span = ((end ?? NaN) - (start ?? NaN)) / 1000;
	const durations = get('durationSeconds');
	// A start and an end state the duration, too, so that of metadata may be an appointment's.
	const duration = chooseDuration(span >= 0 ? durations.filter(isOfCall) : durations, span);
	// A talk time is shorter than the call; and some services set the end to the call's time limit.
	const [shorter = NaN, longer = NaN] = [duration ?? NaN, span].sort((a, b) => a - b);
	const areContrary = shorter > 0 && shorter < longer * LEAST_SHARE;
	return {
		startedAt: span < 0 ? null : toIso(start),
		endedAt: span < 0 || areContrary ? null : toIso(end),
		durationSeconds: areContrary ? null : duration,
	};
}

/** Chooses an instant. Of two that differ by less than a second, the one with milliseconds is more precise. */
function chooseInstant(fields: FieldCandidate[]): number | null {
	return choose(
		fields,
		({ value }) => readInstant(value),
		(a, b) => Math.abs(a - b) < 1000,
		(_, other) => other % 1000 === 0,
	);
}

/**
 * Chooses the duration in seconds, which some services round. Minutes are as exact as a duration beside them: `3.1`,
 * `187` seconds → 187. Below a minute, it may be a part: `3`, `7` → null
 */
function chooseDuration(fields: FieldCandidate[], span: number): number | null {
	if (fields.length === 0 && span >= 0) return span;
	const isRough = ({ words }: FieldCandidate) => (unitIn(words) ?? 0) >= MINUTE;
	// Several durations in one object: `{ total: 187, queue: 16 }`.
	const read = ({ value, words }: FieldCandidate, whole: number) =>
		readSeconds(isObject(value) ? (value.total ?? value.total_duration) : value, words, whole);
	const isSame = (a: number, b: number) => Math.abs(a - b) < 1;
	const others = fields.filter((one) => !isRough(one));
	const exact = choose(others, (one) => read(one, span), isSame) ?? 0;
	const whole = Number.isNaN(span) && exact >= MINUTE ? exact : span;
	return choose(fields, (one) => read(one, isRough(one) ? whole : span), isSame);
}

function hasWord(fields: FieldCandidate[], words: ReadonlySet<string>): boolean {
	return fields.some(({ value }) => hasAny(wordsOf(value), words));
}

/** Whether the event states that it is no phone call: `call_type: web_call`, but not `type: CompletedWebHook` */
export function isWebCall({ get }: CallFields): boolean {
	const media = get('medium').filter(({ value }) => !wordsOf(value).includes('hook'));
	return hasWord(media, WEB);
}

/** Whether the event states that it is a test: `test: true`, `type: call.completed.test` */
export function isTestEvent({ get }: CallFields): boolean {
	const isTest = (words: readonly string[]) => hasAny(words, TESTS) && hasOnly(words, TEST_TYPES);
	return (
		get('test').some(({ value }) => value === true || value === 'true') ||
		get('event').some(({ value }) => isTest(wordsOf(value)))
	);
}

/** Whether an event is about a call: by the words of its type, else by a value that only calls have. */
export function isCallEvent({ get, objects }: CallFields): boolean {
	if (hasWord(get('event'), CALL_EVENTS) || hasWord(get('medium'), CALL_EVENTS)) return true;
	// The topic of a call may have such a word.
	const hasCallId = get('id').some(({ words }) => words.includes('call'));
	const isCall = hasCallId && get('direction').length > 0;
	const types = get('event').filter(({ words }) => !isCall || words.join() !== 'topic');
	if (hasWord(types, OTHER_EVENTS)) return false;
	const states = (key: 'outcome' | 'transcript') =>
		get(key).some(({ value }) => DETAILS[key].read(value) !== null);
	return objects.some(hasCallField) || states('outcome') || states('transcript');
}
