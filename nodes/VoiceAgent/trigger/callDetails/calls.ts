import type { Name, Topic } from './names';
import { isBeside, isCustom, type Field, type Records } from './records';
import { readInstant, readLength } from './times';
import { readTranscript } from './transcripts';
import { wordsOf } from './words';

/** What an event tells of the call itself. */
export interface Call {
	id: string | null;
	direction: Direction | null;
	startedAt: number | null;
	endedAt: number | null;
	durationSeconds: number | null;
	outcome: string | null;
	summary: string | null;
	transcript: string | null;
	recordingUrl: string | null;
}

export type Direction = 'inbound' | 'outbound';

/** Texts that stand for no value. */
const EMPTY = /^(|-+|n\/?a|null|none|nil|undefined|unknown)$/i;

/** Reads what an event tells of the call. */
export function readCall(records: Records): Call {
	const startedAt = best(records, 'start', instantOf) ?? null;
	const endedAt = endOf(records, startedAt);
	return {
		id: idOf(records),
		direction: directionOf(records),
		startedAt,
		endedAt,
		durationSeconds: durationOf(records, startedAt, endedAt),
		outcome: best(records, 'outcome', outcomeOf) ?? null,
		summary: best(records, 'summary', summaryOf) ?? null,
		transcript: transcriptOf(records),
		recordingUrl: recordingOf(records),
	};
}

/** The text of a value, unless it stands for none. */
export function textOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return EMPTY.test(text) ? undefined : text;
}

/** How much a place tells: that of the call itself, around it, beside it, or in a list. */
function placeOf({ record, isEntry }: Field, { call }: Records): number {
	const near = record === call ? 4 : record.isSpine ? 3 : 2;
	return near - (isEntry || record.isEntry ? 1 : 0) - (isCustom(record) ? 2 : 0);
}

/** The best field of a topic, in the order of how well its name and its place fit. */
function best<T>(
	records: Records,
	topic: Topic,
	read: (value: unknown, field: Field) => T | undefined,
): T | undefined {
	let [found, most]: [T | undefined, number] = [undefined, 0];
	for (const field of records.fields) {
		const score = field.name.topics[topic];
		if (score === undefined || isBesideFor(topic, field)) continue;
		const value = read(field.value, field);
		if (value === undefined) continue;
		const rank = score + placeOf(field, records);
		if (rank > most) [found, most] = [value, rank];
	}
	return found;
}

/** An analysis tells how the call went, but nothing else of it. */
function isBesideFor(topic: Topic, { record, name }: Field): boolean {
	if (name.side === 'other') return true;
	if (topic === 'summary' || topic === 'outcome') {
		const around = record.name;
		if (around?.words.includes('analysis')) return false;
	}
	return isBeside(record);
}

function instantOf(value: unknown, { name }: Field): number | undefined {
	return readInstant(value, isUtc(name));
}

function isUtc({ words }: Name): boolean {
	return words.includes('utc') || words.includes('gmt');
}

/** When the call ended, unless that is only when it would have been cut off. */
function endOf(records: Records, startedAt: number | null): number | null {
	const end =
		best(records, 'end', instantOf) ??
		(isOfTheEnd(records) ? best(records, 'occurred', instantOf) : undefined);
	if (end === undefined) return null;
	if (startedAt === null) return end;
	const span = (end - startedAt) / 1000;
	const limit = best(records, 'limit', readLength);
	const isLimit =
		limit !== undefined &&
		(limit.unit === undefined ? [0.001, 1, 60] : [limit.unit]).some(
			(unit) => Math.abs(limit.number * unit - span) < 1,
		);
	return isLimit || span < 0 ? null : end;
}

const ENDS = new Set(['ended', 'end', 'hangup', 'disconnected', 'terminated', 'finished']);

function isOfTheEnd({ fields }: Records): boolean {
	return fields.some(
		({ name, value, record }) =>
			name.topics.kind !== undefined &&
			record.isSpine === true &&
			typeof value === 'string' &&
			wordsOf(value).some((word) => ENDS.has(word)),
	);
}

/** The longest call that a number without a unit may tell in seconds. */
const LONGEST = 4 * 3600;

function durationOf(
	records: Records,
	startedAt: number | null,
	endedAt: number | null,
): number | null {
	const span = startedAt === null || endedAt === null ? null : (endedAt - startedAt) / 1000;
	const told = records.fields
		.filter((field) => field.name.topics.duration !== undefined && !isBesideFor('duration', field))
		.flatMap((field) => {
			const length = readLength(field.value);
			if (length === undefined) return [];
			const rank = (field.name.topics.duration ?? 0) + placeOf(field, records);
			return [{ number: length.number, unit: length.unit ?? field.name.unit, rank }];
		})
		.sort((a, b) => b.rank - a.rank);
	if (span !== null) {
		for (const { number, unit } of told) {
			const units = unit === undefined ? [1, 0.001, 60] : [unit];
			const seconds = units
				.map((one) => number * one)
				.find((one) => Math.abs(one - span) <= Math.max(1.5, span * 0.02));
			if (seconds !== undefined) return rounded(seconds);
		}
	}
	const [first] = told;
	if (first === undefined) return span === null ? null : rounded(span);
	if (first.unit !== undefined) return rounded(first.number * first.unit);
	// The same length in another unit shows which of them is in seconds.
	for (const { number, unit } of told) {
		if (
			unit !== undefined &&
			[0.001, 1, 60].some((one) => Math.abs(first.number * one - number * unit) < 1)
		) {
			return rounded(number * unit);
		}
	}
	const isMinutes = told.find(
		({ number }) => number !== first.number && Math.abs(first.number * 60 - number) <= 3,
	);
	if (isMinutes !== undefined && first.number > 0) return rounded(isMinutes.number);
	if (first.rank < 3 || first.number > LONGEST) return null;
	return rounded(first.number);
}

function rounded(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}

/** The call's own id: what is called so, else the id of the record that tells of the call. */
function idOf(records: Records): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const { name, value, record, isEntry } of records.fields) {
		let score = name.topics.id;
		if (score === undefined || isEntry || record.isEntry || isBeside(record)) continue;
		const id = typeof value === 'number' ? String(value) : textOf(value);
		if (id === undefined || id.length > 200 || /^evt?_/i.test(id)) continue;
		if (name.words.length === 1) {
			const isCall = record.name?.words.join(' ') === 'call';
			if (!isCall && (record.weight === 0 || isParty(records, record))) continue;
			score +=
				Math.min(record.weight, 9) / 10 + (isCall ? 0.5 : 0) - (isCall || record.isSpine ? 0 : 15);
		}
		const rank = score - (isCustom(record) ? 30 : 0);
		if (rank > most) [found, most] = [id, rank];
	}
	return found;
}

function isParty(_: Records, record: Records['call']): boolean {
	return !record.isSpine && record.name?.side !== undefined;
}

const IN = new Set(['inbound', 'incoming', 'received', 'in']);
const OUT = new Set(['outbound', 'outgoing', 'placed', 'out']);

function directionOf(records: Records): Direction | null {
	return best(records, 'direction', toldDirection) ?? best(records, 'kind', kindDirection) ?? null;
}

function toldDirection(value: unknown, { name }: Field): Direction | undefined {
	const isDirection = name.words.includes('direction');
	if (typeof value === 'string' && isDirection) return directionIn(value, true);
	const flag =
		value === true || value === 'true'
			? true
			: value === false || value === 'false'
				? false
				: undefined;
	if (flag === undefined || isDirection) return undefined;
	return name.words.some((word) => IN.has(word)) === flag ? 'inbound' : 'outbound';
}

function kindDirection(value: unknown): Direction | undefined {
	return typeof value === 'string' ? directionIn(value, false) : undefined;
}

function directionIn(text: string, isTold: boolean): Direction | undefined {
	const words = wordsOf(text).filter((word) => isTold || word.length > 3);
	const isIn = words.some((word) => IN.has(word));
	const isOut = words.some((word) => OUT.has(word));
	if (isIn !== isOut) return isIn ? 'inbound' : 'outbound';
	if (!isTold || !words.includes('initiated')) return undefined;
	if (words.some((word) => /^(user|customer|contact|caller|client)$/.test(word))) return 'inbound';
	if (words.some((word) => /^(business|agent|company|assistant)$/.test(word))) return 'outbound';
	return undefined;
}

/** A record's own state says nothing of how a call went. */
const NOT_OF_CALLS = /^(un)?archived$/i;

function outcomeOf(value: unknown): string | undefined {
	const text = textOf(value);
	if (text === undefined || text.length > 200 || /^\d+$/.test(text) || NOT_OF_CALLS.test(text))
		return undefined;
	return /^https?:/.test(text) ? undefined : text;
}

function summaryOf(value: unknown): string | undefined {
	if (Array.isArray(value)) {
		const lines = value.flatMap((entry) => summaryOf(entry) ?? []);
		return lines.length > 0 ? lines.join('\n') : undefined;
	}
	if (typeof value === 'object' && value !== null) {
		const { text, content, summary } = value as Record<string, unknown>;
		return textOf(text) ?? textOf(content) ?? textOf(summary);
	}
	return textOf(value);
}

function transcriptOf(records: Records): string | null {
	const told = records.fields
		.filter(({ name, record, isEntry, isTurns }) => {
			if (isEntry || name.side === 'other') return false;
			return (isTurns === true || name.topics.transcript !== undefined) && !isBeside(record);
		})
		.map((field) => ({
			value: field.value,
			rank: (field.name.topics.transcript ?? 1) + placeOf(field, records),
		}))
		.sort((a, b) => b.rank - a.rank);
	for (const { value } of told) {
		const text = readTranscript(value);
		if (text !== undefined) return text;
	}
	return null;
}

function recordingOf(records: Records): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const { name, value, record } of records.fields) {
		const score = name.topics.recording;
		if (score === undefined || typeof value !== 'string' || !/^https?:\/\/[^\s/]/i.test(value))
			continue;
		if (name.side !== undefined) continue;
		const isTold = score >= 4;
		let isInside = false;
		for (let at = record; !isInside && at.name; ) {
			isInside = at.name.topics.recording !== undefined && at.name.topics.recording >= 4;
			if (at.parent === undefined) break;
			at = at.parent;
		}
		if (!isTold && !isInside) continue;
		const rank = score + (isTold ? 3 : 0) + (record.isEntry ? 0 : 1);
		if (rank > most) [found, most] = [value, rank];
	}
	return found;
}
