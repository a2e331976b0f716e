import { best, rankOf, textOf } from './best';
import { readMoments, type Moments } from './moments';
import { readRecording } from './recordings';
import { isEnd } from './parties';
import type { CallRecord, Field, Records } from './records';
import { readName } from './names';
import { NAMED } from './topics';
import { readTranscript } from './transcripts';
import { wordsOf } from '../../reading/words';

/** What an event tells of the call itself. */
export interface Call extends Moments {
	id: string | null;
	direction: Direction | null;
	outcome: string | null;
	summary: string | null;
	transcript: string | null;
	recordingUrl: string | null;
}

export type Direction = 'inbound' | 'outbound';

/** Reads what an event tells of the call. */
export function readCall(records: Records): Call {
	return {
		id: idIn(records),
		direction:
			best(records, 'direction', toldIn) ??
			best(records, 'kind', impliedIn) ??
			enclosing(records) ??
			null,
		...readMoments(records),
		outcome: best(records, 'outcome', outcomeIn) ?? null,
		summary: best(records, 'summary', ({ value }) => summaryOf(value)) ?? null,
		transcript: transcriptIn(records),
		recordingUrl: readRecording(records),
	};
}

/** The call's own id: what is called so, else the id of the record that tells of the call. */
function idIn({ topics, call }: Records): string | null {
	let [found, most]: [string | null, number] = [null, 0];
	for (const { name, value, record, isEntry } of topics.id) {
		const { isSpine, isCustom, isBeside, isApart, weight } = record;
		const id = typeof value === 'number' ? String(value) : textOf(value);
		const isOther = isEntry || isBeside || isApart || (record.isEntry && !isSpine);
		// Services mark the ids of events.
		if (isOther || id === undefined || id.length > 200 || /^evt?_/i.test(id)) continue;
		const isCall = /^(call|conversation|interaction)$/.test(record.name?.phrase ?? '');
		let rank = (name.topics.id ?? 0) - (isCustom ? 30 : 0) - (isCall || isSpine ? 0 : 15);
		if (name.words.length === 1) {
			if (record.name?.isParty) continue;
			// An id of whatever its record is.
			const isTelling = weight > 0 || isAround(record, call) || (isCall && !isSpine);
			if (!isTelling || (!isCall && record.name?.holder !== undefined)) continue;
			rank += Math.min(weight, 9) / 10 + (isCall ? 1 : 0);
		}
		if (rank > most) [found, most] = [id, rank];
	}
	return found;
}

/** Tells whether a record is the call's but for the object that holds its fields: `{ id, attributes }`. */
function isAround(record: CallRecord, { name, parent }: CallRecord): boolean {
	return parent === record && /^(field|attribute)$/.test(name?.phrase ?? '');
}

const IN = new Set(['inbound', 'incoming', 'received', 'in']);
const OUT = new Set(['outbound', 'outgoing', 'placed', 'out']);
const PERSONS = new Set(['user', 'customer', 'contact', 'caller', 'client']);
const OURS = new Set(['business', 'agent', 'company', 'assistant']);

/** The direction in a field of that name, or in one that asks whether it is one. */
function toldIn({ name, value }: Field): Direction | undefined {
	if (name.words.includes('direction')) {
		return typeof value === 'string' ? directionOf(wordsOf(value)) : undefined;
	}
	const answer = /^(?:(true|1)|false|0)$/i.exec(String(value));
	if (answer === null) return undefined;
	const isIn = name.words.some((word) => IN.has(word));
	return isIn === (answer[1] !== undefined) ? 'inbound' : 'outbound';
}

/** The direction in a type such as `inboundPhoneCall`. */
function impliedIn({ value }: Field): Direction | undefined {
	if (typeof value !== 'string') return undefined;
	return directionOf(
		wordsOf(value).filter((word) => word.endsWith('bound') || word.endsWith('ing')),
	);
}

/** The direction in the name of an object that holds the ends of the call's way. */
function enclosing({ parties }: Records): Direction | undefined {
	const told = new Set(
		parties
			.filter(({ name, record }) => isEnd(name.side) && !record.isBeside)
			.map(({ record }) => record.name)
			.filter((name) => name?.topics.direction !== undefined)
			.map((name) => directionOf(name?.words ?? [])),
	);
	return told.size === 1 ? [...told][0] : undefined;
}

function directionOf(words: readonly string[]): Direction | undefined {
	const has = (set: Set<string>) => words.some((word) => set.has(word));
	const isByPerson = words.includes('initiated') && has(PERSONS);
	const isByUs = words.includes('initiated') && has(OURS);
	const [isIn, isOut] = [has(IN) || isByPerson, has(OUT) || isByUs];
	if (isIn === isOut) return undefined;
	return isIn ? 'inbound' : 'outbound';
}

/** States of a record, which say nothing of how a call went. */
const NOT_OF_CALLS = /^(un)?archived$/i;

/** How calls end, in one word: a plain `reason` may be that of the call, and a `result` of a request. */
const ENDS = /^\S*?(answer|busy|hang_?up|time_?out|reject|declin|disconnect)/i;

function outcomeIn({ name, value, record }: Field): string | undefined {
	const text = textWithin(value, ['name', 'label', 'value', 'code']);
	if (text === undefined || text.length > 200) return undefined;
	if (/^\d+$|^https?:/.test(text) || NOT_OF_CALLS.test(text)) return undefined;
	const isPlain = (name.topics.outcome ?? 0) < 20.5 && /(reason|result)$/.test(name.phrase);
	if (isPlain && (typeof value !== 'string' || !ENDS.test(text))) return undefined;
	// A status is that of the record that it stands in, such as the delivery.
	const isStatus = (name.topics.outcome ?? 0) < 20;
	const isOfCall = record.isSpine || record.name?.isOfCall === true;
	return isStatus && !isOfCall ? undefined : text;
}

function summaryOf(value: unknown): string | undefined {
	if (Array.isArray(value)) {
		return textOf(value.map((entry) => textOf(entry) ?? '').join('\n'));
	}
	return textWithin(value, ['text', 'content', 'summary']);
}

/** A text, or that of the first of these names in what wraps it. */
function textWithin(value: unknown, names: string[]): string | undefined {
	if (typeof value !== 'object' || value === null) return textOf(value);
	const texts = new Map(
		Object.entries(value).map(([name, inner]) => [readName(name).phrase, textOf(inner)]),
	);
	return names.map((name) => texts.get(name)).find((text) => text !== undefined);
}

function transcriptIn(records: Records): string | null {
	const told = records.topics.transcript
		.filter(({ isEntry }) => !isEntry)
		.map((field) => ({ field, rank: rankOf(field, 'transcript', records) }))
		.filter(({ rank }) => rank > 0)
		.sort((a, b) => b.rank - a.rank);
	for (const { field } of told) {
		const { name, value } = field;
		const isNamed = (name.topics.transcript ?? 0) >= NAMED;
		const isText = typeof value === 'string' && !/^\s{0,20}\[/.test(value);
		const text = isText && !isNamed ? undefined : readTranscript(value);
		if (text !== undefined) return text;
	}
	return null;
}
