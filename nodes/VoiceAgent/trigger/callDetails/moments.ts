import { best, rankOf } from './best';
import type { Field, Records } from './records';
import { readInstant, readLength, type Length } from '../../reading/times';
import { saysOneOf } from '../../reading/words';

/** When a call was, in milliseconds since the epoch, and how long, in seconds. */
export interface Moments {
	startedAt: number | null;
	endedAt: number | null;
	durationSeconds: number | null;
}

/** Reads when a call was. Times are never computed from others; a length may be. */
export function readMoments(records: Records): Moments {
	const startedAt = best(records, 'start', instantIn) ?? null;
	const endedAt = endIn(records, startedAt);
	const span = startedAt === null || endedAt === null ? undefined : (endedAt - startedAt) / 1000;
	const seconds = durationIn(records, span);
	return {
		startedAt,
		endedAt,
		durationSeconds: seconds === undefined ? null : Math.round(seconds * 1000) / 1000,
	};
}

function instantIn({ name, value }: Field): number | undefined {
	return readInstant(value, name.words.includes('utc') || name.words.includes('gmt'));
}

/** When the call ended, unless that is only when it would have been cut off. */
function endIn(records: Records, startedAt: number | null): number | null {
	const end =
		best(records, 'end', instantIn) ??
		(isOfTheEnd(records) ? best(records, 'occurred', instantIn) : undefined);
	if (end === undefined) return null;
	if (startedAt === null) return end;
	const span = (end - startedAt) / 1000;
	const limit = best(records, 'limit', lengthIn);
	const isLimit = limit !== undefined && secondsOf(limit).some((one) => Math.abs(one - span) < 1);
	return isLimit || span < 0 ? null : end;
}

const ENDS = new Set(['ended', 'end', 'hangup', 'disconnected', 'terminated', 'finished']);

/** Tells whether an event is that of a call's end, so that the one happened when the other did. */
function isOfTheEnd({ topics }: Records): boolean {
	return topics.kind.some(({ value, record }) => record.isSpine && saysOneOf(value, ENDS));
}

function lengthIn({ name, value }: Field): Length | undefined {
	const length = readLength(value);
	return length && { number: length.number, unit: length.unit ?? name.unit };
}

/** Seconds in the units that a length without one may be in. */
const UNITS = [1, 0.001, 60];
/** The longest call that a number without a unit may tell in seconds: more may be milliseconds. */
const LONGEST = 4 * 3600;

/** What a length is in seconds, in each unit that it may have. */
function secondsOf({ number, unit }: Length): number[] {
	return (unit === undefined ? UNITS : [unit]).map((one) => number * one);
}

/**
 * How long the call was: what is told, also none at all, goes before what follows from the times.
 *
 * @param span from its start to its end, which shows the unit
 */
function durationIn(records: Records, span: number | undefined): number | undefined {
	const told = records.topics.duration
		.flatMap((field) => {
			const [length, rank] = [lengthIn(field), rankOf(field, 'duration', records)];
			return length === undefined || rank === 0 ? [] : [{ length, rank }];
		})
		.sort((a, b) => b.rank - a.rank)
		.map(({ length }) => length);
	const [first] = told;
	if (first === undefined) return span;
	if (span !== undefined) {
		const fitting = told.flatMap(secondsOf).find((one) => isNear(one, span));
		if (fitting !== undefined) return fitting;
		// Minutes that don't fit may as well be seconds.
		const isPart = (one: number) => one <= span * 1.1 && one >= span * 0.05;
		const part = first.number === 0 ? 0 : secondsOf(first).slice(0, 2).find(isPart);
		if (part !== undefined) return part;
	}
	if (first.unit !== undefined) {
		// Minutes may be rounded.
		const finer = told.filter(({ unit = Infinity }) => unit < (first.unit ?? 0));
		const seconds = first.number * first.unit;
		const exact = finer.flatMap(secondsOf).find((one) => Math.abs(one - seconds) < 60);
		return first.unit < 60 ? seconds : (exact ?? seconds);
	}
	// What the times contradict in every unit is told by neither.
	if (span !== undefined) return undefined;
	// The same length in another unit shows which of them is in seconds.
	const withUnit = told.find(
		({ number, unit }) =>
			unit !== undefined && secondsOf(first).some((one) => isNear(one, number * unit)),
	);
	if (withUnit?.unit !== undefined) return withUnit.number * withUnit.unit;
	const inSeconds = told.find(
		({ number }) => number > 59 && Math.abs(first.number * 60 - number) < 3,
	);
	if (inSeconds !== undefined) return inSeconds.number;
	const isPlain = Number.isInteger(first.number) || first.number > 60;
	return isPlain && first.number <= LONGEST ? first.number : undefined;
}

function isNear(seconds: number, others: number): boolean {
	return Math.abs(seconds - others) <= Math.max(1.5, others * 0.02);
}
