/** Recognises transcripts, and writes the spoken turns as text. */
import { DEEPEST_FIELD, isId, isObject, parseJson } from '../text/json';
import { hasAny, wordsOf } from '../text/words';
import { readStatedText, readWebUrl } from './values';
import { ROLES, SILENT, SPEAKER_FIELDS, TEXT_FIELDS } from './vocabulary/valueWords';

/** The first turns of a list, which show how its turns are written. */
const TURNS_SEEN = 5;

/**
 * Reads the spoken turns as text, one line each: from a text, a list of turns, or an object with either.
 * `[{ role: 'user', content: 'Hi' }]` → `User: Hi`
 */
export function readTranscript(value: unknown): string | null {
	const text = readStatedText(spokenTextOf(parsedList(value), 0));
	return readWebUrl(text) !== null ? null : text;
}

/** Whether a list of any name holds turns: each of its entries has a role. */
export function areTurns(value: unknown): boolean {
	const list = parsedList(value);
	const { seen, speaker, text } = findTurnFields(Array.isArray(list) ? list : []);
	const isRole = (role: unknown) => hasAny(wordsOf(role), ROLES);
	return text !== undefined && speaker !== undefined && seen.every((turn) => isRole(turn[speaker]));
}

/** Parses a list that a service sends as text. */
function parsedList(value: unknown): unknown {
	const isList = typeof value === 'string' && /^\s{0,20}\[/.test(value);
	return isList ? (parseJson(value) ?? value) : value;
}

function spokenTextOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (depth > DEEPEST_FIELD) return '';
	if (Array.isArray(value)) return writeTurns(value, depth);
	if (!isObject(value)) return '';
	for (const name of Object.keys(value)) {
		const phrase = wordsOf(name).join(' ');
		const isOfTurns = /^(line|turn|segment|part)$/.test(phrase);
		const isList = Array.isArray(value[name]) && (isOfTurns || value[name].some(isObject));
		const isText = isList || TEXT_FIELDS.includes(phrase);
		const text = isText ? spokenTextOf(value[name], depth + 1) : '';
		if (text !== '') return text;
	}
	return '';
}

/** Writes a list of turns: `Speaker: text` in one line for each. */
function writeTurns(turns: unknown[], depth: number): string {
	const { text: field = '', speaker = '' } = findTurnFields(turns);
	const lines = turns.map((turn) => {
		if (!isObject(turn)) return spokenTextOf(turn, depth + 1);
		const label = isId(turn[speaker]) ? labelOf(`${turn[speaker]}`) : '';
		const text = label === null ? '' : spokenTextOf(turn[field], depth + 1);
		return text === '' ? '' : `${label}${text}`;
	});
	return lines.filter(Boolean).join('\n');
}

/** Returns the first turns of a list, and the names of their text field and their speaker field. */
function findTurnFields(list: unknown[]) {
	const seen = list.slice(0, TURNS_SEEN).filter(isObject);
	const keys = seen.flatMap(Object.keys);
	const names = new Map(keys.map((key) => [wordsOf(key).join(' '), key]));
	const named = (fields: readonly string[]) => fields.flatMap((field) => names.get(field) ?? []);
	const isSpeaker = (name: string) => seen.some((turn) => isId(turn[name]));
	return { seen, text: named(TEXT_FIELDS)[0], speaker: named(SPEAKER_FIELDS).find(isSpeaker) };
}

/** Returns the start of a turn's line: `user` → `User: `; null for a role that is not speech. */
function labelOf(role: string): string | null {
	if (hasAny(wordsOf(role), SILENT)) return null;
	const speaker = /^\d+$/.test(role) ? `Speaker ${role}` : role;
	return `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}: `;
}
