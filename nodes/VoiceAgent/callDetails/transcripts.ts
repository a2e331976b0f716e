/** Recognises transcripts, and writes the spoken turns as text. */
import { isObject, parseJson } from '../matcher/json';
import { wordsOf } from '../matcher/words';
import { readWebUrl } from './values';
import { SILENT, SPEAKER_FIELDS, TEXT_FIELDS } from './vocabulary/turns';

/** The deepest object that is entered: in `{ transcript: { segments: [{ text }] } }`, a turn has a depth of 2. */
const DEEPEST = 4;
/** A limit for hostile events. */
const FIELDS_SEEN = 50;

/**
 * Reads the spoken turns as text, one line each: from a text, a list of turns, or an object with either.
 * `[{ role: 'user', content: 'Hi' }]` → `User: Hi`
 */
export function readTranscript(value: unknown): string | null {
	// A list may come as text.
	const isList = typeof value === 'string' && /^\s{0,20}\[/.test(value);
	const text = spokenTextOf((isList && parseJson(value)) || value, 0);
	return text === '' || readWebUrl(text) !== null ? null : text;
}

/** Returns a text, the lines of a list, or the text of an object's best field. */
function spokenTextOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (depth > DEEPEST) return '';
	if (Array.isArray(value)) {
		const lines = value.map((turn) => lineOf(turn, depth + 1));
		return lines.filter(Boolean).join('\n');
	}
	if (!isObject(value)) return '';
	const lists = Object.values(value).slice(0, FIELDS_SEEN).filter(Array.isArray);
	for (const inner of [...fieldsNamed(TEXT_FIELDS, value), ...lists]) {
		const text = spokenTextOf(inner, depth + 1);
		if (text !== '') return text;
	}
	return '';
}

/** Writes a turn: `Speaker: text`. A turn that is not speech has no text. */
function lineOf(turn: unknown, depth: number): string {
	const text = spokenTextOf(turn, depth);
	const [role = ''] = fieldsNamed(SPEAKER_FIELDS, turn)
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map(String);
	if (text === '' || role === '') return text;
	const speaker = /^\d+$/.test(role) ? `Speaker ${role}` : role;
	const isSilent = wordsOf(role).some((word) => SILENT.has(word));
	return isSilent ? '' : `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}: ${text}`;
}

/** Returns the values of the fields with these names, in the order of the names. */
function fieldsNamed(names: readonly string[], turn: unknown): unknown[] {
	if (!isObject(turn)) return [];
	const keys = Object.keys(turn).slice(0, FIELDS_SEEN);
	const values = new Map(keys.map((key) => [wordsOf(key).join(' '), turn[key]]));
	return names
		.map((name) => values.get(name))
		.filter((value) => value !== undefined && value !== '');
}
