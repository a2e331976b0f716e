/** Recognises transcripts, and writes the spoken turns as text. */
import { wordsOf } from '../matcher/words';
import { isRecord } from './callRecords';
import { readWebUrl } from './values';
import { SILENT, SPEAKER_FIELDS, SPEAKING, TEXT_FIELDS } from './vocabulary/turns';

/** The deepest wrapper that is entered: `{ transcript: { segments: [ … ] } }` has a depth of 1. */
const DEEPEST_WRAPPER = 3;
/** The first turns and fields of a list, which show how its turns are written. */
const TURNS_SEEN = 5;
const FIELDS_SEEN = 50;

/**
 * Reads the spoken turns as text, one line each: from a text, a list of turns, or an object with either.
 * `[{ role: 'user', content: 'Hi' }]` → `User: Hi`
 */
export function readTranscript(value: unknown): string | null {
	const text = spokenTextOf(parsed(value), 0);
	return text === '' || readWebUrl(text) !== null ? null : text;
}

/** Whether a list of any name holds turns: each of its entries has a role. */
export function areTurns(value: unknown): boolean {
	const list = parsed(value);
	if (!Array.isArray(list)) return false;
	const { seen, speaker, texts } = findTurnFields(list);
	const isRole = (role: unknown) =>
		typeof role === 'string' &&
		wordsOf(role).some((word) => SPEAKING.has(word) || SILENT.has(word));
	return texts.length > 0 && speaker !== undefined && seen.every((turn) => isRole(turn[speaker]));
}

/** Parses a list that a service sends as text. */
function parsed(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s{0,20}\[/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

function spokenTextOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (depth > DEEPEST_WRAPPER) return '';
	if (Array.isArray(value)) return linesOf(value, depth);
	if (!isRecord(value)) return '';
	for (const name of Object.keys(value).slice(0, FIELDS_SEEN)) {
		const isText = TEXT_FIELDS.includes(wordsOf(name).join(' ')) || Array.isArray(value[name]);
		const text = isText ? spokenTextOf(value[name], depth + 1) : '';
		if (text !== '') return text;
	}
	return '';
}

/** Writes a list of turns: `Speaker: text` in one line for each. */
function linesOf(turns: unknown[], depth: number): string {
	const { texts, speaker } = findTurnFields(turns);
	const [best = '', ...others] = texts;
	const name = speaker ?? '';
	const labels = new Map<unknown, string | null>();
	// A join copies a long text here; appending leaves the copy to the first reader.
	let lines = '';
	for (const turn of turns) {
		const isObject = isRecord(turn);
		const said = isObject ? turn[best] || turn[others.find((other) => turn[other]) ?? ''] : turn;
		const role = isObject ? turn[name] : undefined;
		let label = labels.get(role);
		if (label === undefined) labels.set(role, (label = labelOf(role)));
		const text = label === null ? '' : spokenTextOf(said, depth + 1);
		if (text === '') continue;
		lines += lines === '' ? label?.slice(1) : label;
		lines += text;
	}
	return lines;
}

/** Returns the first turns of a list, their text fields, the best first, and their speaker field. */
function findTurnFields(list: unknown[]) {
	const seen = list.slice(0, TURNS_SEEN).filter(isRecord);
	const keys = new Set(seen.flatMap((turn) => Object.keys(turn).slice(0, FIELDS_SEEN)));
	const names = new Map([...keys].map((key) => [wordsOf(key).join(' '), key]));
	const named = (fields: readonly string[]) =>
		fields.filter((field) => names.has(field)).map((field) => names.get(field)!);
	const isSpeaker = (name: string) =>
		seen.some((turn) => ['string', 'number'].includes(typeof turn[name]) && turn[name] !== '');
	return { seen, texts: named(TEXT_FIELDS), speaker: named(SPEAKER_FIELDS).find(isSpeaker) };
}

/** Returns the start of a turn's line: `user` → `\nUser: `; null for a role that is not speech. */
function labelOf(role: unknown): string | null {
	if ((typeof role !== 'string' && typeof role !== 'number') || role === '') return '\n';
	const text = `${role}`;
	if (wordsOf(text).some((word) => SILENT.has(word))) return null;
	const speaker = /^\d+$/.test(text) ? `Speaker ${text}` : text;
	return `\n${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}: `;
}
