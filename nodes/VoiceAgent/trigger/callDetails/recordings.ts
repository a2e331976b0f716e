import { around, type CallRecord, type Records } from './records';
import { NAMED } from './topics';

/** A recording of one side alone is not the call's. */
const ONE_SIDE = new Set(['left', 'right']);

/** The address of a call's recording: that of both sides in one, where there are several. */
export function readRecording({ topics }: Records): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const { name, value, record } of topics.recording) {
		const score = name.topics.recording ?? 0;
		const isNamed = score >= NAMED;
		if (name.side !== undefined || !isAddress(value) || isOfOther(record)) continue;
		if (!isNamed && !isInRecording(record)) continue;
		const rank = score + (isNamed ? 3 : 0) + (record.isEntry ? 0 : 1);
		if (rank > most) [found, most] = [value, rank];
	}
	return found;
}

function isInRecording(record: CallRecord): boolean {
	const recording = around(
		record,
		({ topics }, { isSpine }) => !isSpine && (topics.recording ?? 0) >= NAMED,
	);
	return recording !== undefined;
}

/** Tells whether a record is of one side alone, or of something else, such as a voicemail. */
function isOfOther(record: CallRecord): boolean {
	const other = around(
		record,
		({ holder, side, words }, { isSpine }) =>
			!isSpine &&
			(holder !== undefined || side === 'other' || words.some((word) => ONE_SIDE.has(word))),
	);
	return other !== undefined;
}

function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\/[^\s/]/i.test(value);
}
