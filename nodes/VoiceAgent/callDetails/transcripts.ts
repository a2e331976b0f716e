import { wordsOf } from '../matcher/words';
import { isRecord } from './records';
import { SILENT, SPEAKER_FIELDS, SPEAKING, TEXT_FIELDS } from './vocabulary/turns';

/** Wrappers in wrappers that are entered, such as `{ transcript: { segments: [ … ] } }`. */
const DEEPEST = 3;
/** Turns and fields that show how the turns of a list are written. */
const TURNS_SEEN = 5;
const FIELDS_SEEN = 50;
/** Longer texts are no URLs. */
const LONGEST_URL = 4000;

/**
 * Reads the spoken turns as text, a line each: a text, a list of turns, or an object that holds one.
 * `[{ role: 'user', content: 'Hi' }]` → `User: Hi`
 */
export function readTranscript(value: unknown): string | null {
	const text = textOf(parsed(value), 0);
	const isUrl = text.length <= LONGEST_URL && /^https?:\/\/\S+$/.test(text);
	return text === '' || isUrl ? null : text;
}

/** Tells whether a list holds turns although nothing names it a transcript: its entries have roles. */
export function areTurns(value: unknown): boolean {
	const list = parsed(value);
	if (!Array.isArray(list)) return false;
	const { seen, speaker, texts } = fieldsOf(list);
	const isRole = (role: unknown) =>
		typeof role === 'string' &&
		wordsOf(role).some((word) => SPEAKING.has(word) || SILENT.has(word));
	return texts.length > 0 && speaker !== undefined && seen.every((turn) => isRole(turn[speaker]));
}

/** Some services write a list as a text. */
function parsed(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s{0,20}\[/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

function textOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (Array.isArray(value)) return linesOf(value, depth);
	if (!isRecord(value) || depth > DEEPEST) return '';
	for (const name of Object.keys(value).slice(0, FIELDS_SEEN)) {
		const isText = TEXT_FIELDS.includes(wordsOf(name).join(' ')) || Array.isArray(value[name]);
		const text = isText ? textOf(value[name], depth + 1) : '';
		if (text !== '') return text;
	}
	return '';
}

function linesOf(turns: unknown[], depth: number): string {
	const { texts, speaker } = fieldsOf(turns);
	const [best = '', ...others] = texts;
	const name = speaker ?? '';
	// Few speak, and often.
	const labels = new Map<unknown, string | undefined>();
	// Appending leaves the copying of a long text to whoever reads it; a join copies it here.
	let lines = '';
	for (const turn of turns) {
		const isObject = isRecord(turn);
		const said = isObject ? turn[best] || turn[others.find((other) => turn[other]) ?? ''] : turn;
		const role = isObject ? turn[name] : undefined;
		if (!labels.has(role)) labels.set(role, labelOf(role));
		const label = labels.get(role);
		const text = depth > DEEPEST || label === undefined ? '' : textOf(said, depth + 1);
		if (text === '') continue;
		lines += lines === '' ? label : `\n${label}`;
		lines += text;
	}
	return lines;
}

/** The first turns of a list, and the fields that hold what is said, best first, and by whom. */
function fieldsOf(list: unknown[]) {
	const seen = list.slice(0, TURNS_SEEN).filter(isRecord);
	const keys = seen.flatMap((turn) => Object.keys(turn).slice(0, FIELDS_SEEN));
	const names = new Map(keys.map((key) => [wordsOf(key).join(' '), key]));
	const named = (fields: readonly string[]) => fields.flatMap((field) => names.get(field) ?? []);
	const isSpeaker = (name: string) =>
		seen.some((turn) => ['string', 'number'].includes(typeof turn[name]) && turn[name] !== '');
	return { seen, texts: named(TEXT_FIELDS), speaker: named(SPEAKER_FIELDS).find(isSpeaker) };
}

/** The text before a speaker's words; undefined for a role that is not speech. */
function labelOf(role: unknown): string | undefined {
	if ((typeof role !== 'string' && typeof role !== 'number') || role === '') return '';
	const text = `${role}`;
	if (wordsOf(text).some((word) => SILENT.has(word))) return undefined;
	return /^\d+$/.test(text)
		? `Speaker ${text}: `
		: `${text.charAt(0).toUpperCase()}${text.slice(1)}: `;
}
